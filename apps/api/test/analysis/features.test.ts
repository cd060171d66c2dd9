import { rm } from "node:fs/promises";
import type { Catalog, Item } from "@swath/catalog";
import { prepare, type Renderer } from "@swath/engine/node";
import { resolveCrs, transformer } from "@swath/raster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  monthlyItems,
  NORTH,
  noise,
  pagedCatalog,
  type RecordedRead,
  recordingRenderer,
  WEST,
  writeMonths,
} from "../own/monthly-archive.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";
import { NO_ANGLES } from "../tools/no-angles.ts";

const SIDE = 512;
const BLOCK = 256;
const MONTHS = Array.from({ length: 12 }, (_, i) => i + 1);
const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));

interface Feature {
  readonly type: "Feature";
  readonly id: string;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly properties: Readonly<Record<string, unknown>> | null;
}
interface Output {
  readonly stats: Readonly<Record<string, number | null>>;
}
interface StatisticsAnswer {
  readonly features: readonly {
    readonly id: string;
    readonly data: readonly unknown[];
    readonly sampledAt?: unknown;
  }[];
  readonly data: readonly { readonly outputs: Readonly<Record<string, Output>> }[];
  readonly [member: string]: unknown;
}
interface SeriesAnswer {
  readonly features: readonly { readonly id: string; readonly rows: readonly unknown[] }[];
  readonly series: readonly unknown[];
  readonly [member: string]: unknown;
}

/** A triangle with some metres from a corner of the scenes. */
function triangle(id: string, x: number, y: number, size: number): Feature {
  const at = (dx: number, dy: number) => toDegrees(WEST + x + dx, NORTH - y - dy);
  const ring = [at(0, 0), at(size * 0.9, size * 0.2), at(size * 0.3, size), at(0, 0)];
  return { type: "Feature", id, geometry: { type: "Polygon", coordinates: [ring] }, properties: { name: `of ${id}` } };
}
const point = (id: string, x: number, y: number): Feature => ({
  type: "Feature",
  id,
  geometry: { type: "Point", coordinates: toDegrees(WEST + x, NORTH - y) },
  properties: null,
});

/** Fields of some hectares in one block of each file, at places that are made by a formula. */
const inOneBlock = (count: number): Feature[] => {
  const places = noise(7, 2 * count, 200, 10 * (BLOCK - 40));
  return Array.from({ length: count }, (_, i) => triangle(`field-${i}`, places[2 * i]!, places[2 * i + 1]!, 150));
};

const collection = (features: readonly Feature[]) => ({ type: "FeatureCollection", features });
const statistics = (more: object) => ({
  aggregation: {
    timeRange: { from: "2024-01-01", to: "2024-12-31" },
    aggregationInterval: { of: "P1M" },
  },
  calculations: {
    indices: ["ndvi"],
    bands: ["red"],
    expressions: { ratio: "nir / red" },
    default: { percentiles: [10, 50] },
  },
  ...more,
});
const DATA = [{ type: "sentinel-2-l2a" }];
const series = (more: object) => ({
  datetime: "2024-01-01/2024-12-31",
  collections: ["sentinel-2-l2a"],
  measures: [
    { name: "ndvi", index: "ndvi" },
    { name: "red", band: "red" },
    { name: "ratio", expression: "nir / red" },
  ],
  ...more,
});

