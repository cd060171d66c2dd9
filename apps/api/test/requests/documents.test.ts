import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, gunzipSync } from "node:zlib";
import { OpenAPIHono } from "@hono/zod-openapi";
import { admissionOf } from "@swath/accounts";
import { createAccess, PUBLIC } from "@swath/accounts/hono";
import { compress, PathTable } from "@swath/web";
import { afterAll, beforeAll, expect, test } from "vitest";
import { problemResponse } from "../../src/http/answer/problems.ts";
import type { AppEnv } from "../../src/http/request/context.ts";
import { registerDocuments } from "../../src/routes/site/documents.ts";

const SCRIPT = "assets/guides_curl.md.AbCd_123.js";
const FILES: Readonly<Record<string, string>> = {
  "index.html": "<!doctype html><title>first</title>",
  "guides/curl.html": "<!doctype html><title>curl</title>",
  "adr/index.html": "<!doctype html><title>decisions</title>",
  "api/openapi.json": "{}",
  "images/a.png": "image",
  [SCRIPT]: `let plain;${" ".repeat(2000)}`,
  "404.html": "<!doctype html><title>404</title>",
  "sources.sha256": "secret",
};
let folder: string;

function service(built: string): (path: string, headers?: Record<string, string>) => Promise<Response> {
  const app = new OpenAPIHono<AppEnv>({ strict: false });
  app.use(compress);
  app.use(async (c, next) => {
    c.set("baseUrl", "http://service.test");
    c.set("requestId", "test");
    await next();
  });
  app.onError((error, c) => problemResponse(error, c));
  const access = createAccess({ authenticators: [], missingDetail: "Nobody may ask." });
  const admission = admissionOf({ limits: { admit: async () => {} } });
  registerDocuments({ app, paths: new PathTable(PUBLIC), access, admission }, built);
  return async (path, headers = {}) => app.request(`http://service.test${path}`, { headers });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-documents-"));
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await writeFile(join(folder, `${SCRIPT}.br`), brotliCompressSync("let packed;"));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ["/docs", "first"],
  ["/docs/", "first"],
  ["/docs/guides/curl", "curl"],
  ["/docs/guides/curl/", "curl"],
  ["/docs/guides/curl.html", "curl"],
  ["/docs/adr", "decisions"],
  ["/docs/adr/", "decisions"],
])("%s is a page that loads from here alone and is revalidated each time", async (path, title) => {
  const ask = service(folder);
  const page = await ask(path);
  expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain(`<title>${title}</title>`);
  expect(page.headers.get("Cache-Control")).toBe("no-cache");
  const policy = page.headers.get("Content-Security-Policy") ?? "";
  expect(policy.split("; ")).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]),
  );
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  expect((await ask(path, { "If-None-Match": page.headers.get("ETag") ?? "" })).status).toBe(304);
});

test("files named by their content are kept for a year, as the build compressed them or as the client wants", async () => {
  const ask = service(folder);
  const packed = await ask(`/docs/${SCRIPT}`, { "Accept-Encoding": "gzip, br" });
  expect(packed.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect(packed.headers.get("Content-Encoding")).toBe("br");
  const zipped = await ask(`/docs/${SCRIPT}`, { "Accept-Encoding": "gzip" });
  expect(zipped.headers.get("Content-Encoding")).toBe("gzip");
  expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(FILES[SCRIPT]);
  expect((await ask("/docs/images/a.png")).headers.get("Content-Type")).toBe("image/png");
  expect((await ask("/docs/api/openapi.json")).headers.get("Content-Type")).toBe("application/json");
});

test.each([
  "/docs/none",
  "/docs/guides",
  "/docs/sources.sha256",
  `/docs/${SCRIPT}.br`,
  "/docs/..%2fpackage.json",
  "/docs/guides/..%2f..%2fpackage.json",
  "/docs/%00",
  "/docs/guides/%2e%2e/index.html",
  "/docs//etc/passwd",
])("%s is not served", async (path) => {
  const response = await service(folder)(path);
  const served = response.status === 200 ? await response.text() : "";
  // an address that is put in order before it is asked may lead to a page
  if (path.includes("%2e%2e")) expect(["", FILES["index.html"]]).toContain(served);
  else expect([response.status, response.headers.get("Content-Type")]).toEqual([404, "application/problem+json"]);
});

test("a browser that asks for a page that is not there gets one that says so, which is not kept", async () => {
  const ask = service(folder);
  const page = await ask("/docs/guides/none", { Accept: "text/html,*/*" });
  expect([page.status, page.headers.get("Cache-Control"), page.headers.get("ETag")]).toEqual([404, "no-store", null]);
  expect(await page.text()).toContain("<title>404</title>");
  const file = await ask("/docs/images/none.png", { Accept: "text/html,*/*" });
  expect([file.status, file.headers.get("Content-Type")]).toEqual([404, "application/problem+json"]);
});

test("while the documents are not built, every page of them says so, is not kept, and looks again", async () => {
  const ask = service(join(folder, "absent"));
  for (const path of ["/docs", "/docs/guides/curl", "/docs/tutorial"]) {
    const page = await ask(path);
    expect([page.status, page.headers.get("Cache-Control"), page.headers.get("Refresh")]).toEqual([
      200,
      "no-store",
      "5",
    ]);
    expect(await page.text()).toContain("not built yet");
  }
  expect((await ask("/docs/assets/app.AbCd_123.js")).status).toBe(404);
});
