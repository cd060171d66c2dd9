import type { Catalog } from "@swath/catalog";
import { AGGREGATION_NAMES } from "@swath/query/aggregation";
import { beforeAll, describe, expect, test } from "vitest";
import { FULL, LEAN, testService } from "../tools/harness.ts";

interface Found {
  readonly id: string;
  readonly collection: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Bucket {
  readonly key: string;
  readonly data_type: string;
  readonly frequency: number;
  readonly from?: number;
  readonly to?: number;
}

interface Aggregation {
  readonly name: string;
  readonly data_type: string;
  readonly value?: unknown;
  readonly buckets?: readonly Bucket[];
  readonly overflow?: number;
}

const { get, request, post } = await testService({}, { profile: FULL });

/** The items of a search, and its counts by the same parameters. */
async function both(parameters: string): Promise<[readonly Found[], Map<string, Aggregation>]> {
  const { features, links } = await (await get(`/v1/search?limit=1000&${parameters}`)).json();
  expect(links.some(({ rel }: { rel: string }) => rel === "next")).toBe(false);
  const response = await get(`/v1/aggregate?aggregations=${AGGREGATION_NAMES.join()}&${parameters}`);
  expect(response.status).toBe(200);
  const { type, aggregations, ...rest } = await response.json();
  expect(type).toBe("AggregationCollection");
  expect(rest["svc:counted_of"]).toBeUndefined();
  return [features, new Map(aggregations.map((each: Aggregation) => [each.name, each]))];
}

function grouped(items: readonly Found[], keyOf: (item: Found) => string | undefined): Record<string, number> {
  const groups: Record<string, number> = {};
  for (const key of items.flatMap((item) => keyOf(item) ?? [])) groups[key] = (groups[key] ?? 0) + 1;
  return groups;
}

function frequencies(aggregation: Aggregation | undefined): Record<string, number> {
  const filled = (aggregation?.buckets ?? []).filter(({ frequency }) => frequency > 0);
  return Object.fromEntries(filled.map(({ key, frequency }) => [key, frequency]));
}

let everything: [readonly Found[], Map<string, Aggregation>];
beforeAll(async () => {
  everything = await both("datetime=2024-05-01T00:00:00Z/2024-08-01T00:00:00Z");
});

describe("GET /v1/aggregate", () => {
  test.each([
    ["a time", "datetime=2024-06-01T00:00:00Z/2024-07-01T00:00:00Z"],
    ["a collection", "collections=sentinel-2-l2a&datetime=2024-05-01T00:00:00Z/2024-09-01T00:00:00Z"],
    [
      "a filter",
      "collections=sentinel-2-l2a,landsat-ot-l2&datetime=2024-05-01T00:00:00Z/2024-07-01T00:00:00Z&filter=eo:cloud_cover<20",
    ],
    ["nothing", "datetime=1999-01-01T00:00:00Z/1999-02-01T00:00:00Z"],
  ])("counts the items that a search finds: %s", { tags: ["CO1"] }, async (_, parameters) => {
    const [items, counts] = await both(parameters);
    expect(counts.get("total_count")).toEqual({ name: "total_count", data_type: "integer", value: items.length });
    expect(frequencies(counts.get("collection_frequency"))).toEqual(grouped(items, ({ collection }) => collection));
    const platform = ({ properties }: Found) => properties.platform as string | undefined;
    expect(frequencies(counts.get("platform_frequency"))).toEqual(grouped(items, platform));
    const month = ({ properties }: Found) => `${String(properties.datetime).slice(0, 7)}-01T00:00:00.000Z`;
    expect(frequencies(counts.get("datetime_frequency"))).toEqual(grouped(items, month));
    for (const { key, from = -1, to = 101, frequency } of counts.get("cloud_cover_frequency")?.buckets ?? []) {
      const within = items.filter(({ properties }) => {
        const cover = Number(properties["eo:cloud_cover"]);
        return cover >= from && cover < to;
      });
      expect([key, frequency]).toEqual([key, within.length]);
    }
    const times = items.map(({ properties }) => String(properties.datetime)).sort();
    expect(counts.get("datetime_min")?.value ?? null).toEqual(times[0] ?? null);
    expect(counts.get("datetime_max")?.value ?? null).toEqual(times.at(-1) ?? null);
  });

  test("has buckets in stac-server's form: times and ranges in order, others by how many there are", {
    tags: ["CO2"],
  }, () => {
    const [items, counts] = everything;
    const of = (name: string) => counts.get(name) as Aggregation;
    for (const name of AGGREGATION_NAMES.filter((each) => each.endsWith("_frequency"))) {
      expect(of(name)).toMatchObject({ data_type: "frequency_distribution", overflow: 0 });
    }
    const times = of("datetime_frequency").buckets ?? [];
    expect(times.map(({ key }) => key)).toEqual(times.map(({ key }) => key).toSorted());
    expect(new Set(times.map(({ data_type }) => data_type))).toEqual(new Set(["datetime"]));
    expect(
      of("cloud_cover_frequency").buckets?.map(({ key, from, to, data_type }) => [key, from, to, data_type]),
    ).toEqual([
      ["*-5.0", undefined, 5, "numeric"],
      ["5.0-15.0", 5, 15, "numeric"],
      ["15.0-40.0", 15, 40, "numeric"],
      ["40.0-*", 40, undefined, "numeric"],
    ]);
    const tiles = of("grid_code_frequency").buckets ?? [];
    expect(tiles.length).toBeGreaterThan(1);
    expect(tiles.map(({ frequency }) => frequency)).toEqual(
      tiles.map(({ frequency }) => frequency).toSorted((a, b) => b - a),
    );
    const { properties } = items.find(({ collection }) => collection === "hls") as Found;
    expect(tiles.map(({ key }) => key)).toContain(`MGRS-${properties["hls:tile"]}`);
    for (const { key } of tiles) expect(key).toMatch(/^((MGRS|WRS2|CDEM)-\w+|none)$/);
  });

  test("counts times by days, weeks from Monday on, months and years, to the same sum", { tags: ["CO3"] }, async () => {
    const [items] = everything;
    for (const [interval, form] of [
      ["day", /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/],
      ["week", /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/],
      ["month", /^\d{4}-\d\d-01T00:00:00\.000Z$/],
      ["year", /^\d{4}-01-01T00:00:00\.000Z$/],
    ] as const) {
      const url = `/v1/aggregate?aggregations=datetime_frequency&datetime_frequency_interval=${interval}&datetime=2024-05-01T00:00:00Z/2024-08-01T00:00:00Z`;
      const { aggregations } = await (await get(url)).json();
      const { buckets } = aggregations[0] as { buckets: Bucket[] };
      expect(buckets.reduce((sum, { frequency }) => sum + frequency, 0)).toBe(items.length);
      for (const { key } of buckets) {
        expect(key).toMatch(form);
        if (interval === "week") expect(new Date(key).getUTCDay()).toBe(1);
      }
    }
  });

  test("by POST is by GET, of a collection that of its path, of none of them nothing", { tags: ["CO1"] }, async () => {
    const datetime = "2024-01-01T00:00:00Z/2025-01-01T00:00:00Z";
    const names = ["total_count", "platform_frequency"];
    const byGet = await (
      await get(`/v1/aggregate?collections=landsat-ot-l2&aggregations=${names.join()}&datetime=${datetime}`)
    ).json();
    const byPost = await (
      await post("/v1/aggregate", { collections: ["landsat-ot-l2"], aggregations: names, datetime })
    ).json();
    const ofCollection = await (
      await get(`/v1/collections/landsat-ot-l2/aggregate?aggregations=${names.join()}&datetime=${datetime}`)
    ).json();
    const postOfCollection = await (
      await post("/v1/collections/landsat-ot-l2/aggregate", { aggregations: names, datetime })
    ).json();
    expect(byGet.aggregations[0].value).toBeGreaterThan(0);
    for (const other of [byPost, ofCollection, postOfCollection])
      expect(other.aggregations).toEqual(byGet.aggregations);
    expect((await (await get("/v1/aggregate")).json()).aggregations).toEqual([]);
  });

  test("refuses what it does not know by its name: 400", { tags: ["CO4"] }, async () => {
    for (const [path, pointer] of [
      ["/v1/aggregate?aggregations=total_count,cloud_frequency", "aggregations"],
      [
        "/v1/aggregate?aggregations=datetime_frequency&datetime_frequency_interval=fortnight",
        "datetime_frequency_interval",
      ],
      ["/v1/aggregate?aggregations=total_count&limit=5", "limit"],
      ["/v1/aggregate?aggregations=total_count&bbox=1,2,3", "bbox"],
      ["/v1/collections/dem/aggregate?aggregations=cloud_cover_frequency", "aggregations"],
    ]) {
      const response = await get(String(path));
      expect([path, response.status]).toEqual([path, 400]);
      const { errors } = await response.json();
      expect(errors[0].pointer).toBe(pointer);
    }
    const response = await post("/v1/aggregate", { aggregations: ["total_count", 7] });
    expect(response.status).toBe(400);
    expect((await response.json()).errors[0].pointer).toBe("/aggregations/1");
    expect((await get("/v1/aggregate?aggregations=total_count&collections=landsat-99")).status).toBe(404);
    expect((await get("/v1/collections/landsat-99/aggregate")).status).toBe(404);
  });

  test("is open as search is, counts among a network's searches, and reads less of upstreams for callers without a key", {
    tags: ["CO5", "CO8"],
  }, async () => {
    const taken: string[] = [];
    const asked: (number | undefined)[] = [];
    const { get: find } = await testService({}, { profile: FULL });
    const { features } = await (await find("/v1/search?limit=1000&collections=sentinel-2-l2a")).json();
    const items = features.slice(0, 30);
    const search: Catalog["search"] = async (_query, options) => {
      asked.push(options?.maxItems);
      options?.onRead?.(options.maxItems ?? 0);
      return { items, numberMatched: 45_000, next: "more" };
    };
    const catalog = {
      search,
      extent: async () => undefined,
      has: async () => true,
      ping: async () => {},
      item: async () => undefined,
    };
    const addressLimits = {
      take: async ({ name }: { name: string }) => {
        taken.push(name);
        return undefined;
      },
      removeExpired: async () => {},
    };
    const service = await testService({ catalog, addressLimits }, { profile: FULL });
    const path = "/v1/aggregate?aggregations=total_count,platform_frequency&collections=sentinel-2-l2a";
    const anonymous = await service.request(path);
    expect(anonymous.status).toBe(200);
    expect(taken).toEqual(["search"]);
    expect(anonymous.headers.get("Cache-Control")).toBe("private, max-age=60");
    const body = await anonymous.json();
    expect(body["svc:counted_of"]).toBe(30);
    expect(body.aggregations).toMatchObject([
      { name: "total_count", value: 45_000 },
      { name: "platform_frequency", "svc:counted_of": 30 },
    ]);
    expect(body.aggregations[0]).not.toHaveProperty("svc:counted_of");
    expect((await service.get(path)).status).toBe(200);
    expect(asked.slice(0, 2)).toEqual([2000, 20_000]);
  });
});

describe("what items can be counted by", () => {
  test("is listed, and linked from the landing page and each collection", { tags: ["CO6"] }, async () => {
    const { aggregations } = await (await request("/v1/aggregations")).json();
    expect(aggregations.map(({ name }: Aggregation) => name)).toEqual(AGGREGATION_NAMES);
    expect(aggregations).toContainEqual({
      name: "cloud_cover_frequency",
      data_type: "frequency_distribution",
      frequency_distribution_data_type: "numeric",
    });
    const dem = await (await request("/v1/collections/dem/aggregations")).json();
    const names = dem.aggregations.map(({ name }: Aggregation) => name);
    expect(names).not.toContain("cloud_cover_frequency");
    const counted = await get(`/v1/collections/dem/aggregate?aggregations=${names.join()}`);
    expect((await counted.json()).aggregations.map(({ name }: Aggregation) => name)).toEqual(names);
    for (const [document, base] of [
      ["/v1", "/v1"],
      ["/v1/collections/dem", "/v1/collections/dem"],
    ]) {
      const { links } = await (await request(String(document))).json();
      const found = links.filter(({ rel }: { rel: string }) => /^aggregat/.test(rel));
      expect(found.map(({ rel, method, href }: Record<string, string>) => [rel, method, href])).toEqual([
        ["aggregate", "GET", `http://service.test${base}/aggregate`],
        ["aggregate", "POST", `http://service.test${base}/aggregate`],
        ["aggregations", undefined, `http://service.test${base}/aggregations`],
      ]);
    }
    const { conformsTo } = await (await request("/v1/conformance")).json();
    expect(conformsTo).toContain("https://api.stacspec.org/v0.3.0/aggregation");
  });

  test("is no part of lean v1", { tags: ["CO6"] }, async () => {
    const lean = await testService({}, { profile: LEAN });
    for (const path of ["/v1/aggregate", "/v1/aggregations", "/v1/collections/dem/aggregate"]) {
      expect((await lean.get(path)).status).toBe(404);
    }
    expect(JSON.stringify(await (await lean.get("/v1")).json())).not.toContain("aggreg");
    expect((await lean.get("/v1/collections?sortby=title")).status).toBe(400);
  });
});

describe("GET /v1/collections", () => {
  const idsOf = async (query: string): Promise<string[]> => {
    const response = await request(`/v1/collections?${query}`);
    expect([query, response.status]).toEqual([query, 200]);
    return (await response.json()).collections.map(({ id }: Found) => id);
  };

  test("is filtered by CQL2: text, lists, times and areas", { tags: ["CO7"] }, async () => {
    const all = await idsOf("");
    expect(await idsOf("filter=id='dem'")).toEqual(["dem"]);
    const sentinel = await idsOf("filter=constellation='sentinel-2'");
    expect(sentinel).toContain("sentinel-2-l2a");
    expect(sentinel).not.toContain("landsat-ot-l2");
    expect(
      await idsOf(`filter=${encodeURIComponent("NOT constellation='sentinel-2' OR constellation IS NULL")}`),
    ).toEqual(all.filter((id) => !sentinel.includes(id)));
    expect(await idsOf(`filter=${encodeURIComponent("title LIKE '%Level-2%'")}`)).not.toEqual(all);
    const json = JSON.stringify({ op: "a_contains", args: [{ property: "platform" }, ["landsat-9"]] });
    expect(await idsOf(`filter-lang=cql2-json&filter=${encodeURIComponent(json)}`)).toContain("landsat-ot-l2");
    expect(await idsOf(`filter=${encodeURIComponent("S_INTERSECTS(geometry, POINT(-179 -89))")}`)).not.toEqual(all);
    expect(await idsOf(`q=elevation&filter=id='landsat-ot-l2'`)).toEqual([]);
    const response = await request("/v1/collections?filter=cloud=3");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ pointer: "filter" }] });
  });

  test("is sorted, page by page too", { tags: ["CO7"] }, async () => {
    const all = await idsOf("");
    expect(await idsOf("sortby=id")).toEqual(all.toSorted());
    expect(await idsOf("sortby=-id")).toEqual(all.toSorted().reverse());
    const walked: string[] = [];
    let path: string | undefined = "/v1/collections?sortby=-id&limit=3";
    while (path !== undefined) {
      const { collections, links } = await (await request(path)).json();
      walked.push(...collections.map(({ id }: Found) => id));
      const next: { href: string } | undefined = links.find(({ rel }: { rel: string }) => rel === "next");
      path = next === undefined ? undefined : next.href.replace("http://service.test", "");
    }
    expect(walked).toEqual(all.toSorted().reverse());
    expect((await request("/v1/collections?sortby=cloud")).status).toBe(400);
  });

  test("shows the members that are asked for", { tags: ["CO7"] }, async () => {
    const one = async (fields: string) =>
      (await (await request(`/v1/collections?filter=id='dem'&fields=${fields}`)).json()).collections[0];
    expect(Object.keys(await one("title,extent")).toSorted()).toEqual([
      "extent",
      "id",
      "stac_version",
      "title",
      "type",
    ]);
    const whole = await one("");
    const without = await one("-links,-item_assets");
    const { links: _, item_assets: __, ...rest } = whole;
    expect(without).toEqual(rest);
  });
});
