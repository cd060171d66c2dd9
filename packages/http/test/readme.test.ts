import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test, vi } from "vitest";
import { serve } from "./server.ts";

const script = new URL("./readme-example.ts", import.meta.url);
afterAll(() => rmSync(script, { force: true }));

test("the README's example runs, past a server that fails once", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)![1]!;
  const served = await serve((_, response, count) =>
    count === 1 ? response.writeHead(503).end() : response.writeHead(200).end("12345"),
  );
  writeFileSync(
    script,
    code.replace('"@swath/http"', '"../src/index.ts"').replace("{ url }", `{ url: "${served.url}" }`),
  );
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(script.href);
  expect(log).toHaveBeenCalledWith(5);
  log.mockRestore();
});
