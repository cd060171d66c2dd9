import { type Catalog, createArchiveCatalog } from "@swath/catalog";
import { MAX_TOKEN_LENGTH } from "@swath/query";
import type { UpstreamItem } from "@swath/sandbox";
import { beforeAll, expect, test } from "vitest";
import { idsOf, json, lightService, linkOf, type Page, path, problemOf } from "../tools/answers.ts";
import { type TestService, testService } from "../tools/harness.ts";

const COUNT = 900;
let service: TestService;
let items: readonly UpstreamItem[];
beforeAll(async () => {
  ({ service, items } = await lightService(COUNT));
});

const found = (query: string): Promise<Page> => json(service.get(`/v1/search?limit=1000&${query}`));
const posted = (body: object): Promise<Page> => json(service.post("/v1/search", { limit: 1000, ...body }));
const text = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
const idsWhere = (keep: (item: UpstreamItem) => boolean): string[] =>
  items
    .filter(keep)
    .map((item) => item.id)
    .sort();

/** Whether the box of an item, which is its footprint here, touches a box; both may cross 180°. */
function touches(item: UpstreamItem, [west, south, east, north]: readonly [number, number, number, number]): boolean {
  const [w = 0, s = 0, e = 0, n = 0] = item.bbox;
  const spans = (a: number, b: number): [number, number][] =>
    a <= b
      ? [[a, b]]
      : [
          [a, 180],
          [-180, b],
        ];
  const meet = spans(w, e).some(([a, b]) => spans(west, east).some(([c, d]) => a <= d && c <= b));
  return meet && s <= north && south <= n;
}

test.each([
  ["a plain box", [0, 10, 40, 50]],
  ["a box across the antimeridian", [170, -60, -170, 70]],
  ["the whole world", [-180, -90, 180, 90]],
  ["a point", [178, 0, 178, 0]],
] as const)(
  "%s finds exactly the items that touch it, by GET with four and six numbers and by POST",
  { tags: ["S6", "S7"] },
  async (_, box) => {
    const expected = idsWhere((item) => touches(item, box));
    const [west, south, east, north] = box;
    for (const page of [
      await found(`bbox=${box.join(",")}`),
      await found(`bbox=${west},${south},-100,${east},${north},9000`),
      await posted({ bbox: box }),
    ]) {
      expect(idsOf(page).sort()).toEqual(expected);
      expect(page.numberMatched).toBe(expected.length);
    }
  },
);

test("intersects finds what a box does, by GET as JSON text and by POST as an object", { tags: ["S9"] }, async () => {
  const ring = [
    [0, 10],
    [40, 10],
    [40, 50],
    [0, 50],
    [0, 10],
  ];
  const geometry = { type: "Polygon", coordinates: [ring] };
  const expected = idsWhere((item) => touches(item, [0, 10, 40, 50]));
  expect(idsOf(await found(`intersects=${text(geometry)}`)).sort()).toEqual(expected);
  expect(idsOf(await posted({ intersects: geometry })).sort()).toEqual(expected);
  const collection = { type: "GeometryCollection", geometries: [geometry, { type: "Point", coordinates: [100, 0] }] };
  expect(idsOf(await posted({ intersects: collection })).length).toBeGreaterThanOrEqual(expected.length);
});

test("bbox and intersects exclude each other in both forms", { tags: ["S11"] }, async () => {
  const point = { type: "Point", coordinates: [1, 2] };
  expect(await problemOf(await service.get(`/v1/search?bbox=1,2,3,4&intersects=${text(point)}`))).toMatchObject({
    code: "invalid-parameter",
  });
  expect(await problemOf(await service.post("/v1/search", { bbox: [1, 2, 3, 4], intersects: point }))).toMatchObject({
    code: "invalid-body",
  });
});