let directory: string;
beforeAll(async () => {
  directory = await writeMonths({ side: SIDE, blockSize: BLOCK, months: MONTHS });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function serving() {
  const { catalog, searches } = pagedCatalog(monthlyItems({ side: SIDE, months: MONTHS }));
  const { renderer, reads } = recordingRenderer(directory);
  return { service: await testService({ catalog, renderer }, { profile: FULL }), reads, searches };
}

async function asked<T>(service: TestService, path: string, body: unknown): Promise<T> {
  const response = await service.post(path, body);
  const answer = (await response.json()) as T;
  expect([response.status, answer]).toEqual([200, expect.anything()]);
  return answer;
}

/** Reads of bytes that were read before: what is decoded once is read once. */
function twice(reads: readonly RecordedRead[]): readonly RecordedRead[] {
  const ends = new Map<string, number>();
  // the first bytes hold the header, and of small files a part of the first block
  const sorted = reads.filter(({ offset }) => offset > 0).toSorted((a, b) => a.offset - b.offset);
  return sorted.filter(({ file, offset, length }) => {
    const end = ends.get(file) ?? 0;
    ends.set(file, Math.max(end, offset + length));
    return offset < end;
  });
}

/** Fields in all blocks, one smaller than a pixel, one on the edge of the scenes, and points. */
const MIXED = [
  ...inOneBlock(6),
  triangle("far", 4000, 4200, 500),
  triangle("tiny", 3001, 3001, 3),
  triangle("edge", -300, 3000, 700),
  point("point", 2005, 1005),
  triangle("large", 500, 500, 4000),
];

describe("each feature's numbers", () => {
  test("of statistics are those of a request for it alone", { tags: ["MF1", "MF3"] }, async () => {
    const { service } = await serving();
    const { features } = await asked<StatisticsAnswer>(
      service,
      "/v1/statistics",
      statistics({ input: { features: collection(MIXED), data: DATA } }),
    );
    expect(features.map(({ id }) => id)).toEqual(MIXED.map(({ id }) => id));
    for (const [i, { id, geometry }] of MIXED.entries()) {
      if (geometry.type === "Point") continue;
      const alone = await asked<StatisticsAnswer>(
        service,
        "/v1/statistics",
        statistics({ input: { bounds: { geometry }, data: DATA } }),
      );
      expect({ id, data: features[i]?.data }).toEqual({ id, data: alone.data });
    }
    const [first] = features[MIXED.findIndex(({ id }) => id === "point")]!.data as StatisticsAnswer["data"];
    expect(first?.outputs.ndvi?.stats.sampleCount).toBe(1);
  });

  test("of series are those of a request for it alone", { tags: ["MF1", "MF3"] }, async () => {
    const { service } = await serving();
    const { features } = await asked<SeriesAnswer>(
      service,
      "/v1/timeseries",
      series({ input: { features: collection(MIXED) } }),
    );
    expect(features.map(({ id }) => id)).toEqual(MIXED.map(({ id }) => id));
    const again = await serving();
    for (const [i, { id, geometry }] of MIXED.entries()) {
      const alone = await asked<SeriesAnswer>(again.service, "/v1/timeseries", series({ geometry }));
      expect({ id, rows: features[i]?.rows }).toEqual({ id, rows: alone.series });
    }
  });
});

describe("reads", () => {
  test("of 100 fields x 12 months x 3 measures are at most twice those of one field, where they share blocks", {
    tags: ["MF2"],
  }, async () => {
    const fields = inOneBlock(100);
    for (const [path, bodyOf] of [
      ["/v1/statistics", (some: Feature[]) => statistics({ input: { features: collection(some), data: DATA } })],
      ["/v1/timeseries", (some: Feature[]) => series({ input: { features: collection(some) } })],
    ] as const) {
      const [one, all] = [await serving(), await serving()];
      await asked(one.service, path, bodyOf(fields.slice(0, 1)));
      await asked(all.service, path, bodyOf(fields));
      expect({ path, one: one.reads.length > 24, all: all.reads.length <= 2 * one.reads.length }).toEqual({
        path,
        one: true,
        all: true,
      });
      expect(twice(all.reads)).toEqual([]);
      expect(all.searches).toEqual(one.searches);
    }
  });
});

describe("forms", () => {
  test("statistics are CSV whose first column is the feature, and the features that came with their statistics", {
    tags: ["MF4"],
  }, async () => {
    const { service } = await serving();
    const some = [...inOneBlock(2), point("point", 2005, 1005)];
    const body = statistics({ input: { features: collection(some), data: DATA } });
    const csv = await service.post("/v1/statistics", body, { Accept: "text/csv" });
    const lines = (await csv.text()).trimEnd().split("\r\n");
    expect(lines[0]).toMatch(/^feature,from,to,output,unit,min,max,mean,/);
    expect(lines).toHaveLength(1 + 3 * 12 * 3);
    expect(new Set(lines.slice(1).map((line) => line.split(",")[0]))).toEqual(new Set(["field-0", "field-1", "point"]));
    const geojson = await service.post("/v1/statistics", body, { Accept: "application/geo+json" });
    expect(geojson.headers.get("Content-Type")).toBe("application/geo+json");
    const sent = (await geojson.json()) as ReturnType<typeof collection>;
    expect(sent.type).toBe("FeatureCollection");
    expect(sent.features.map(({ geometry }) => geometry)).toEqual(some.map(({ geometry }) => geometry));
    expect(sent.features[0]?.properties).toMatchObject({ name: "of field-0", statistics: expect.any(Array) });
  });

  test("series are CSV whose first column is the feature, with a column for each measure", {
    tags: ["MF4"],
  }, async () => {
    const { service } = await serving();
    const body = series({ input: { features: collection(inOneBlock(2)) }, format: "csv" });
    const lines = (await (await service.post("/v1/timeseries", body)).text()).trimEnd().split("\r\n");
    expect(lines[0]).toBe(
      "feature,datetime,itemId,collection,platform,ndvi,red,ratio,validFraction,harmonization,problem",
    );
    expect(lines).toHaveLength(1 + 2 * 12);
    const alone = series({ geometry: inOneBlock(1)[0]?.geometry, format: "csv" });
    const own = (await (await service.post("/v1/timeseries", alone)).text()).trimEnd().split("\r\n");
    expect(lines.slice(1, 13)).toEqual(own.slice(1).map((line) => `field-0,${line},`));
  });
});

describe("each feature", () => {
  const request = (features: readonly Feature[]) => ({
    where: { kind: "features" as const, features },
    when: { collections: ["sentinel-2-l2a"], time: { from: "2024-01-01", to: "2024-12-31" } },
    what: { index: "ndvi" },
  });
  const partsOf = (renderer: Renderer, catalog: Catalog) => ({
    catalog,
    renderer,
    angles: NO_ANGLES,
    registry: FULL.registry,
    now: () => new Date("2026-06-16"),
  });

  test("pays for its own pixels, and an overpass costs its least once for all", { tags: ["MF6"] }, async () => {
    const { catalog } = pagedCatalog(monthlyItems({ side: SIDE, months: MONTHS }));
    const parts = partsOf(recordingRenderer(directory).renderer, catalog);
    const { signal } = new AbortController();
    const unitsOf = async (features: readonly Feature[]) => {
      const statistics = await prepare(parts, { ...request(features), into: { kind: "intervals" } }, { signal });
      const curves = await prepare(parts, { ...request(features), into: { kind: "overpasses" } }, { signal });
      return [statistics.units, curves.units] as const;
    };
    const [a, b] = [triangle("a", 100, 100, 900), triangle("b", 2000, 2000, 1200)];
    const [first, second, both] = [await unitsOf([a]), await unitsOf([b]), await unitsOf([a, b])];
    expect(both[0]).toBeCloseTo(first[0] + second[0], 10);
    expect(both[1]).toBeCloseTo(first[1] + second[1], 10);
    const points = Array.from({ length: 5 }, (_, i) => point(`p${i}`, 2000 + 100 * i, 2000));
    // twelve overpasses of one pixel each: the least of each overpass, not of each point
    expect((await unitsOf(points))[1]).toBeCloseTo(12 * 0.001, 10);
  });

  test("that alone has no scene with its bands has a problem, and the others have their numbers", {
    tags: ["MF7"],
  }, async () => {
    const [item] = monthlyItems({ side: SIDE, months: [1] }) as [Item];
    const ring = [
      [20, 45],
      [20.1, 45],
      [20.1, 45.1],
      [20, 45.1],
      [20, 45],
    ];
    const elsewhere: Item = {
      ...item,
      id: "elsewhere",
      geometry: { type: "Polygon", coordinates: [ring] } as NonNullable<Item["geometry"]>,
      bbox: [20, 45, 20.1, 45.1],
      assets: { SCL: item.assets.SCL! },
    };
    const { catalog } = pagedCatalog([item, elsewhere]);
    const { renderer } = recordingRenderer(directory);
    const service = await testService({ catalog, renderer }, { profile: FULL });
    const far: Feature = {
      ...point("far", 0, 0),
      geometry: {
        type: "Polygon",
        coordinates: [ring.map(([x = 0, y = 0]) => [20.05 + (x - 20.05) / 10, 45.05 + (y - 45.05) / 10])],
      },
    };
    for (const [path, member, body] of [
      [
        "/v1/statistics",
        "data",
        statistics({ input: { features: collection([far, triangle("a", 100, 100, 200)]), data: DATA } }),
      ],
      ["/v1/timeseries", "rows", series({ input: { features: collection([far, triangle("a", 100, 100, 200)]) } })],
    ] as const) {
      const { features } = await asked<{ features: readonly Readonly<Record<string, unknown>>[] }>(service, path, body);
      expect(features[0]).toMatchObject({ id: "far", [member]: [], problem: { code: "unknown-band" } });
      expect(features[1]?.problem).toBeUndefined();
      expect(features[1]?.[member]).toContainEqual(expect.anything());
      const csv = (await (await service.post(path, body, { Accept: "text/csv" })).text()).split("\r\n");
      expect(csv[1]).toMatch(/^far,.*Scene elsewhere cannot be read/);
      expect(csv[1]?.replaceAll(/"[^"]*"/g, "").split(",")).toHaveLength(csv[0]!.split(",").length);
    }
  });

  test("is read no more once nobody waits", { tags: ["MF9"] }, async () => {
    const { catalog } = pagedCatalog(monthlyItems({ side: SIDE, months: MONTHS }));
    const stop = new AbortController();
    const { renderer, reads } = recordingRenderer(directory, async (_, signal) => {
      stop.abort(new Error("gone"));
      signal?.throwIfAborted();
    });
    const asking = request(inOneBlock(50));
    const { signal } = new AbortController();
    const prepared = await prepare(partsOf(renderer, catalog), { ...asking, into: { kind: "intervals" } }, { signal });
    await expect(prepared.run({ signal: stop.signal })).rejects.toMatchObject({ code: "render-timeout" });
    const before = reads.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(reads).toHaveLength(before);
    expect(before).toBeLessThan(36);
  });
});

describe("bounds", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => point(`p${i}`, 2000 + i, 2000));
  test.each([
    {
      name: "1,001 features",
      path: "/v1/timeseries",
      body: series({ input: { features: collection(many(1001)) } }),
      problem: { status: 413, code: "output-too-large", limits: { maxFeatures: 1000, requestedFeatures: 1001 } },
    },
    {
      name: "no feature",
      path: "/v1/timeseries",
      body: series({ input: { features: collection([]) } }),
      problem: { status: 400, errors: [{ pointer: "/input/features/features" }] },
    },
    {
      name: "fields of more than 25 km² together",
      path: "/v1/timeseries",
      body: series({ input: { features: collection([triangle("a", 0, 0, 7000), triangle("b", 0, 0, 7000)]) } }),
      problem: { status: 422, code: "area-too-large", limits: { maxAreaKm2: 25 } },
    },
    {
      name: "one of more than 2,500 pixels a side",
      path: "/v1/statistics",
      body: statistics({
        input: { features: collection([triangle("a", 0, 0, 100), triangle("b", 0, 0, 30_000)]), data: DATA },
      }),
      problem: { status: 413, code: "output-too-large", errors: [{ pointer: "/input/features/features/1" }] },
    },
    {
      name: "values x dates of all",
      path: "/v1/statistics",
      body: statistics({
        input: {
          features: collection(Array.from({ length: 20 }, (_, i) => triangle(`t${i}`, 10 * i, 0, 10_000))),
          data: DATA,
        },
      }),
      problem: { status: 413, code: "output-too-large", limits: { maxValuesTimesDates: 200_000_000 } },
    },
    {
      name: "a line",
      path: "/v1/statistics",
      body: statistics({
        input: {
          features: collection([
            { ...point("a", 0, 0), geometry: { type: "LineString", coordinates: [toDegrees(WEST, NORTH), [15, 45]] } },
          ]),
          data: DATA,
        },
      }),
      problem: { status: 400, errors: [{ pointer: "/input/features/features/0/geometry/type" }] },
    },
    {
      name: "an id twice",
      path: "/v1/timeseries",
      body: series({ input: { features: collection([point("a", 1, 1), point("a", 2, 2)]) } }),
      problem: { status: 400, errors: [{ pointer: "/input/features/features/1/id" }] },
    },
    {
      name: "features beside bounds",
      path: "/v1/statistics",
      body: statistics({
        input: { features: collection(many(1)), bounds: { bbox: [15, 45, 15.1, 45.1] }, data: DATA },
      }),
      problem: { status: 400, errors: [{ pointer: "/input/bounds" }] },
    },
    {
      name: "a chart of several",
      path: "/v1/timeseries",
      body: series({ input: { features: collection(many(1)) }, format: "png" }),
      problem: { status: 400, errors: [{ pointer: "/format" }] },
    },
    {
      name: "a measure of two ways",
      path: "/v1/timeseries",
      body: series({ geometry: point("a", 1, 1).geometry, measures: [{ name: "a", index: "ndvi", band: "red" }] }),
      problem: { status: 400, errors: [{ pointer: "/measures/0" }] },
    },
    {
      name: "a smooth curve of several measures",
      path: "/v1/timeseries",
      body: series({ geometry: point("a", 1, 1).geometry, smooth: { method: "whittaker" } }),
      problem: { status: 400, errors: [{ pointer: "/smooth" }] },
    },
    {
      name: "reducers of several measures",
      path: "/v1/timeseries",
      body: series({ geometry: triangle("a", 100, 100, 900).geometry, reducers: ["mean", "median"] }),
      problem: { status: 400, errors: [{ pointer: "/reducers" }] },
    },
    {
      name: "a trend of several features",
      path: "/v1/timeseries",
      body: {
        datetime: "2024-01-01/2024-12-31",
        index: "ndvi",
        input: { features: collection(many(2)) },
        trend: "theil-sen",
      },
      problem: { status: 400, errors: [{ pointer: "/trend" }] },
    },
    {
      name: "an index that is unknown among several",
      path: "/v1/statistics",
      body: statistics({
        input: { features: collection(many(1)), data: DATA },
        calculations: { indices: ["ndvi", "nvdi"] },
      }),
      problem: { status: 400, errors: [{ pointer: "/calculations/indices/1" }] },
    },
    {
      name: "a measure with a name of all objects",
      path: "/v1/statistics",
      body: statistics({
        input: { features: collection(many(1)), data: DATA },
        calculations: { expressions: { constructor: "red" } },
      }),
      problem: { status: 400, errors: [{ pointer: "/calculations/expressions/constructor" }] },
    },
    {
      name: "calculations beside an index",
      path: "/v1/statistics",
      body: statistics({ input: { features: collection(many(1)), data: DATA }, index: "ndvi" }),
      problem: { status: 400 },
    },
  ])("$name: refused before anything is read", { tags: ["MF5", "MF3"] }, async ({ path, body, problem }) => {
    const { service, reads } = await serving();
    const response = await service.post(path, body);
    expect(await response.json()).toMatchObject(problem);
    expect(reads).toHaveLength(0);
  });
});
