import { beforeAll, expect, test } from "vitest";
import { type TestService, testService } from "../tools/harness.ts";

interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
  readonly method?: string;
  readonly body?: Record<string, unknown>;
  readonly merge?: boolean;
}
interface Page {
  readonly features: readonly { readonly id: string; readonly collection: string; readonly links: readonly Link[] }[];
  readonly links: readonly Link[];
  readonly numberMatched?: number;
  readonly numberReturned: number;
}

/** The classes of lean v1, written down from the specification: a change of the service must be a change here too. */
const CONFORMANCE = [
  "https://api.stacspec.org/v1.0.0-rc.1/collection-search",
  "https://api.stacspec.org/v1.0.0-rc.1/collection-search#free-text",
  "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/simple-query",
  "https://api.stacspec.org/v1.0.0/core",
  "https://api.stacspec.org/v1.0.0/collections",
  "https://api.stacspec.org/v1.0.0/ogcapi-features",
  "https://api.stacspec.org/v1.0.0/item-search",
  "https://api.stacspec.org/v1.0.0/item-search#fields",
  "https://api.stacspec.org/v1.0.0/item-search#sort",
  "https://api.stacspec.org/v1.1.0/item-search#sort",
  "https://api.stacspec.org/v1.0.0/item-search#query",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#fields",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#sort",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#query",
  "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
  "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
];

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

const json = async <T>(response: Response | Promise<Response>): Promise<T> => (await (await response).json()) as T;
const path = (href: string): string => href.replace("http://service.test", "");

test("the landing page links everything a client starts from", { tags: ["L1", "L2", "D1", "D2"] }, async () => {
  const response = await service.request("/v1");
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("public, max-age=600");
  const page = await json<{ links: Link[]; conformsTo: string[]; type: string }>(response);
  expect(page.type).toBe("Catalog");
  const rels = page.links.map((link) => link.rel);
  for (const rel of ["self", "root", "conformance", "data", "service-desc", "service-doc", "describedby"]) {
    expect(rels).toContain(rel);
  }
  const searches = page.links.filter((link) => link.rel === "search");
  expect(searches.map((link) => link.method)).toEqual(["GET", "POST"]);
  expect(new Set(searches.map((link) => link.href)).size).toBe(1);
  for (const link of page.links.filter((each) => each.rel !== "search")) {
    const target = await service.request(path(link.href));
    expect([link.href, target.status]).toEqual([link.href, 200]);
    expect(target.headers.get("Content-Type")?.split(/; charset/)[0]).toBe(link.type);
  }
});

test.each(["/v1", "/v1/conformance"])(
  "%s names exactly the conformance classes of lean v1",
  { tags: ["D3", "D4"] },
  async (address) => {
    const { conformsTo } = await json<{ conformsTo: string[] }>(service.request(address));
    expect([...conformsTo].sort()).toEqual([...CONFORMANCE].sort());
  },
);

test("/v1/ is /v1", { tags: ["H14"] }, async () => {
  expect((await service.request("/v1/")).status).toBe(200);
});

test("an alias answers the canonical collection and gives its address", { tags: ["A1"] }, async () => {
  const response = await service.request("/v1/collections/sentinel-2-c1-l2a");
  expect(response.headers.get("Content-Location")).toBe("http://service.test/v1/collections/sentinel-2-l2a");
  expect(await json(response)).toEqual(await json(service.request("/v1/collections/sentinel-2-l2a")));
});

test("following next by GET gives every item once and ends", { tags: ["S28"] }, async () => {
  const all: string[] = [];
  let next: string | undefined = "/v1/search?limit=3&collections=sentinel-2-l2a";
  let matched = 0;
  for (let pages = 0; next !== undefined && pages < 50; pages++) {
    const page: Page = await json(service.get(next));
    matched = page.numberMatched ?? -1;
    all.push(...page.features.map((feature) => feature.id));
    const link = page.links.find((each) => each.rel === "next");
    next = link === undefined ? undefined : path(link.href);
  }
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBe(matched);
});

