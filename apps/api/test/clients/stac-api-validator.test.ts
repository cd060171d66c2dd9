import { geometriesIntersect } from "@swath/geometry";
import { beforeAll, describe, expect, test } from "vitest";
import { FULL, KEY, LEAN, type TestService, testService } from "../tools/harness.ts";

/*
 * The requests of stac-api-validator for the classes Core, Collections, Features and Item Search and for the
 * extensions fields, sort, query and filter, with what it expects of each answer. It is a Python program whose packages
 * no package manager of this project has, so its checks are written down here; its checks against STAC's schemas are
 * those of stac-node-validator in `collections.test.ts` and `stac.test.ts`.
 */

const GEOJSON = "application/geo+json";
const COLLECTION = "sentinel-2-l2a";
/** The geometry for the validator's `--geometry`: within the archive. */
const GEOMETRY = {
  type: "Polygon",
  coordinates: [
    [
      [13.4, 45.4],
      [14.2, 45.4],
      [14.2, 45.9],
      [13.4, 45.9],
      [13.4, 45.4],
    ],
  ],
} as const;
/** Search requests that an address may send without a key or token in five minutes. */
const ANONYMOUS_SEARCHES = 300;

const square = (x: number, y: number): number[][] => [
  [x, y],
  [x + 1, y],
  [x + 1, y + 1],
  [x, y + 1],
  [x, y],
];
const hole = [
  [100.8, 0.8],
  [100.8, 0.2],
  [100.2, 0.2],
  [100.2, 0.8],
  [100.8, 0.8],
];
const INTERSECTS = [
  { type: "Point", coordinates: [100, 0] },
  {
    type: "LineString",
    coordinates: [
      [100, 0],
      [101, 1],
    ],
  },
  { type: "Polygon", coordinates: [square(100, 0)] },
  { type: "Polygon", coordinates: [square(100, 0), hole] },
  {
    type: "MultiPoint",
    coordinates: [
      [100, 0],
      [101, 1],
    ],
  },
  {
    type: "MultiLineString",
    coordinates: [
      [
        [100, 0],
        [101, 1],
      ],
      [
        [102, 2],
        [103, 3],
      ],
    ],
  },
  { type: "MultiPolygon", coordinates: [[square(102, 2)], [square(100, 0), hole]] },
  {
    type: "GeometryCollection",
    geometries: [
      { type: "Point", coordinates: [100, 0] },
      {
        type: "LineString",
        coordinates: [
          [101, 0],
          [102, 1],
        ],
      },
    ],
  },
];

const VALID_DATETIMES =
  `1985-04-12T23:20:50.52Z 1996-12-19T16:39:57-00:00 1996-12-19T16:39:57+00:00 1996-12-19T16:39:57-08:00
1996-12-19T16:39:57+08:00 ../1985-04-12T23:20:50.52Z 1985-04-12T23:20:50.52Z/.. /1985-04-12T23:20:50.52Z 1985-04-12T23:20:50.52Z/
1985-04-12T23:20:50.52Z/1986-04-12T23:20:50.52Z 1985-04-12T23:20:50.52+01:00/1986-04-12T23:20:50.52+01:00
1985-04-12T23:20:50.52-01:00/1986-04-12T23:20:50.52-01:00 1937-01-01T12:00:27.87+01:00 1937-01-01T12:00:27.8710+01:00
1937-01-01T12:00:27.8+01:00 1937-01-01T12:00:27.8Z 2020-07-23T00:00:00.000+03:00 2020-07-23T00:00:00+03:00 1985-04-12t23:20:50.000z
2020-07-23T00:00:00Z 2020-07-23T00:00:00.0Z 2020-07-23T00:00:00.01Z 2020-07-23T00:00:00.012Z 2020-07-23T00:00:00.0123Z
2020-07-23T00:00:00.01234Z 2020-07-23T00:00:00.012345Z 2020-07-23T00:00:00.0123456Z 2020-07-23T00:00:00.01234567Z
2020-07-23T00:00:00.012345678Z`.split(/\s+/);
const INVALID_DATETIMES =
  `/ ../.. /.. ../ /1984-04-12T23:20:50.52Z/1985-04-12T23:20:50.52Z 1984-04-12T23:20:50.52Z/1985-04-12T23:20:50.52Z/
/1984-04-12T23:20:50.52Z/1985-04-12T23:20:50.52Z/ 1985-04-12 1937-01-01T12:00:27.87+0100 37-01-01T12:00:27.87Z 1985-12-12T23:20:50.52
21985-12-12T23:20:50.52Z 1985-13-12T23:20:50.52Z 1985-12-32T23:20:50.52Z 1985-12-01T25:20:50.52Z 1985-12-01T00:60:50.52Z
1985-12-01T00:06:61.52Z 1985-04-12T23:20:50.Z 1985-04-12T23:20:50,Z 1990-12-31T23:59:61Z 1986-04-12T23:20:50.52Z/1985-04-12T23:20:50.52Z
1985-04-12T23:20:50,52Z`.split(/\s+/);

