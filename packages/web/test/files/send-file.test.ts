import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendFile } from "../../src/files/byte-range.ts";
import { pathBelow } from "../../src/files/stored-bytes.ts";
import { RequestProblem } from "../../src/problems.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-web-"));
  await writeFile(join(folder, "ten.txt"), "0123456789");
});
afterAll(() => rm(folder, { recursive: true }));

const app = new Hono();
app.get("/:name", (c) => sendFile(c, join(folder, c.req.param("name")), { "Content-Type": "text/plain" }));
app.onError((error) => {
  if (!(error instanceof RequestProblem)) throw error;
  return new Response(error.code, { status: error.status, headers: error.headers });
});

test("a file is sent whole, by range, and not to who holds it", async () => {
  const whole = await app.request("/ten.txt");
  expect([whole.status, whole.headers.get("Content-Length"), await whole.text()]).toEqual([200, "10", "0123456789"]);
  const part = await app.request("/ten.txt", { headers: { Range: "bytes=-3" } });
  expect([part.status, part.headers.get("Content-Range"), await part.text()]).toEqual([206, "bytes 7-9/10", "789"]);
  const etag = whole.headers.get("ETag") ?? "";
  const held = await app.request("/ten.txt", { headers: { "If-None-Match": etag } });
  expect([held.status, held.headers.get("Content-Type")]).toEqual([304, null]);
  // of another version the whole file is sent
  const other = await app.request("/ten.txt", { headers: { Range: "bytes=-3", "If-Range": '"other"' } });
  expect([other.status, await other.text()]).toEqual([200, "0123456789"]);
});

test("a range beyond the file says how long it is, and no file is 404", async () => {
  const beyond = await app.request("/ten.txt", { headers: { Range: "bytes=10-" } });
  expect([beyond.status, beyond.headers.get("Content-Range")]).toEqual([416, "bytes */10"]);
  expect((await app.request("/none.txt")).status).toBe(404);
});

test.each([
  { name: "a/b.tif", expected: "/data/a/b.tif" },
  { name: "a/../b.tif", expected: "/data/b.tif" },
  { name: "../b.tif", expected: undefined },
  { name: "a/../../data-2/b.tif", expected: undefined },
  { name: "", expected: undefined },
  { name: "a\0.tif", expected: undefined },
])("$name below /data is $expected", ({ name, expected }) => {
  expect(pathBelow("/data", name)).toBe(expected);
});