test.each([
  ["2019-06-01/2020-05-31", (t: string) => t >= "2019-06-01" && t < "2020-06-01"],
  ["2019-06-01T00:00:00Z/..", (t: string) => t >= "2019-06-01"],
  ["../2019-06-01T00:00:00Z", (t: string) => t <= "2019-06-01"],
  ["/2019-06-01T00:00:00Z", (t: string) => t <= "2019-06-01"],
] as const)(
  "datetime=%s is inclusive and open where it says so, by GET and POST",
  { tags: ["S12"] },
  async (datetime, keep) => {
    const expected = idsWhere((item) => keep(String(item.properties.datetime)));
    expect(idsOf(await found(`datetime=${datetime}`)).sort()).toEqual(expected);
    expect(idsOf(await posted({ datetime })).sort()).toEqual(expected);
  },
);

test("a date alone is the whole day, and an instant is that instant", { tags: ["S13"] }, async () => {
  const { datetime } = items[0]?.properties ?? {};
  const day = String(datetime).slice(0, 10);
  const sameDay = idsWhere((item) => String(item.properties.datetime).startsWith(day));
  expect(idsOf(await found(`datetime=${day}`)).sort()).toEqual(sameDay);
  expect(idsOf(await found(`datetime=${datetime}`))).toContain(items[0]?.id);
});

test("a search without collections is over all live ones, and newest first", { tags: ["S3", "S22"] }, async () => {
  const page = await found("");
  expect(idsOf(page).sort()).toEqual(idsWhere(() => true));
  expect(new Set(page.features.map((feature) => feature.collection))).toEqual(
    new Set(["sentinel-2-l2a", "landsat-ot-l2"]),
  );
  const keys = page.features.map(({ id, properties }) => `${properties.datetime} ${id}`);
  for (const [i, key] of keys.slice(1).entries()) {
    const [time = "", id = ""] = key.split(" ");
    const [before = "", idBefore = ""] = (keys[i] ?? "").split(" ");
    expect(time < before || (time === before && id > idBefore), `${keys[i]} before ${key}`).toBe(true);
  }
});

test("a search of Landsat gives Landsat 8 and 9 only", { tags: ["I16", "S27"] }, async () => {
  const platforms = (await found("collections=landsat-ot-l2")).features.map(({ properties }) => properties.platform);
  expect(new Set(platforms)).toEqual(new Set(["landsat-8", "landsat-9"]));
  expect((await posted({ query: { platform: { eq: "landsat-7" } } })).features).toEqual([]);
});

test.each(["S2L2A", "sentinel-2-c1-l2a", "SENTINEL2_L2A", "COPERNICUS/S2_SR_HARMONIZED"])(
  "the alias %s searches Sentinel-2",
  { tags: ["A4", "S2"] },
  async (alias) => {
    const page = await found(`collections=${encodeURIComponent(alias)}`);
    expect(idsOf(page)).toEqual(idsOf(await posted({ collections: [alias] })));
    expect(idsOf(page)).toEqual(idsOf(await found("collections=sentinel-2-l2a")));
  },
);

test("an alias with a restriction restricts a search, and does not where the collection is named too", {
  tags: ["A5"],
}, async () => {
  const only9 = idsWhere((item) => item.properties.platform === "landsat-9");
  expect(idsOf(await found("collections=ls9_sr")).sort()).toEqual(only9);
  expect(idsOf(await found("collections=ls9_sr,ls8_sr")).sort()).toEqual(
    idsOf(await found("collections=LOTL2")).sort(),
  );
  expect(idsOf(await posted({ collections: ["ls9_sr", "landsat-ot-l2"] })).length).toBeGreaterThan(only9.length);
  const both = idsOf(await posted({ collections: ["ls9_sr", "S2L2A"] })).sort();
  expect(both).toEqual(idsWhere((item) => /landsat-9|sentinel/.test(String(item.properties.platform))));
  const tier1 = await posted({ collections: ["LANDSAT/LC09/C02/T1_L2"] });
  for (const { properties } of tier1.features) {
    expect(properties).toMatchObject({ platform: "landsat-9", "landsat:collection_category": "T1" });
  }
});

