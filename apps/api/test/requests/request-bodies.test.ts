import { brotliCompressSync, gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { KEY, type TestService, testService } from "../tools/harness.ts";

const MEBIBYTE = 1_048_576;

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

function search(body: Uint8Array<ArrayBuffer>, encoding: string): Promise<Response> {
  return service.request("/v1/search", {
    method: "POST",
    headers: { "X-API-Key": KEY, "Content-Type": "application/json", "Content-Encoding": encoding },
    body,
  });
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const gzip = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(text));
const QUERY = '{"limit":2}';

test.each([
  { encoding: "gzip", body: gzip(QUERY) },
  { encoding: " GZIP ", body: gzip(QUERY) },
  { encoding: "x-gzip", body: gzip(QUERY) },
  { encoding: "identity", body: bytes(QUERY) },
])("a body with Content-Encoding $encoding is read", async ({ encoding, body }) => {
  const response = await search(body, encoding);
  expect(response.status).toBe(200);
  expect(((await response.json()) as { readonly features: unknown[] }).features).toHaveLength(2);
});

test.each([
  { encoding: "br", body: new Uint8Array(brotliCompressSync(QUERY)) },
  { encoding: "gzip, gzip", body: gzip(QUERY) },
])("a body with Content-Encoding $encoding is refused, with the one that is taken", async ({ encoding, body }) => {
  const response = await search(body, encoding);
  expect([response.status, response.headers.get("Accept-Encoding")]).toEqual([415, "gzip"]);
  expect(await response.json()).toMatchObject({ code: "unsupported-media-type" });
});

test.each([
  { name: "no gzip", body: bytes(QUERY) },
  { name: "cut short", body: gzip(QUERY).slice(0, -6) },
  { name: "damaged", body: gzip(QUERY).map((byte, i) => (i === 14 ? byte ^ 0xff : byte)) },
])("a gzip body that is $name is a bad request", async ({ body }) => {
  const response = await search(body, "gzip");
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid-body", errors: [{ pointer: "" }] });
});

test("a gzip body is bounded by what it inflates to, and inflated no further", { tags: ["H19"] }, async () => {
  const bomb = gzip(" ".repeat(64 * MEBIBYTE));
  expect(bomb.byteLength).toBeLessThan(MEBIBYTE);
  const response = await search(bomb, "gzip");
  expect(response.status).toBe(413);
  const { limits } = (await response.json()) as { readonly limits: Record<string, number> };
  expect(limits.maxBytes).toBe(MEBIBYTE);
  // a chunk over the limit, and not the 64 MiB
  expect(limits.requestedBytes).toBeLessThan(2 * MEBIBYTE);
});
