import { expect, test } from "vitest";
import { createStacHandler, syntheticItems, type UpstreamItem } from "../../src/index.ts";

const baseUrl = "http://upstream.test/v1";
const items = syntheticItems(400, 3);
const handler = createStacHandler({ baseUrl, items });

interface Page {
  readonly features: UpstreamItem[];
  readonly numberMatched: number;
  readonly numberReturned: number;
  readonly context: { limit: number; matched: number; returned: number };
  readonly links: { rel: string; href: string; method?: string; merge?: boolean; body?: Record<string, unknown> }[];
}

async function post(body: unknown): Promise<{ status: number; page: Page }> {
  const response = await handler(new Request(`${baseUrl}/search`, { method: "POST", body: JSON.stringify(body) }));
  return { status: response.status, page: (await response.json()) as Page };
}

async function get(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await handler(new Request(path.startsWith("http") ? path : `${baseUrl}${path}`));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function nextOf(page: Page): Page["links"][number] | undefined {
  return page.links.find(({ rel }) => rel === "next");
}

test("the landing page and the collections answer as the upstream's, and claim no CQL2", async () => {
  const { body } = await get("");
  expect(body).toMatchObject({ type: "Catalog", stac_version: "1.0.0" });
  expect(body.conformsTo).toContain("https://api.stacspec.org/v1.0.0/item-search#query");
  expect(String(body.conformsTo)).not.toContain("filter");
  const list = await get("/collections");
  expect((list.body.collections as { id: string }[]).map(({ id }) => id)).toEqual([
    "landsat-c2-l2",
    "sentinel-2-c1-l2a",
  ]);
  expect((await get("/collections/landsat-c2-l2")).body).toMatchObject({ type: "Collection", id: "landsat-c2-l2" });
  expect(await get("/collections/foo")).toEqual({ status: 404, body: { code: "NotFound", description: "Not Found" } });
});

test("walking POST pages gives every item once, newest first, and ends with an empty page without a next link", async () => {
  const seen: string[] = [];
  let body: Record<string, unknown> = { collections: ["sentinel-2-c1-l2a"], limit: 50 };
  let pages = 0;
  for (;;) {
    const { page } = await post(body);
    pages++;
    const next = nextOf(page);
    const matched = items.filter(({ collection }) => collection === "sentinel-2-c1-l2a").length;
    expect(page).toMatchObject({
      numberMatched: matched,
      context: { matched, limit: 50 },
      numberReturned: page.features.length,
    });
    if (page.features.length === 0) {
      expect(next).toBeUndefined();
      break;
    }
    const last = page.features.at(-1)!;
    expect(next).toMatchObject({
      method: "POST",
      merge: false,
      body: { ...body, next: `${last.properties.datetime},${last.id},${last.collection}` },
    });
    seen.push(...page.features.map(({ id, properties }) => `${properties.datetime} ${id}`));
    body = next!.body!;
  }
  expect(pages).toBe(Math.ceil(seen.length / 50) + 1);
  expect(seen).toEqual([...new Set(seen)].sort().reverse());
});

test("GET pages link to GET pages", async () => {
  const first = (await get("/search?limit=300&collections=landsat-c2-l2,sentinel-2-c1-l2a")).body as unknown as Page;
  const second = (await get(nextOf(first)!.href)).body as unknown as Page;
  const third = (await get(nextOf(second)!.href)).body as unknown as Page;
  expect([first, second, third].map(({ features }) => features.length)).toEqual([300, 100, 0]);
  expect(nextOf(third)).toBeUndefined();
});

test("a sort of its own makes tokens of its values joined by commas", async () => {
  const sortby = [
    { field: "properties.eo:cloud_cover", direction: "asc" },
    { field: "id", direction: "desc" },
  ];
  const { page } = await post({ sortby, limit: 5 });
  const last = page.features.at(-1)!;
  expect(nextOf(page)?.body?.next).toBe(`${last.properties["eo:cloud_cover"]},${last.id}`);
  const covers = page.features.map(({ properties }) => properties["eo:cloud_cover"] as number);
  const { page: after } = await post(nextOf(page)!.body);
  expect([...covers, ...after.features.map(({ properties }) => properties["eo:cloud_cover"] as number)]).toEqual(
    items
      .map(({ properties }) => properties["eo:cloud_cover"] as number)
      .sort((a, b) => a - b)
      .slice(0, 10),
  );
});

test("a box across the antimeridian finds items on both sides of it", async () => {
  const { page } = await post({ bbox: [179, -90, -179, 90], limit: 400 });
  const crossing = items.filter(({ bbox }) => bbox[0]! > bbox[2]!).map(({ id }) => id);
  expect(crossing.length).toBeGreaterThanOrEqual(5);
  expect(page.features.map(({ id }) => id)).toEqual(expect.arrayContaining(crossing));
  for (const { bbox } of page.features) expect(bbox[0]! > bbox[2]! || bbox[2]! >= 179 || bbox[0]! <= -179).toBe(true);
});

test("ids, datetime, query and intersects narrow a search", async () => {
  const item = items[30]!;
  const [lon, lat] = (item.geometry.coordinates[0] as number[][])[0]!;
  const { datetime } = item.properties;
  const narrow = { ids: [item.id], datetime: `${datetime}/..`, intersects: { type: "Point", coordinates: [lon, lat] } };
  expect((await post(narrow)).page.features.map(({ id }) => id)).toEqual([item.id]);
  expect((await post({ ...narrow, datetime: `../${datetime.replace("000Z", "999Z")}` })).page.numberMatched).toBe(1);
  expect((await post({ ...narrow, query: { platform: { neq: item.properties.platform } } })).page.numberMatched).toBe(
    0,
  );
  const clear = await post({
    query: { "eo:cloud_cover": { lt: 20 }, platform: { in: ["landsat-8", "landsat-9"] } },
    limit: 400,
  });
  expect(clear.page.features.length).toBeGreaterThan(3);
  expect(clear.page.features.every(({ properties }) => (properties["eo:cloud_cover"] as number) < 20)).toBe(true);
});

test("fields give the base set, of the properties only the datetime unless more are named", async () => {
  const { page } = await post({ limit: 1, fields: { include: [], exclude: ["geometry", "assets", "links"] } });
  expect(Object.keys(page.features[0]!).sort()).toEqual([
    "bbox",
    "collection",
    "id",
    "properties",
    "stac_version",
    "type",
  ]);
  expect(Object.keys(page.features[0]!.properties)).toEqual(["datetime"]);
  const more = await post({
    limit: 1,
    fields: { include: ["properties.eo:cloud_cover"], exclude: ["properties.datetime"] },
  });
  expect(Object.keys(more.page.features[0]!.properties)).toEqual(["eo:cloud_cover"]);
});

test.each([
  { body: { bbox: [0, 0, 1] }, status: 400 },
  { body: { bbox: [0, 0, 0, 1, 1, 1] }, status: 502 },
  { body: { limit: 0 }, status: 400 },
  { body: { limit: 10_000 }, status: 502 },
  { body: { datetime: "yesterday" }, status: 400 },
  { body: { datetime: "2024-02-01/2024-01-01" }, status: 400 },
  { body: { intersects: { type: "Circle", coordinates: [] } }, status: 400 },
  { body: { query: { platform: { like: "x" } } }, status: 400 },
  { body: { next: "a,b" }, status: 400 },
  { body: [], status: 400 },
])("$body is answered with $status and a code", async ({ body, status }) => {
  const response = await handler(new Request(`${baseUrl}/search`, { method: "POST", body: JSON.stringify(body) }));
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ code: expect.any(String), description: expect.any(String) });
});

test("a filter is ignored and lost on the next page, as upstream", async () => {
  const { page } = await post({ "filter-lang": "cql2-json", filter: { op: "=", args: [1, 2] }, limit: 2 });
  expect(page.numberMatched).toBe(400);
  expect(Object.keys(nextOf(page)!.body!).sort()).toEqual(["limit", "next"]);
});

test("an answer above the host's limit becomes 502", async () => {
  const small = createStacHandler({ baseUrl, items, maxResponseBytes: 20_000 });
  const ask = (limit: number) => small(new Request(`${baseUrl}/search?limit=${limit}`));
  expect([(await ask(5)).status, (await ask(100)).status]).toEqual([200, 502]);
});