test("all conditions are joined by AND: ids with a box elsewhere find nothing", { tags: ["N6", "S5"] }, async () => {
  const [first, second] = items as [UpstreamItem, UpstreamItem];
  expect(idsOf(await found(`ids=${first.id},${second.id}`)).sort()).toEqual([first.id, second.id].sort());
  const [west = 0, south = 0] = first.bbox;
  const elsewhere = [west > 0 ? -100 : 100, south, west > 0 ? -99 : 101, south + 1];
  const nothing = await posted({ ids: [first.id], bbox: elsewhere });
  expect(nothing).toMatchObject({ features: [], numberMatched: 0, numberReturned: 0 });
  expect(linkOf(nothing, "next")).toBeUndefined();
});

test("query filters by property, by GET as JSON text and by POST as an object", { tags: ["S18"] }, async () => {
  const query = { "eo:cloud_cover": { lte: 20 }, platform: { startsWith: "sentinel" } };
  const expected = idsWhere(
    ({ properties }) =>
      Number(properties["eo:cloud_cover"]) <= 20 && String(properties.platform).startsWith("sentinel"),
  );
  expect(idsOf(await found(`query=${text(query)}`)).sort()).toEqual(expected);
  expect(idsOf(await posted({ query })).sort()).toEqual(expected);
});

test.each([
  ["a plus", "%2Bproperties.eo:cloud_cover"],
  ["a plus that arrived as a space", "+properties.eo:cloud_cover"],
  ["no sign", "eo:cloud_cover"],
])("sortby with %s is ascending, ties by id", { tags: ["S20"] }, async (_, sortby) => {
  const page = await found(`sortby=${sortby}`);
  const covers = page.features.map(({ properties }) => Number(properties["eo:cloud_cover"]));
  expect(covers).toEqual([...covers].sort((a, b) => a - b));
  const body = { sortby: [{ field: "properties.eo:cloud_cover", direction: "asc" }] };
  expect(idsOf(await posted(body))).toEqual(idsOf(page));
});

test("sortby with several fields holds them in order", { tags: ["S20"] }, async () => {
  const page = await found("sortby=-collection,-properties.datetime");
  expect(idsOf(page)).toEqual(
    idsOf(
      await posted({
        sortby: [
          { field: "collection", direction: "desc" },
          { field: "datetime", direction: "desc" },
        ],
      }),
    ),
  );
  const names = page.features.map((feature) => feature.collection);
  expect(names).toEqual([...names].sort().reverse());
});

test("a page has ten items by default, and a limit over 1,000 is taken as 1,000", {
  tags: ["N1", "N3", "S15"],
}, async () => {
  expect((await json<Page>(service.get("/v1/search"))).features).toHaveLength(10);
  expect((await json<Page>(service.post("/v1/search", {}))).features).toHaveLength(10);
  for (const limit of ["1001", "10000", "1000000"]) {
    expect((await json<Page>(service.get(`/v1/search?limit=${limit}`))).numberReturned).toBe(items.length);
  }
  expect((await json<Page>(service.post("/v1/search", { limit: 100_000 }))).numberReturned).toBe(items.length);
});

test.each([
  ["fields=", ["assets", "bbox", "collection", "geometry", "id", "links", "properties", "stac_version", "type"]],
  ["fields=-geometry", ["assets", "bbox", "collection", "id", "links", "properties", "stac_version", "type"]],
  ["fields=id,geometry", ["collection", "geometry", "id", "stac_version", "type"]],
  ["fields=%2Bid,properties.datetime", ["collection", "id", "properties", "stac_version", "type"]],
])("GET %s shows the members %j", { tags: ["S23", "S24"] }, async (fields, members) => {
  const page = await json<Page>(service.get(`/v1/search?limit=1&${fields}`));
  expect(Object.keys(page.features[0] ?? {}).sort()).toEqual(members);
});

