import { gunzipSync } from "node:zlib";
import { CatalogError } from "@swath/catalog";
import { RENDER_VERSION } from "@swath/engine/node/images";
import { beforeAll, expect, test } from "vitest";
import { PROBLEMS } from "../../src/errors/problems.ts";
import { json, path, problemOf } from "../tools/answers.ts";
import { KEY, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import type { Description } from "../tools/openapi-check.ts";
import { rowRules } from "../tools/row-rules.ts";

const S2_ITEM = "/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A";
/** A request that is answered 200 for each route that takes GET. */
const GETS = [
  "/v1",
  "/v1/conformance",
  "/v1/health",
  "/v1/collections",
  "/v1/collections/landsat-ot-l2",
  "/v1/collections/sentinel-2-l2a/items?limit=2",
  S2_ITEM,
  "/v1/search?limit=2",
  `${S2_ITEM}/preview.png?max_size=64`,
  "/v1/presets",
  "/v1/presets/ndvi",
  "/v1/tiles/ndvi/WebMercatorQuad/9/275/182.png?datetime=2024-07-01/2024-07-31",
  "/v1/tiles/ndvi/WebMercatorQuad/tilejson.json",
  "/v1/openapi.json",
  "/v1/schema",
  "/docs",
  "/problems/not-found",
];
const KEYLESS = GETS.filter((path) => !/search|items\?|preview|\.png\?/.test(path));

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

test.each(GETS)("HEAD %s has the status and headers of GET, and no body", { tags: ["H2"] }, async (path) => {
  const get = await service.get(path);
  const head = await service.request(path, { method: "HEAD", headers: { "X-API-Key": KEY } });
  expect([get.status, head.status]).toEqual([200, 200]);
  expect(await head.text()).toBe("");
  const headers = (response: Response): object =>
    Object.fromEntries([...response.headers].filter(([name]) => !["x-request-id", "transfer-encoding"].includes(name)));
  expect(headers(head)).toEqual(headers(get));
});

test.each(GETS)("OPTIONS %s is 204 without a key and says what is allowed", { tags: ["H3"] }, async (path) => {
  const response = await service.request(path, { method: "OPTIONS" });
  expect(response.status).toBe(204);
  expect(response.headers.get("Allow")).toContain("GET, HEAD");
  expect(response.headers.get("Access-Control-Allow-Headers")).toContain("X-API-Key");
  expect(response.headers.get("Access-Control-Max-Age")).toBe("86400");
});

test.each(GETS)("%s has a request id and may be read from any origin", { tags: ["H1", "H5"] }, async (path) => {
  const response = await service.get(path, { Origin: "https://map.example", "X-Request-Id": "id-1" });
  expect(response.headers.get("X-Request-Id")).toBe("id-1");
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  const exposed = response.headers.get("Access-Control-Expose-Headers");
  for (const name of ["X-Request-Id", "Retry-After", "ETag", "Location", "Content-Location", "X-Attribution"]) {
    expect(exposed).toContain(name);
  }
});

test.each(KEYLESS)("%s needs no key", { tags: ["J1", "U4"] }, async (path) => {
  expect((await service.request(path)).status).toBe(200);
});

test("every route that needs a key refuses its absence before anything else is looked at", {
  tags: ["U3"],
}, async () => {
  const description: Description = await json(service.request("/v1/openapi.json"));
  const keyed = Object.entries(description.paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([, operation]) => (operation.security as unknown[]).length > 0)
      .map(([method]) => [method.toUpperCase(), template.replace(/\{\w+\}/g, "x")] as const),
  );
  expect(keyed.length).toBeGreaterThanOrEqual(5);
  for (const [method, path] of keyed) {
    const problem = await problemOf(await service.request(`${path}?nonsense=1`, { method }));
    expect([method, path, problem.code]).toEqual([method, path, "invalid-key"]);
  }
});

