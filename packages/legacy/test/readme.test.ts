import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";

const script = new URL("./readme-example.ts", import.meta.url);
afterAll(() => rmSync(script, { force: true }));

test("the README's service answers for the hosts, refuses in their words, and keeps its own routes", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  writeFileSync(script, code.replace('"@swath/legacy"', '"../src/index.ts"'));
  const { landing, refused, own } = (await import(script.href)) as Record<"landing" | "refused" | "own", Response>;
  expect([landing.status, await landing.json()]).toMatchObject([
    200,
    { links: [{ rel: "self", href: "http://localhost/legacy/tiles" }, { rel: "tiles" }, { rel: "health" }] },
  ]);
  expect([refused.status, await refused.json()]).toEqual([403, { message: "Forbidden" }]);
  expect(await own.text()).toBe("A route of the service.");
});