test("POST fields with a lone exclude takes it from the whole item, with include shows those alone", {
  tags: ["S23"],
}, async () => {
  const [whole] = (await posted({ limit: 1 })).features;
  const [without] = (await posted({ limit: 1, fields: { exclude: ["geometry"] } })).features;
  const { geometry: _, ...rest } = whole ?? { geometry: undefined };
  expect(without).toEqual(rest);
  const [only] = (await posted({ limit: 1, fields: { include: ["id", "properties.platform"] } })).features;
  expect(only?.properties).toEqual({ platform: whole?.properties.platform });
});

test("the items of a collection are those that a search of it finds, with links above", {
  tags: ["N4", "O1", "O2"],
}, async () => {
  const listed: Page = await json(service.get("/v1/collections/landsat-ot-l2/items?limit=50&datetime=2018-01-01/.."));
  expect(idsOf(listed)).toEqual(
    idsOf(await posted({ collections: ["landsat-ot-l2"], limit: 50, datetime: "2018-01-01/.." })),
  );
  expect(listed.links.map((link) => link.rel)).toEqual(["self", "root", "collection", "parent", "next"]);
  expect(linkOf(listed, "collection")?.href).toBe("http://service.test/v1/collections/landsat-ot-l2");
});

test("the items route takes its own collection or an alias of it as a parameter too", { tags: ["O3"] }, async () => {
  for (const name of ["sentinel-2-l2a", "S2L2A"]) {
    const page: Page = await json(service.get(`/v1/collections/sentinel-2-l2a/items?limit=3&collections=${name}`));
    expect(page.numberReturned).toBe(3);
  }
});

test("an alias on the items route lists the collection, restricted where the alias is", { tags: ["A6"] }, async () => {
  const all = await service.get("/v1/collections/LOTL2/items?limit=3");
  expect(all.headers.get("Content-Location")).toBe("http://service.test/v1/collections/landsat-ot-l2/items?limit=3");
  const eight = await service.get("/v1/collections/ls8_sr/items?limit=1000");
  expect(eight.headers.get("Content-Location")).toBeNull();
  const page = await json<Page>(eight);
  expect(idsOf(page).sort()).toEqual(idsWhere((item) => item.properties.platform === "landsat-8"));
});

test("an alias on the path of an item leads to it, unless the alias excludes it", { tags: ["A7"] }, async () => {
  const nine = items.find((item) => item.properties.platform === "landsat-9")?.id ?? "";
  const by = (name: string): Promise<Response> => service.request(`/v1/collections/${name}/items/${nine}`);
  const canonical = await by("landsat-ot-l2");
  expect(canonical.headers.get("Content-Location")).toBeNull();
  const aliased = await by("ls9_sr");
  expect(aliased.headers.get("Content-Location")).toBe(
    `http://service.test/v1/collections/landsat-ot-l2/items/${nine}`,
  );
  expect(await aliased.json()).toEqual(await canonical.json());
  expect(await problemOf(await by("ls8_sr"))).toMatchObject({ status: 404, code: "not-found" });
});

test("next and prev carry every parameter of a GET request", { tags: ["N5", "S29"] }, async () => {
  const asked = `/v1/search?collections=S2L2A&datetime=2017-01-01T00:00:00Z/..&limit=5&sortby=%2Bproperties.eo:cloud_cover&query=${text({ "eo:cloud_cover": { gte: 1 } })}&fields=id,properties.datetime`;
  const first: Page = await json(service.get(asked));
  const next = linkOf(first, "next");
  expect(next).toMatchObject({ method: "GET", type: "application/geo+json" });
  const url = new URL(next?.href ?? "");
  const before = new URL(`http://service.test${asked}`);
  for (const [name, value] of before.searchParams) expect(url.searchParams.get(name)).toBe(value);
  expect([...url.searchParams.keys()].sort()).toEqual([...before.searchParams.keys(), "token"].sort());
  const second: Page = await json(service.get(path(next?.href ?? "")));
  const back: Page = await json(service.get(path(linkOf(second, "prev")?.href ?? "")));
  expect(idsOf(back)).toEqual(idsOf(first));
  expect(linkOf(first, "prev")).toBeUndefined();
  expect(linkOf(first, "self")?.href).toBe(`http://service.test${asked}`);
});

