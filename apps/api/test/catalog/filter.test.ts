import {
  CQL2_CONFORMANCE,
  FILTER_QUERYABLES,
  matchesFilter,
  parseCql2Text,
  QUERYABLES,
  toCql2Json,
} from "@swath/query";
import { expect, test } from "vitest";
import { FULL, LEAN, testService } from "../tools/harness.ts";

const { get, post } = await testService({}, { profile: FULL });
const queryables = { ...FILTER_QUERYABLES, ...QUERYABLES, ...FULL.registry.queryables() };
const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";

interface Feature {
  readonly id: string;
  readonly collection: string;
  readonly properties: Record<string, unknown>;
  readonly geometry: unknown;
}

async function found(response: Response): Promise<Feature[]> {
  const body = await response.json();
  expect([response.status, body.detail]).toEqual([200, undefined]);
  return body.features;
}
const ids = (features: readonly Feature[]): string[] => features.map(({ id }) => id);
const all = await found(await get("/v1/search?limit=1000"));

test.each([
  "eo:cloud_cover < 5",
  '"eo:cloud_cover" < 5',
  "properties.eo:cloud_cover < 20 AND platform LIKE 'sentinel%'",
  "NOT (eo:cloud_cover >= 20 OR collection = 'landsat-ot-l2')",
  "platform IN ('landsat-8', 'sentinel-2a')",
  "datetime > TIMESTAMP('2026-03-01T00:00:00Z')",
  "T_DURING(datetime, INTERVAL('2026-04-01T00:00:00Z', '2026-06-10T00:00:00Z'))",
  "S_INTERSECTS(geometry, BBOX(13.3, 45.2, 13.5, 45.4))",
  "eo:cloud_cover BETWEEN 5 AND 40 AND NOT landsat:wrs_path IS NULL",
  "CASEI(platform) = CASEI('LANDSAT-8')",
  "eo:cloud_cover * 2 < 30",
])("GET, GET with JSON, POST and the items route find what %s matches", async (text) => {
  const filter = parseCql2Text(text, { queryables });
  const expected = ids(all.filter((item) => matchesFilter(filter, item as never)));
  expect(expected.length).toBeGreaterThan(0);
  expect(expected.length).toBeLessThan(all.length);
  const query = encodeURIComponent(text);
  const json = toCql2Json(filter);
  expect(ids(await found(await get(`/v1/search?limit=1000&filter=${query}`)))).toEqual(expected);
  const asJson = encodeURIComponent(JSON.stringify(json));
  expect(ids(await found(await get(`/v1/search?limit=1000&filter-lang=cql2-json&filter=${asJson}`)))).toEqual(expected);
  expect(ids(await found(await post("/v1/search", { limit: 1000, filter: json, "filter-crs": CRS84 })))).toEqual(
    expected,
  );
  for (const collection of ["sentinel-2-l2a", "landsat-ot-l2"]) {
    const items = await found(await get(`/v1/collections/${collection}/items?limit=1000&filter=${query}`));
    const own = all.filter((item) => item.collection === collection).map(({ id }) => id);
    expect(ids(items)).toEqual(expected.filter((id) => own.includes(id)));
  }
});

test("a filter is joined by AND to all other conditions, and its pages follow each other", async () => {
  const query = encodeURIComponent(JSON.stringify({ platform: { startsWith: "sentinel" } }));
  const filter = "filter=eo:cloud_cover%20%3C%2060";
  const whole = ids(await found(await get(`/v1/search?limit=1000&query=${query}&${filter}`)));
  expect(whole.length).toBeGreaterThan(4);
  const paged: string[] = [];
  let next: string | undefined = `/v1/search?limit=3&query=${query}&${filter}`;
  while (next !== undefined) {
    const page: { features: Feature[]; links: { rel: string; href: string }[] } = await (await get(next)).json();
    paged.push(...ids(page.features));
    next = page.links.find(({ rel }) => rel === "next")?.href.replace("http://service.test", "");
  }
  expect(paged).toEqual(whole);
});

test.each([
  ["filter=eo:cloud_cover%20%3C", "filter", /character \d+/],
  ["filter=eo:cloud_cove%20%3C%205", "filter", /eo:cloud_cover/],
  ["filter=eo:cloud_cover%20%3D%20'a'", "filter", /./],
  ["filter=1%3D1&filter-lang=ecql", "filter-lang", /cql2-text or cql2-json/],
  ["filter-crs=EPSG:4326", "filter-crs", /CRS84/],
])("GET with %s is 400 invalid-filter at %s", async (query, pointer, detail) => {
  const response = await get(`/v1/search?${query}`);
  const body = await response.json();
  expect([response.status, body.code, body.errors[0].pointer]).toEqual([400, "invalid-filter", pointer]);
  expect(body.detail).toMatch(detail);
});

test.each([
  [{ filter: "eo:cloud_cover < 5" }, /^\/filter/],
  [{ filter: { op: "=", args: [{ property: "nope" }, 1] } }, /^\/filter\/args\/0/],
  [{ filter: { op: "=", args: [1, 1] }, "filter-lang": "cql2-text" }, /^\/filter-lang$/],
  [{ filter: null }, /^\/filter$/],
])("POST with %j is 400 invalid-filter at its member", async (body, pointer) => {
  const response = await post("/v1/search", body);
  const problem = await response.json();
  expect([response.status, problem.code]).toEqual([400, "invalid-filter"]);
  expect(problem.errors[0].pointer).toMatch(pointer);
});

test("the landing page claims the filter classes, each of which its package fulfils; lean claims and takes none", async () => {
  const classes: string[] = (await (await get("/v1")).json()).conformsTo;
  for (const each of CQL2_CONFORMANCE) expect(classes).toContain(each);
  expect(classes).toContain("https://api.stacspec.org/v1.0.0/item-search#filter");
  expect((await (await get("/v1/conformance")).json()).conformsTo).toEqual(classes);
  const lean = await testService({}, { profile: LEAN });
  const own: string[] = (await (await lean.get("/v1")).json()).conformsTo;
  expect(own.filter((each) => /filter|cql2|queryables/.test(each))).toEqual([]);
  expect((await lean.get("/v1/search?filter=1%3D1")).status).toBe(400);
});