/** Findings of the validator that this service intends. */
const KNOWN = {
  date: "GET /v1/search datetime=1985-04-12: 200 instead of 400 (a date alone is the whole day)",
  queryables: "the queryables name JSON Schema 2020-12, as OGC API Features Part 3 asks for",
};

interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
  readonly method?: string;
  readonly body?: Record<string, unknown>;
  readonly merge?: boolean;
}
interface Item {
  readonly id: string;
  readonly collection: string;
  readonly bbox: readonly number[];
  readonly geometry: Parameters<typeof geometriesIntersect>[0];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly links: readonly Link[];
}
interface Body {
  readonly links: readonly Link[];
  readonly features: readonly Item[];
  readonly collections: readonly { readonly id: string; readonly links: readonly Link[] }[];
  readonly conformsTo: readonly string[];
  readonly $schema?: string;
  readonly $id?: string;
  readonly type?: string;
}
interface Ask {
  readonly params?: Record<string, string | number>;
  readonly body?: unknown;
  readonly status?: number;
  readonly type?: string;
}

const linkOf = ({ links }: { readonly links: readonly Link[] }, rel: string): Link | undefined =>
  links.find((link) => link.rel === rel);
const pathOf = (href: string): string => href.replace("http://service.test", "");

describe.each([
  ["lean", LEAN],
  ["full", FULL],
] as const)("stac-api-validator against the %s profile", (_, profile) => {
  let service: TestService;
  let landing: Body;
  let searches = 0;
  let failures: string[];

  const fail = (what: string): void => void failures.push(what);

  async function ask(
    method: "GET" | "POST",
    path: string,
    { params, body, status = 200, type }: Ask = {},
  ): Promise<Body | undefined> {
    const query =
      params === undefined
        ? ""
        : `${path.includes("?") ? "&" : "?"}${new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))}`;
    if (/\/(search|items)(\?|$)/.test(path)) searches += 1;
    const response = await service.request(path + query, {
      method,
      headers: { "X-API-Key": KEY, ...(method === "POST" ? { "Content-Type": "application/json" } : {}) },
      ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
    });
    const asked = `${method} ${path} ${JSON.stringify(params ?? body ?? "")}`;
    if (response.status !== status) return void fail(`${asked}: ${response.status} instead of ${status}`);
    if (status >= 400) return undefined;
    const expected = type ?? (/\/(search|items)(\?|$)/.test(path) ? GEOJSON : "application/json");
    const found = response.headers.get("Content-Type")?.split(";")[0];
    if (found !== expected) fail(`${asked}: ${found} instead of ${expected}`);
    return expected.includes("json") ? ((await response.json()) as Body) : undefined;
  }
  /** By GET with parameters and by POST with a body. */
  async function both(
    params: Record<string, string | number>,
    body: unknown,
    status = 200,
  ): Promise<readonly (Body | undefined)[]> {
    return [await ask("GET", "/v1/search", { params, status }), await ask("POST", "/v1/search", { body, status })];
  }
  const supports = (name: string): boolean => landing.conformsTo.some((each) => each.endsWith(name));

  beforeAll(async () => {
    service = await testService({}, { profile });
    failures = [];
    landing = (await ask("GET", "/v1")) as Body;
  });

  /** Runs checks and holds their failures to those that are meant. */
  const check = (name: string, work: () => Promise<void>, known: readonly string[] = []): void => {
    test(name, { tags: ["W10"] }, async () => {
      failures = [];
      await work();
      expect(failures).toEqual(known);
    });
  };

  check("Core: links of the landing page, and what they lead to", async () => {
    for (const rel of ["root", "self"])
      if (linkOf(landing, rel)?.type !== "application/json") fail(`link ${rel} is not application/json`);
    const description = linkOf(landing, "service-desc");
    const answer = await service.request(pathOf(description?.href ?? ""), {
      headers: { Accept: description?.type ?? "" },
    });
    if (answer.status !== 200 || answer.headers.get("Content-Type") !== description?.type) fail("service-desc");
    await ask("GET", pathOf(linkOf(landing, "service-doc")?.href ?? ""), { type: "text/html" });
  });

  check("Collections: the list and a collection, with self, root and parent", async () => {
    const path = pathOf(linkOf(landing, "data")?.href ?? "");
    await ask("GET", `${path}/non-existent-collection`, { status: 404 });
    const list = (await ask("GET", path)) as Body;
    if (pathOf(linkOf(list, "self")?.href ?? "") !== path || linkOf(list, "root") === undefined)
      fail("links of the list");
    if (list.collections.length === 0) fail("no collections");
    const one = (await ask("GET", `${path}/${COLLECTION}`)) as Body;
    if (pathOf(linkOf(one, "self")?.href ?? "") !== `${path}/${COLLECTION}`) fail("self of the collection");
    for (const rel of ["root", "parent", "items"]) if (linkOf(one, rel) === undefined) fail(`${rel} of the collection`);
  });

  check("Features: conformance, items, one item, pages", async () => {
    const conformance = (await ask("GET", pathOf(linkOf(landing, "conformance")?.href ?? ""))) as Body;
    if (conformance.conformsTo.toSorted().join() !== landing.conformsTo.toSorted().join())
      fail("other classes in /conformance");
    const path = `/v1/collections/${COLLECTION}/items`;
    await ask("GET", `${path}/non-existent-item`, { status: 404 });
    const items = (await ask("GET", path)) as Body;
    if (pathOf(linkOf(items, "self")?.href ?? "") !== path || linkOf(items, "root") === undefined)
      fail("links of items");
    const address = pathOf(linkOf(items.features[0] as Item, "self")?.href ?? "");
    const item = (await ask("GET", address, { type: GEOJSON })) as unknown as Item;
    if (pathOf(linkOf(item, "self")?.href ?? "") !== address) fail("self of the item");
    for (const rel of ["root", "parent"]) if (linkOf(item, rel) === undefined) fail(`${rel} of the item`);
    const next = linkOf((await ask("GET", `${path}?limit=1`)) as Body, "next");
    if (next === undefined || (next.method ?? "GET") !== "GET") fail("no next by GET");
    else await ask("GET", pathOf(next.href), { type: GEOJSON });
  });

  check("Item Search: one search link by GET and one by POST, of one address", async () => {
    const links = landing.links.filter(({ rel }) => rel === "search");
    if (
      links
        .map(({ method }) => method)
        .toSorted()
        .join() !== "GET,POST"
    )
      fail("search links");
    if (new Set(links.map(({ href }) => href)).size !== 1) fail("addresses of search links");
    if (links.some(({ type }) => type !== GEOJSON)) fail("types of search links");
  });

  check("Item Search: limits", async () => {
    for (const limit of [1, 2, 10, 10_000, 100_000, 1_000_000]) await both({ limit }, { limit });
    await both({ limit: -1 }, { limit: -1 }, 400);
  });

  check("Item Search: boxes", async () => {
    const polygon = INTERSECTS[2];
    await both(
      { bbox: "0,0,1,1", intersects: JSON.stringify(polygon) },
      { bbox: [0, 0, 1, 1], intersects: polygon },
      400,
    );
    for (const bbox of [
      [100, 0, 105, 1],
      [100, 0, 0, 105, 1, 1],
    ])
      await both({ bbox: bbox.join() }, { bbox });
    await both({ bbox: "[100.0, 0.0, 105.0, 1.0]" }, { bbox: "100.0, 0.0, 105.0, 1.0" }, 400);
    await both({ bbox: "100.0, 1.0, 105.0, 0.0" }, { bbox: [100, 1, 105, 0] }, 400);
    for (const bbox of [[0], [0, 0], [0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1, 1]])
      await both({ bbox: bbox.join() }, { bbox }, 400);
  });

  check("Item Search: datetimes", async () => {
    const found = ((await ask("GET", "/v1/search")) as Body).features[0]?.properties.datetime as string;
    const again = (await ask("GET", "/v1/search", { params: { datetime: found } })) as Body;
    if (again.features.length === 0) fail(`nothing at ${found}`);
    for (const datetime of VALID_DATETIMES) await ask("GET", "/v1/search", { params: { datetime } });
    for (const datetime of INVALID_DATETIMES) {
      const before = failures.length;
      await ask("GET", "/v1/search", { params: { datetime }, status: 400 });
      if (failures.length > before && datetime === "1985-04-12") failures.splice(before, 1, KNOWN.date);
    }
  }, [KNOWN.date]);

  check("Item Search: ids, alone and together with a box elsewhere", async () => {
    const { features } = (await ask("GET", "/v1/search", { params: { limit: 2 } })) as Body;
    for (const items of [features.slice(0, 1), features]) {
      const ids = items.map(({ id }) => id);
      for (const body of await both({ ids: ids.join() }, { ids }))
        if (body?.features.length !== ids.length || !body.features.every(({ id }) => ids.includes(id)))
          fail(`ids ${ids}`);
    }
    const [item] = features as [Item];
    const [, , east = 0, north = 0] = item.bbox;
    const bbox = [east + 1, north + 1, east + 2, north + 2];
    const elsewhere = { ids: [item.id], collections: [item.collection], bbox };
    const answers = await both({ ids: item.id, collections: item.collection, bbox: bbox.join() }, elsewhere);
    if (answers.some((body) => body?.features.length !== 0)) fail("ids override the box");
  });

  check("Item Search: collections, all, each and several", async () => {
    const all = ((await ask("GET", "/v1/collections")) as Body).collections.map(({ id }) => id);
    // a virtual collection is searched alone: it holds items of others
    const own = all.filter((id) => id !== "optical-sr");
    for (const collections of [own, ...all.map((id) => [id]), own.slice(0, 3)])
      for (const body of await both({ collections: collections.join() }, { collections }))
        if (
          !collections.includes("optical-sr") &&
          body?.features.some((item) => !collections.includes(item.collection)) !== false
        )
          fail(`${collections}`);
  });

  check("Item Search: every type of geometry intersects, and what is found does", async () => {
    for (const geometry of INTERSECTS) await both({ intersects: JSON.stringify(geometry) }, { intersects: geometry });
    const found = await both(
      { collections: COLLECTION, intersects: JSON.stringify(GEOMETRY) },
      { collections: [COLLECTION], intersects: GEOMETRY },
    );
    for (const body of found) {
      if (body === undefined || body.features.length === 0) fail("nothing found");
      for (const item of body?.features ?? [])
        if (!geometriesIntersect(item.geometry, GEOMETRY as unknown as Item["geometry"]))
          fail(`${item.id} does not intersect`);
    }
  });

  check("Item Search: pages by GET and by POST, each item once", async () => {
    let link: Link | undefined;
    const ids: string[] = [];
    let body = (await ask("GET", "/v1/search", { params: { limit: 5, collections: COLLECTION } })) as Body;
    for (; ids.length < 100; body = (await ask("GET", pathOf(link.href), { type: GEOJSON })) as Body) {
      ids.push(...body.features.map(({ id }) => id));
      link = linkOf(body, "next");
      if (link === undefined) break;
    }
    const first: Record<string, unknown> = { limit: 5, collections: [COLLECTION] };
    const posted: string[] = [];
    body = (await ask("POST", "/v1/search", { body: first })) as Body;
    for (let sent = first; posted.length < 100; ) {
      posted.push(...body.features.map(({ id }) => id));
      link = linkOf(body, "next");
      if (link === undefined) break;
      if (link.method !== "POST") fail(`next by ${link.method}`);
      sent = link.merge === true ? { ...sent, ...link.body } : { ...link.body };
      body = (await ask("POST", pathOf(link.href), { body: sent })) as Body;
    }
    if (ids.length < 6 || new Set(ids).size !== ids.length) fail("items twice, or no second page");
    if (posted.join() !== ids.join()) fail("POST pages other items than GET");
  });

  check("fields", async () => {
    const members = async (params: Record<string, string>, body: unknown): Promise<string[][]> =>
      (await both({ limit: 1, ...params }, { limit: 1, ...(body as object) })).map((answer) =>
        Object.keys(answer?.features[0] ?? {}),
      );
    for (const keys of await members({ fields: "id,geometry" }, { fields: { include: ["id", "geometry"] } }))
      if (!keys.includes("geometry") || keys.includes("assets")) fail(`included: ${keys}`);
    for (const keys of await members({ fields: "-geometry" }, { fields: { exclude: ["geometry"] } }))
      if (keys.includes("geometry") || !keys.includes("id")) fail(`excluded: ${keys}`);
    for (const keys of await members({ fields: "" }, { fields: {} }))
      if (!keys.includes("id")) fail(`default: ${keys}`);
    await ask("POST", "/v1/search", { body: { limit: 1, fields: null }, status: 400 });
  });

  check("sort", async () => {
    const sorted = async (
      sortby: string,
      body: unknown,
      field: (item: Item) => string,
      sign: number,
    ): Promise<void> => {
      for (const answer of await both({ limit: 10, sortby }, { limit: 10, sortby: body })) {
        const values = (answer?.features ?? []).map(field);
        const expected = values.toSorted((a, b) => (a < b ? -sign : a > b ? sign : 0));
        if (values.length < 2 || values.join() !== expected.join()) fail(`${sortby}: ${values}`);
      }
    };
    const datetime = ({ properties }: Item): string => String(properties.datetime);
    for (const [name, field] of [
      ["properties.datetime", datetime],
      ["datetime", datetime],
      ["id", ({ id }: Item) => id],
    ] as const) {
      await sorted(`+${name}`, [{ field: name, direction: "asc" }], field, 1);
      await sorted(name, [{ field: name, direction: "asc" }], field, 1);
      await sorted(`-${name}`, [{ field: name, direction: "desc" }], field, -1);
    }
  });

  check("query, with numbers as text and a single collection as text too", async () => {
    for (const [operator, value, holds] of [
      ["eq", 0, (cover: number) => cover === 0],
      ["neq", 0, (cover: number) => cover !== 0],
      ["lt", 5, (cover: number) => cover < 5],
      ["lte", 5, (cover: number) => cover <= 5],
      ["gt", 5, (cover: number) => cover > 5],
      ["gte", "5", (cover: number) => cover >= 5],
    ] as const) {
      const query = { "eo:cloud_cover": { [operator]: value } };
      for (const body of await both(
        { collections: COLLECTION, query: JSON.stringify(query) },
        { collections: COLLECTION, query },
      ))
        if (
          body?.features.length === 0 ||
          body?.features.every(({ properties }) => holds(Number(properties["eo:cloud_cover"]))) !== true
        )
          fail(`${operator} ${value}`);
    }
    for (const query of [
      { platform: { startsWith: "sentinel" } },
      { platform: { endsWith: "2a" } },
      { platform: { contains: "tinel" } },
      { platform: { in: ["sentinel-2a"] } },
    ])
      for (const body of await both({ query: JSON.stringify(query) }, { query }))
        if (body?.features.length === 0) fail(JSON.stringify(query));
  });

  test("filter: queryables name their own address and are an object", async () => {
    failures = [];
    if (!supports("item-search#filter")) {
      await ask("GET", "/v1/search", { params: { filter: "eo:cloud_cover <= 10" }, status: 400 });
      expect(failures, "an extension that is not advertised").toEqual([]);
      return;
    }
    const { href = "" } = linkOf(landing, "http://www.opengis.net/def/rel/ogc/1.0/queryables") ?? {};
    const schema = (await ask("GET", pathOf(href), { type: "application/schema+json" })) as Body;
    if (schema.$id !== href || schema.type !== "object") fail("$id or type of the queryables");
    if (schema.$schema === "https://json-schema.org/draft/2020-12/schema") fail(KNOWN.queryables);
    for (const filter of [
      `collection = '${COLLECTION}'`,
      "eo:cloud_cover <= 10",
      "datetime >= TIMESTAMP('2021-04-08T04:39:23Z')",
      `NOT id = 'x'`,
    ])
      await ask("GET", "/v1/search", { params: { limit: 1, "filter-lang": "cql2-text", filter } });
    const filter = {
      op: "and",
      args: [
        { op: "=", args: [{ property: "collection" }, COLLECTION] },
        { op: "<=", args: [{ property: "eo:cloud_cover" }, 10] },
      ],
    };
    await ask("POST", "/v1/search", { body: { limit: 1, "filter-lang": "cql2-json", filter } });
    expect(failures).toEqual([KNOWN.queryables]);
  });

  test("all of this is within what a caller without a credential may ask", () => {
    expect(searches).toBeGreaterThan(150);
    expect(searches).toBeLessThan(ANONYMOUS_SEARCHES);
  });
});