test("following next by POST keeps the request and gives the same items as by GET", { tags: ["S1"] }, async () => {
  const body = { collections: ["landsat-ot-l2"], limit: 2, query: { "eo:cloud_cover": { lte: 80 } } };
  const all: string[] = [];
  let token: Record<string, unknown> | undefined = {};
  for (let pages = 0; token !== undefined && pages < 50; pages++) {
    const page: Page = await json(service.post("/v1/search", { ...body, ...token }));
    all.push(...page.features.map((feature) => feature.id));
    const link = page.links.find((each) => each.rel === "next");
    if (link !== undefined)
      expect(link).toMatchObject({ method: "POST", merge: true, href: "http://service.test/v1/search" });
    token = link?.body;
  }
  const whole: Page = await json(
    service.get(`/v1/search?collections=LOTL2&limit=1000&query=${encodeURIComponent(JSON.stringify(body.query))}`),
  );
  expect(all).toEqual(whole.features.map((feature) => feature.id));
});

test("prev leads back to the page before", { tags: ["N5"] }, async () => {
  const first: Page = await json(service.get("/v1/search?limit=3"));
  const second: Page = await json(service.get(path(first.links.find((link) => link.rel === "next")?.href ?? "")));
  const back: Page = await json(service.get(path(second.links.find((link) => link.rel === "prev")?.href ?? "")));
  expect(back.features.map((feature) => feature.id)).toEqual(first.features.map((feature) => feature.id));
});

test("an item has its links, its files under this service, and a preview that answers", {
  tags: ["I11", "I13"],
}, async () => {
  const page: Page = await json(service.get("/v1/search?limit=1&collections=sentinel-2-l2a"));
  const id = page.features[0]?.id ?? "";
  const response = await service.request(`/v1/collections/sentinel-2-l2a/items/${id}`);
  expect(response.headers.get("Content-Type")).toBe("application/geo+json");
  const item = await json<{ links: Link[]; assets: Record<string, { href: string }> }>(response);
  expect(item.links.map((link) => link.rel)).toEqual(["self", "root", "parent", "collection", "preview"]);
  const href = item.assets.B04?.href ?? "";
  const part = await service.request(path(href), { headers: { Range: "bytes=0-3" } });
  expect(part.status).toBe(206);
  expect([...new Uint8Array(await part.arrayBuffer())].slice(0, 2)).toEqual([0x49, 0x49]);
  const preview = await service.get(`${path(item.links.at(-1)?.href ?? "")}?max_size=64`);
  expect(preview.headers.get("Content-Type")).toBe("image/png");
});

test("fields omits members that are not requested and keeps what makes an item", { tags: ["S24"] }, async () => {
  const page: Page = await json(service.get("/v1/search?limit=1&fields=id,properties.datetime,-geometry"));
  expect(Object.keys(page.features[0] ?? {}).sort()).toEqual([
    "collection",
    "id",
    "properties",
    "stac_version",
    "type",
  ]);
});

test("a search says what it found as GeoJSON and is cached for a minute", { tags: ["N1", "S32", "H8"] }, async () => {
  const response = await service.get("/v1/search?limit=1");
  expect(response.headers.get("Content-Type")).toBe("application/geo+json");
  expect(response.headers.get("Cache-Control")).toBe("private, max-age=60");
  expect((await service.post("/v1/search", {})).headers.get("Cache-Control")).toBe("no-store");
});

test("a document held already is answered 304 without a body", async () => {
  const first = await service.request("/v1/collections");
  const etag = first.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^"s1\.0\.0-[0-9a-f]{16}"$/);
  const again = await service.request("/v1/collections", { headers: { "If-None-Match": etag } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
  expect(again.headers.get("ETag")).toBe(etag);
});

test("documents over a kilobyte are compressed for those who accept it", { tags: ["H9"] }, async () => {
  const plain = await (await service.request("/v1/schema")).text();
  const response = await service.request("/v1/schema", { headers: { "Accept-Encoding": "gzip" } });
  expect(response.headers.get("Content-Encoding")).toBe("gzip");
  const stream = response.body?.pipeThrough(new DecompressionStream("gzip"));
  expect(await new Response(stream).text()).toBe(plain);
});