test("a preflight passes at addresses that nothing is served at, so that a browser can read the 404", {
  tags: ["H3"],
}, async () => {
  const response = await service.request("/v1/timeseries", {
    method: "OPTIONS",
    headers: { Origin: "https://map.example", "Access-Control-Request-Method": "GET" },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get("Access-Control-Allow-Methods")).toBe("GET, HEAD, POST, OPTIONS");
  expect((await service.request("/v1/timeseries", { method: "OPTIONS" })).status).toBe(404);
});

const KEPT: readonly (readonly [path: string, cacheControl: string])[] = [
  ["/v1", "public, max-age=600"],
  ["/v1/conformance", "public, max-age=600"],
  ["/v1/collections", "public, max-age=600"],
  ["/v1/collections/landsat-ot-l2", "public, max-age=600"],
  ["/v1/presets", "public, max-age=600"],
  ["/v1/presets/ndvi", "public, max-age=600"],
  ["/v1/tiles/ndvi/WebMercatorQuad/tilejson.json", "public, max-age=600"],
  ["/v1/schema", "public, max-age=600"],
  ["/v1/openapi.json", "public, max-age=600"],
  [S2_ITEM, "public, max-age=300"],
  ["/v1/search?limit=1", "private, max-age=60"],
  ["/v1/collections/landsat-ot-l2/items?limit=1", "private, max-age=60"],
  ["/v1/health", "no-store"],
  ["/v1/nothing", "max-age=60"],
  ["/v1/search?limit=0", "no-store"],
  ["/v1/search?collections=nothing", "no-store"],
];
const rulesOfKept = rowRules(
  {
    C14: ["/v1/collections", "/v1/collections/landsat-ot-l2"],
    I15: [S2_ITEM],
    S32: ["/v1/search?limit=1", "/v1/collections/landsat-ot-l2/items?limit=1"],
    R5: ["/v1/presets", "/v1/presets/ndvi"],
    Q1: ["/v1/health"],
  },
  KEPT.map(([path]) => path),
);

for (const [path, expected] of KEPT) {
  test(`${path} is kept as ${expected}`, { tags: ["H8", ...rulesOfKept(path)] }, async () => {
    expect((await service.get(path)).headers.get("Cache-Control")).toBe(expected);
  });
}

test.each(["/v1", "/v1/conformance", "/v1/collections", "/v1/presets", "/v1/schema", "/v1/openapi.json", S2_ITEM])(
  "%s has an ETag and is 304 for who holds it, compressed or not",
  { tags: ["H6", "H7", "Z3"] },
  async (path) => {
    const first = await service.request(path);
    const etag = first.headers.get("ETag") ?? "";
    expect(etag).toMatch(/^"s1\.0\.0-[0-9a-f]{16}"$/);
    const packed = await service.request(path, { headers: { "Accept-Encoding": "br" } });
    for (const tag of [etag, packed.headers.get("ETag") ?? "", `"a", ${etag}`, "*"]) {
      const again = await service.request(path, { headers: { "If-None-Match": tag } });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
      for (const name of ["ETag", "Cache-Control", "Vary"]) {
        expect(again.headers.get(name)).toBe(first.headers.get(name));
      }
    }
  },
);

test("an alias that is 304 still gives the address of the document", { tags: ["A1", "H7"] }, async () => {
  const first = await service.request("/v1/collections/S2L2A");
  const again = await service.request("/v1/collections/S2L2A", {
    headers: { "If-None-Match": first.headers.get("ETag") ?? "" },
  });
  expect(again.status).toBe(304);
  expect(again.headers.get("Content-Location")).toBe("http://service.test/v1/collections/sentinel-2-l2a");
});

test("pages of items are compressed, images are not", { tags: ["H9"] }, async () => {
  const page = await service.get("/v1/search?limit=30", { "Accept-Encoding": "gzip, br" });
  expect(page.headers.get("Content-Encoding")).toBe("br");
  expect(page.headers.get("Vary")).toBe("Accept-Encoding, Origin, X-API-Key, Authorization");
  const image = await service.get(`${S2_ITEM}/preview.png?max_size=64`, { "Accept-Encoding": "gzip, br" });
  expect(image.headers.get("Content-Encoding")).toBeNull();
});

test.each(["/v1/collections", "/v1/schema", S2_ITEM])(
  "%s compressed has no length of its own, a weak ETag, and the same content",
  { tags: ["H9"] },
  async (path) => {
    const plain = await service.request(path);
    const packed = await service.request(path, { headers: { "Accept-Encoding": "gzip" } });
    expect(packed.headers.get("Content-Encoding")).toBe("gzip");
    expect(packed.headers.get("Content-Length")).toBeNull();
    expect(packed.headers.get("ETag")).toBe(`W/${plain.headers.get("ETag")}`);
    expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(await plain.text());
  },
);

test("a range beyond the end of a file is 416 and says how long the file is", { tags: ["H12"] }, async () => {
  const { assets } = await json<{ assets: Record<string, { href: string }> }>(service.request(S2_ITEM));
  const file = path(assets.B01?.href ?? "");
  const size = (await service.request(file, { method: "HEAD" })).headers.get("Content-Length");
  const beyond = await service.request(file, { headers: { Range: `bytes=${size}-` } });
  expect(beyond.headers.get("Content-Range")).toBe(`bytes */${size}`);
  expect(await problemOf(beyond)).toMatchObject({ status: 416, code: "range-not-satisfiable" });
});

test("a trailing slash is no other address, and nothing is redirected", { tags: ["H14"] }, async () => {
  for (const path of ["/v1/", "/v1/collections/", "/v1/presets/ndvi/"]) {
    expect((await service.request(path)).status).toBe(200);
  }
});

test("an Accept that cannot be met is overlooked", { tags: ["H15"] }, async () => {
  const response = await service.request("/v1/collections", { headers: { Accept: "text/csv" } });
  expect(response.headers.get("Content-Type")).toBe("application/json");
});

test("links begin with the public address where one is set", { tags: ["L1"] }, async () => {
  const behind = await testService({ http: { publicUrl: "https://api.example/base" } });
  const page = await json<{ links: { href: string }[] }>(behind.request("/v1"));
  for (const { href } of page.links) expect(href).toMatch(/^https:\/\/api\.example\/base\//);
});

test.each(Object.entries(PROBLEMS).filter(([, kind]) => !("fullOnly" in kind)))(
  "the page of %s says what it is and what to do",
  { tags: ["P2", "P12"] },
  async (code, { status, title }) => {
    const response = await service.request(`/problems/${code}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const html = await response.text();
    for (const text of [`<h1>${title}</h1>`, String(status), "What to do"]) expect(html).toContain(text);
  },
);

test("health is ok while all parts answer, and degraded but 200 when the catalog does not", {
  tags: ["Q1"],
}, async () => {
  const well = await json<Record<string, unknown>>(service.request("/v1/health"));
  expect(well).toEqual({
    status: "ok",
    version: "0.0.0",
    renderVersion: String(RENDER_VERSION),
    time: "2026-06-16T12:00:00.000Z",
    checks: { catalog: "ok", renderer: "ok", store: "ok" },
  });
  const { catalog } = await sandboxServices();
  const ping = async (): Promise<void> => {
    throw new CatalogError("unavailable", "It is down.");
  };
  const ill = await testService({ catalog: { ...catalog, ping } });
  const response = await ill.request("/v1/health");
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    status: "degraded",
    checks: { catalog: "unavailable", renderer: "ok", store: "ok" },
  });
});

test("an unexpected failure is 500 and keeps its words to itself", { tags: ["P5", "E2"] }, async () => {
  const { catalog } = await sandboxServices();
  const search = async (): Promise<never> => {
    throw new Error("the secret cause");
  };
  const broken = await testService({ catalog: { ...catalog, search } });
  const response = await broken.get("/v1/search");
  const text = await response.clone().text();
  expect(await problemOf(response)).toMatchObject({ status: 500, code: "internal" });
  expect(text).not.toContain("secret");
  expect(response.headers.get("Cache-Control")).toBe("no-store");
});

test("an upstream that asks to wait is 503 with its seconds in the header and the document", {
  tags: ["P9", "E1"],
}, async () => {
  const { catalog } = await sandboxServices();
  const search = async (): Promise<never> => {
    throw new CatalogError("unavailable", "It is busy.", { retryAfter: 17 });
  };
  const busy = await testService({ catalog: { ...catalog, search } });
  const response = await busy.get("/v1/search");
  expect(response.headers.get("Retry-After")).toBe("17");
  expect(await problemOf(response)).toMatchObject({ status: 503, code: "upstream-unavailable", retryAfter: 17 });
});

test.each([9999, 10_000, 120_000])(
  "of %i matches the number is given only below 10,000",
  { tags: ["N2"] },
  async (numberMatched) => {
    const { catalog } = await sandboxServices();
    const many = await testService({ catalog: { ...catalog, search: async () => ({ items: [], numberMatched }) } });
    const page = await json<{ numberMatched?: number }>(many.get("/v1/search"));
    expect(page.numberMatched).toBe(numberMatched < 10_000 ? numberMatched : undefined);
  },
);

test.each([
  { path: `${S2_ITEM}/preview.png?max_size=64`, headers: {}, status: 200 },
  { path: "/v1/search?limit=1", headers: {}, status: 200 },
  { path: "/v1/search?limit=1", headers: { "X-API-Key": "wrong" }, status: 401 },
  { path: "/v1/search?limit=none", headers: {}, status: 400 },
  { path: "/v1/process/jobs/none", headers: {}, status: 404 },
  { path: "/legacy/stac/search?limit=1", headers: {}, status: 200 },
])("an answer that depends on a credential says so to caches: $path, $status", async ({ path, headers, status }) => {
  const response = await service.get(path, headers);
  const vary = response.headers.get("Vary") ?? "";
  expect(response.status).toBe(status);
  expect(vary.split(", ")).toEqual(expect.arrayContaining(["X-API-Key", "Authorization"]));
  const etag = response.headers.get("ETag");
  if (etag === null) return;
  const again = await service.get(path, { "If-None-Match": etag });
  expect([again.status, again.headers.get("Vary")]).toEqual([304, vary]);
});

test("a document for everybody does not depend on a credential", async () => {
  expect((await service.get("/v1/collections")).headers.get("Vary")).toBe("Accept-Encoding, Origin");
});

test("browsers may read where an answer is from, which part it is, and how it is called", async () => {
  const exposed = (await service.get("/v1")).headers.get("Access-Control-Expose-Headers")?.split(", ");
  expect(exposed).toEqual(expect.arrayContaining(["Content-Disposition", "Content-Range", "Accept-Ranges"]));
});

test("only reads of an address without anything behind it are cached", async () => {
  const cacheControl = async (response: Promise<Response>) => [
    (await response).status,
    (await response).headers.get("Cache-Control"),
  ];
  expect(await cacheControl(service.get("/v1/nothing"))).toEqual([404, "max-age=60"]);
  expect(await cacheControl(service.request("/v1/nothing", { method: "HEAD" }))).toEqual([404, "max-age=60"]);
  expect(await cacheControl(service.post("/v1/nothing", {}))).toEqual([404, "no-store"]);
  expect(await cacheControl(service.get("/v1/process/jobs/none"))).toEqual([404, "no-store"]);
});

test("a problem names its address as it was sent, percent-encoded", async () => {
  const instanceOf = async (path: string) =>
    ((await (await service.get(path)).json()) as { instance: string }).instance;
  expect(await instanceOf("/v1/collections/a%20b%22%C3%A9?x=1")).toBe("/v1/collections/a%20b%22%C3%A9");
  expect(await instanceOf("/v1/nothing%2Fat%25all")).toBe("/v1/nothing%2Fat%25all");
  expect(await instanceOf("/v1/a|b[c]^d{e}%zz%")).toBe("/v1/a%7Cb%5Bc%5D%5Ed%7Be%7D%25zz%25");
});

test("a parameter that is sent twice is named, and it alone", async () => {
  const response = await service.get("/v1/search?limit=1&limit=2&ids=a&ids=b&ids=c&bbox=1");
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "invalid-parameter",
    errors: [
      { pointer: "limit", detail: "Sent 2 times: send it once, comma-separated where it takes several values." },
      { pointer: "ids", detail: "Sent 3 times: send it once, comma-separated where it takes several values." },
    ],
  });
});
