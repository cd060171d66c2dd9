import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const here = import.meta.dirname;
const folder = mkdtempSync(join(here, "readme-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Example {
  readonly towns: Response;
  readonly refused: Response;
  readonly account: Response;
  readonly usage: Response;
}
let example: Example;
beforeAll(async () => {
  const readme = readFileSync(join(here, "../..", "README.md"), "utf8");
  const [, [, code = ""] = []] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)];
  const own = code
    .replace('"@swath/accounts/hono"', '"../../../src/hono/index.ts"')
    .replace('"@swath/accounts"', '"../../../src/index.ts"');
  writeFileSync(join(folder, "example.ts"), own);
  example = (await import(pathToFileURL(join(folder, "example.ts")).href)) as Example;
});

test("the README's towns say what they cost and what is left", async () => {
  const { towns } = example;
  expect([towns.status, await towns.json()]).toEqual([200, ["ghent", "delft"]]);
  expect([towns.headers.get("X-Units-Spent"), towns.headers.get("X-Units-Remaining")]).toEqual(["0.5", "9999.5"]);
  expect(towns.headers.get("RateLimit-Policy")).toContain('"units-month";q=10000;w=2592000');
});

test("the README's caller without a key is refused with the challenge of each scheme", async () => {
  const { refused } = example;
  expect([refused.status, refused.headers.get("WWW-Authenticate")]).toEqual([
    401,
    'Bearer realm="towns", ApiKey header="X-API-Key"',
  ]);
  expect(await refused.json()).toMatchObject({ code: "invalid-key", detail: "Send a key in the X-API-Key header." });
});

test("the README's key of the scope data reads no account", async () => {
  expect(example.account.status).toBe(403);
  expect(await example.account.json()).toMatchObject({ code: "insufficient-scope" });
});

test("the README's usage has the towns' half unit", async () => {
  expect(await example.usage.json()).toMatchObject({
    tier: "free",
    units: { spent: 0.5, limit: 10_000 },
    byRoute: [
      { route: "getUsage", units: 0, requests: 1 },
      { route: "listTowns", units: 0.5, requests: 1 },
    ],
    links: [{ rel: "self", href: "https://towns.example/v1/usage" }],
  });
});
