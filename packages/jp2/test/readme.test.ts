import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { fixture } from "./files.ts";

const script = new URL("./readme-example.ts", import.meta.url);
afterAll(() => rmSync(script, { force: true }));

test("the README's example runs", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)![1]!;
  const bytes = fixture("lrcp.jp2");
  const server = createServer(({ headers }, response) => {
    const [start = 0, last = 0] = (/(\d+)-(\d+)/.exec(headers.range ?? "") ?? []).slice(1).map(Number);
    const part = bytes.subarray(start, Math.min(last + 1, bytes.length));
    response.writeHead(206, { "content-range": `bytes ${start}-${start + part.length - 1}/${bytes.length}` });
    response.end(part);
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/B04.jp2`;
  writeFileSync(script, code.replace('"@swath/jp2"', '"../src/index.ts"').replace("(url)", `("${url}")`));
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(script.href);
  expect(log).toHaveBeenCalledWith(4, 4096, 65_536);
  log.mockRestore();
  server.closeAllConnections();
  server.close();
});