test("next and prev of a POST are a token to merge into the request", { tags: ["L3", "S30"] }, async () => {
  const body = { collections: ["S2L2A"], limit: 5 };
  const first: Page = await json(service.post("/v1/search", body));
  const next = linkOf(first, "next");
  expect(next).toEqual({
    rel: "next",
    type: "application/geo+json",
    title: "Next page",
    method: "POST",
    href: "http://service.test/v1/search",
    body: { token: expect.stringMatching(/^[A-Za-z0-9_-]+$/) as string },
    merge: true,
  });
  const second: Page = await json(service.post("/v1/search", { ...body, ...next?.body }));
  expect(linkOf(second, "prev")).toMatchObject({ method: "POST", merge: true });
  const back: Page = await json(service.post("/v1/search", { ...body, ...linkOf(second, "prev")?.body }));
  expect(idsOf(back)).toEqual(idsOf(first));
});

test.each([{ token: "nonsense" }, { token: "" }, { token: 1 }])(
  "a bad token in a body is invalid-body: %j",
  async (sent) => {
    const problem = await problemOf(await service.post("/v1/search", { limit: 5, ...sent }));
    expect(problem).toMatchObject({ status: 400, code: "invalid-body", errors: [{ pointer: "/token" }] });
    expect(problem.errors).toHaveLength(1);
  },
);

test("a token of a search with another filter is invalid-body in a body", async () => {
  const first = await json<Page>(service.post("/v1/search", { limit: 2 }));
  const { token } = linkOf(first, "next")?.body ?? {};
  const problem = await problemOf(await service.post("/v1/search", { limit: 2, datetime: "2020-01-01/..", token }));
  expect(problem).toMatchObject({ status: 400, code: "invalid-body", errors: [{ pointer: "/token" }] });
});

test("a token with another filter is refused, with another limit it goes on", { tags: ["S31"] }, async () => {
  const first: Page = await json(service.get("/v1/search?limit=5"));
  const token = new URL(linkOf(first, "next")?.href ?? "").searchParams.get("token");
  const other = await problemOf(await service.get(`/v1/search?limit=5&datetime=2020-01-01/..&token=${token}`));
  expect(other).toMatchObject({ status: 400, code: "invalid-parameter", errors: [{ pointer: "token" }] });
  expect((await json<Page>(service.get(`/v1/search?limit=7&token=${token}`))).numberReturned).toBe(7);
});

test("the longest token that is signed is taken again, by both methods; one that is too long is a fault of upstream", async () => {
  const longest = "x".repeat(MAX_TOKEN_LENGTH - 22);
  let next = longest;
  const asked: (string | undefined)[] = [];
  const catalog: Catalog = {
    ...createArchiveCatalog({ items: [] }),
    search: async ({ token }) => {
      asked.push(token);
      return { items: [], next };
    },
  };
  const paged = await testService({ catalog });
  const first = await json<Page>(paged.get("/v1/search"));
  expect((await paged.get(path(linkOf(first, "next")?.href ?? ""))).status).toBe(200);
  const posted = await json<Page>(paged.post("/v1/search", {}));
  expect((await paged.post("/v1/search", { ...linkOf(posted, "next")?.body })).status).toBe(200);
  expect(asked).toEqual([undefined, longest, undefined, longest]);
  next = `${longest}x`;
  expect(await problemOf(await paged.get("/v1/search"))).toMatchObject({ status: 503, code: "upstream-unavailable" });
});
