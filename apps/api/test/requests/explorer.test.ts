import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { OpenAPIHono } from "@hono/zod-openapi";
import { admissionOf } from "@swath/accounts";
import { createAccess, PUBLIC } from "@swath/accounts/hono";
import { PathTable } from "@swath/web";
import { afterAll, beforeAll, expect, test } from "vitest";
import { problemResponse } from "../../src/http/answer/problems.ts";
import type { AppEnv } from "../../src/http/request/context.ts";
import { registerAccountPage, registerExplorer } from "../../src/routes/site/explorer.ts";

const SCRIPT = "assets/index-AbCd_123.js";
let folder: string;

function service(
  built: string,
  parts: Parameters<typeof registerExplorer>[1] = {},
): (path: string, headers?: Record<string, string>, method?: string) => Promise<Response> {
  const app = new OpenAPIHono<AppEnv>();
  app.use(async (c, next) => {
    c.set("baseUrl", "http://service.test");
    c.set("requestId", "test");
    await next();
  });
  app.onError((error, c) => problemResponse(error, c));
  const access = createAccess({ authenticators: [], missingDetail: "Nobody may ask." });
  const admission = admissionOf({ limits: { admit: async () => {} } });
  const router = { app, paths: new PathTable(PUBLIC), access, admission };
  registerExplorer(router, parts, built);
  registerAccountPage(router, built);
  return async (path, headers = {}, method = "GET") => app.request(`http://service.test${path}`, { headers, method });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-page-"));
  await mkdir(join(folder, "assets"));
  await mkdir(join(folder, "account"));
  await writeFile(join(folder, "account/index.html"), "<!doctype html><title>account</title>");
  await writeFile(join(folder, "index.html"), "<!doctype html><title>page</title>");
  await writeFile(join(folder, SCRIPT), "let plain;");
  await writeFile(join(folder, `${SCRIPT}.br`), brotliCompressSync("let packed;"));
  await writeFile(join(folder, "embed.js"), "let part;");
  await writeFile(join(folder, "sources.sha256"), "secret");
});
afterAll(() => rm(folder, { recursive: true }));

test("a browser that requests / is redirected to the page, others to the landing page", async () => {
  const ask = service(folder);
  const browser = await ask("/", { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
  expect([browser.status, browser.headers.get("Location")]).toEqual([302, "/explore"]);
  for (const headers of [{ Accept: "*/*" }, { Accept: "application/json" }, {}]) {
    const client = await ask("/", headers);
    expect([client.status, client.headers.get("Location")]).toEqual([302, "/v1"]);
    expect(client.headers.get("Vary")).toContain("Accept");
  }
});

test("the page is revalidated each time, may load from here alone, and is answered 304 when unchanged", async () => {
  const ask = service(folder);
  const page = await ask("/explore");
  expect(page.status).toBe(200);
  expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("Cache-Control")).toBe("no-cache");
  const policy = page.headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const again = await ask("/explore", { "If-None-Match": page.headers.get("ETag") ?? "" });
  expect(again.status).toBe(304);
  expect((await ask("/explore", {}, "HEAD")).headers.get("Content-Length")).toBe("34");
});

test("with a base map of the owner's, the page and its worker may fetch from its origins too, and nothing else changes", async () => {
  const baseMap = {
    url: "https://maps.example/style.json",
    origins: ["https://maps.example", "https://fonts.example"],
  };
  const [plain, ask] = [service(folder), service(folder, { baseMap })];
  for (const path of ["/explore", `/explore/${SCRIPT}`]) {
    const policyOf = async (from: typeof ask): Promise<string[]> =>
      ((await from(path)).headers.get("Content-Security-Policy") ?? "").split("; ");
    const connect = "connect-src 'self' data: blob:";
    const wanted = (await policyOf(plain)).map((each) =>
      each === connect ? `${connect} https://maps.example https://fonts.example` : each,
    );
    expect(wanted.join("; ")).toContain("fonts.example");
    expect(await policyOf(ask)).toEqual(wanted);
  }
  const account = (await ask("/account")).headers.get("Content-Security-Policy");
  expect(account).not.toContain("maps.example");
});

test("the account page is revalidated each time, and may load, send and frame nothing but what it is made of", {
  tags: ["AC21"],
}, async () => {
  const ask = service(folder);
  const page = await ask("/account");
  expect([page.status, page.headers.get("Cache-Control"), await page.text()]).toEqual([
    200,
    "no-cache",
    "<!doctype html><title>account</title>",
  ]);
  const policy = page.headers.get("Content-Security-Policy") ?? "";
  expect(policy.split("; ")).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]),
  );
  expect(policy).not.toMatch(/unsafe|https?:|data:|blob:|\*/);
  expect([page.headers.get("Referrer-Policy"), page.headers.get("Cross-Origin-Opener-Policy")]).toEqual([
    "no-referrer",
    "same-origin",
  ]);
  expect(page.headers.get("Set-Cookie")).toBeNull();
  expect((await ask("/account", { "If-None-Match": page.headers.get("ETag") ?? "" })).status).toBe(304);
});

test("files named by their content are kept for a year, in the encoding that the build made", async () => {
  const ask = service(folder);
  const packed = await ask(`/explore/${SCRIPT}`, { "Accept-Encoding": "gzip, br" });
  expect(packed.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect(packed.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
  expect(packed.headers.get("Content-Encoding")).toBe("br");
  expect(packed.headers.get("Vary")).toContain("Accept-Encoding");
  expect(brotliDecompressSync(new Uint8Array(await packed.arrayBuffer())).toString()).toBe("let packed;");
  const plain = await ask(`/explore/${SCRIPT}`);
  expect([plain.headers.get("Content-Encoding"), await plain.text()]).toEqual([null, "let plain;"]);
});

test("the module of parts for pages of others has a name that stays, and is asked for again each time", async () => {
  const ask = service(folder);
  const module = await ask("/explore/embed.js", { Origin: "https://pages.example" });
  expect([module.headers.get("Content-Type"), module.headers.get("Cache-Control"), await module.text()]).toEqual([
    "text/javascript; charset=utf-8",
    "no-cache",
    "let part;",
  ]);
  expect(module.headers.get("Cross-Origin-Resource-Policy")).toBeNull();
  const again = await ask("/explore/embed.js", { "If-None-Match": module.headers.get("ETag") ?? "" });
  expect(again.status).toBe(304);
});

test.each([
  "/explore/assets/none-AbCd_123.js",
  "/explore/sources.sha256",
  "/explore/..%2f..%2fpackage.json",
  "/explore/assets/..%2fsources.sha256",
  `/explore/${SCRIPT}.br`,
  "/explore/assets",
  "/explore/account/index.html",
  "/explore/account",
])("%s is not served", async (path) => {
  const response = await service(folder)(path);
  expect([response.status, await response.json()]).toMatchObject([404, { code: "not-found" }]);
});

test("without a build the page says how to make one, and is not kept", async () => {
  const response = await service(join(folder, "absent"))("/explore");
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(await response.text()).toContain("npx vite build apps/explorer");
});
