import { rm } from "node:fs/promises";
import type { Admission } from "@swath/accounts";
import { resolveCrs, transformer } from "@swath/raster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Services } from "../../src/operations/services.ts";
import { fullProfile } from "../../src/service/profiles/full.ts";
import { node, reducer } from "../openeo/graphs.ts";
import { monthlyItems, pagedCatalog, recordingRenderer, writeMonths } from "../own/monthly-archive.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";

const SIDE = 128;
const MONTHS = [1, 2, 3];

/** Units of 1/10,000 of the requests that were answered. */
const costs: number[] = [];
const admission: Admission = {
  arrive: async () => {},
  admit: async (_, { cost }) => {
    costs.push(cost);
    return { charge: async () => undefined, release: async () => {} };
  },
};

let directory: string;
let service: TestService;
beforeAll(async () => {
  directory = await writeMonths({ side: SIDE, blockSize: 64, months: MONTHS });
  const { catalog } = pagedCatalog(monthlyItems({ side: SIDE, months: MONTHS }));
  const profile = { ...FULL, create: (services: Services) => ({ ...fullProfile(services), admission }) };
  service = await testService({ catalog, renderer: recordingRenderer(directory).renderer }, { profile });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

type Position = [number, number];

const toUtm = transformer(resolveCrs("EPSG:4326"), resolveCrs("EPSG:32633"));
const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));

/** Returns the ring with `points` points on each of its edges. */
function finer(ring: readonly Position[], points: number): Position[] {
  const edges = ring.slice(1).flatMap(([x, y], i) => {
    const [x0, y0] = ring[i]!;
    return Array.from({ length: points }, (_, k): Position => {
      const t = (k + 1) / points;
      return t === 1 ? [x, y] : [x0 + (x - x0) * t, y0 + (y - y0) * t];
    });
  });
  return [ring[0]!, ...edges];
}

const polygon = (ring: readonly Position[]) => ({ type: "Polygon" as const, coordinates: [ring] });

const statisticsOf = (geometry: unknown, crs?: string) => ({
  input: {
    bounds: { geometry, ...(crs === undefined ? {} : { properties: { crs } }) },
    data: [{ type: "sentinel-2-l2a" }],
  },
  aggregation: { timeRange: { from: "2024-01-01", to: "2024-12-31" }, aggregationInterval: { of: "P1M" } },
  index: "ndvi",
});
const seriesOf = (geometry: unknown) => ({
  geometry,
  datetime: "2024-01-01/2024-12-31",
  collections: ["sentinel-2-l2a"],
  index: "ndvi",
});

async function answered(path: string, body: unknown) {
  costs.length = 0;
  const response = await service.post(path, body);
  const answer = await response.json();
  expect([response.status, answer]).toEqual([200, expect.anything()]);
  return { answer, units: costs[0]! / 10_000 };
}

/** The south-western corner of a pixel of 10 m, metres east and south of the upper left corner of the scenes. */
const corner = (east: number, south: number): Position => toDegrees(500_000 + east, 5_000_000 - south);

/** A square in metres from the upper left corner of the scenes, in degrees. */
const square = (east: number, south: number, side: number): Position[] => [
  corner(east, south + side),
  corner(east + side, south + side),
  corner(east + side, south),
  corner(east, south),
  corner(east, south + side),
];

interface Row {
  readonly value: number | null;
  readonly validFraction: number;
  readonly sampledAt?: Position;
}

describe("a series of polygons that are far apart, or long and thin", () => {
  const field = square(203, 204, 405);
  const body = (geometry: unknown) => ({ ...seriesOf(geometry), cloudMask: { exclude: ["nodata"] } });

  test("has the values of the field that has scenes, and the pixels of both, whatever is between them", {
    tags: ["TS14"],
  }, async () => {
    const alone = await answered("/v1/timeseries", body(polygon(field)));
    // 405 m have 41 centres of pixels
    const pixels = 41 * 41;
    for (const [east, south, others] of [
      [60_000, 0, pixels],
      [0, 900_000, pixels],
      [3_000_000, -400_000, 1324],
    ] as const) {
      const other = square(203 + east, 204 + south, 405);
      const { answer, units } = await answered(
        "/v1/timeseries",
        body({ type: "MultiPolygon", coordinates: [[field], [other]] }),
      );
      expect(answer.series.map(({ value }: Row) => value)).toEqual(alone.answer.series.map(({ value }: Row) => value));
      // far from its zone a projection is stretched: there the other field has fewer pixels of its own
      const [total] = (answer.series as Row[]).map((row, i) => {
        return (alone.answer.series[i].validFraction * pixels) / row.validFraction;
      });
      expect(total).toBeCloseTo(pixels + others, 6);
      expect(units).toBeLessThan(2.1 * alone.units);
    }
  });

  test("is the sum of its parts, of any shape, to the last digits", { tags: ["TS14"] }, async () => {
    const parts = [square(203, 204, 405), square(903, 1004, 205), square(703, 104, 35)].map((ring) => [ring]);
    const far = [square(100_003, 4, 405)];
    const one = async (geometry: unknown): Promise<Row[]> =>
      (await answered("/v1/timeseries", body(geometry))).answer.series;
    const together = await one({ type: "MultiPolygon", coordinates: [...parts, far] });
    const each = await Promise.all(parts.map(([ring]) => one(polygon(ring!))));
    const sizes = [41 * 41, 21 * 21, 4 * 4];
    for (const [i, row] of together.entries()) {
      const counts = each.map((rows, k) => rows[i]!.validFraction * sizes[k]!);
      const sum = each.reduce((total, rows, k) => total + rows[i]!.value! * counts[k]!, 0);
      expect(row.value! / (sum / counts.reduce((a, b) => a + b))).toBeCloseTo(1, 12);
    }
  });

  test("is bounded by the length of its boundary and by its pixels", { tags: ["TS14"] }, async () => {
    const hairs = Array.from({ length: 100 }, (_, i) => {
      const [west, east] = [15 + i / 10_000, 15 + i / 10_000 + 1e-7];
      return [
        [
          [west, 40],
          [east, 40],
          [east, 70],
          [west, 70],
          [west, 40],
        ],
      ];
    });
    const hair = await service.post("/v1/timeseries", body({ type: "MultiPolygon", coordinates: hairs }));
    expect([hair.status, await hair.json()]).toEqual([
      413,
      expect.objectContaining({
        code: "output-too-large",
        limits: { maxBoundaryKm: 5000, requestedBoundaryKm: expect.any(Number) },
      }),
    ]);
  });
});

describe("a polygon without the centre of a pixel", () => {
  // 3 m of a pixel of 10 m: x from 500,211 to 500,214, y from 4,999,791 to 4,999,794
  const small = square(211, 206, 3);
  const inner: Position = toDegrees(500_212.5, 4_999_792.5);
  const pixel = square(210, 200, 10);
  const point = { type: "Point", coordinates: inner };

  test("has the value of the pixel around its inner point, and says so, in series and statistics", {
    tags: ["ST18"],
  }, async () => {
    const { answer, units } = await answered("/v1/timeseries", seriesOf(polygon(small)));
    const at = (await answered("/v1/timeseries", seriesOf(point))).answer;
    const whole = (await answered("/v1/timeseries", seriesOf(polygon(pixel)))).answer;
    expect(answer.series.map(({ value }: Row) => value)).toEqual(at.series.map(({ value }: Row) => value));
    expect(answer.series.map(({ value }: Row) => value)).toEqual(whole.series.map(({ value }: Row) => value));
    expect(answer.series.some(({ value }: Row) => value !== null)).toBe(true);
    expect(units).toBe(0.01);
    for (const found of [answer.sampledAt, ...answer.series.map((row: Row) => row.sampledAt)]) {
      for (const [i, degrees] of inner.entries()) expect(found[i]).toBeCloseTo(degrees, 7);
    }
    expect(whole).not.toHaveProperty("sampledAt");
    expect(whole.series[0]).not.toHaveProperty("sampledAt");

    const statistics = (await answered("/v1/statistics", statisticsOf(polygon(small)))).answer;
    const means = statistics.data.slice(0, 3).map(({ outputs }: { outputs: { ndvi: { stats: { mean: number } } } }) => {
      return outputs.ndvi.stats.mean;
    });
    expect(means).toEqual(answer.series.map(({ value }: Row) => value));
    expect(statistics.data[0].outputs.ndvi.stats.sampleCount).toBe(1);
    for (const [i, degrees] of inner.entries()) expect(statistics.sampledAt[i]).toBeCloseTo(degrees, 7);
  });

  test("says so beside tables too", { tags: ["ST18"] }, async () => {
    const response = await service.post("/v1/timeseries", { ...seriesOf(polygon(small)), format: "csv" });
    const [lon, lat] = response.headers.get("X-Sampled-At")!.split(",").map(Number);
    expect([lon! - inner[0], lat! - inner[1]].map((each) => Math.abs(each) < 1e-7)).toEqual([true, true]);
  });

  test("and a box, a strip of a pixel's height, and a grid by size, have it too", { tags: ["ST18"] }, async () => {
    const box = { bbox: [500_211, 4_999_791, 500_214, 4_999_794], properties: { crs: "EPSG:32633" } };
    const strip = {
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [500_201, 4_999_791],
            [500_298, 4_999_791],
            [500_298, 4_999_791.2],
            [500_202, 4_999_791.2],
            [500_202, 4_999_792],
            [500_201, 4_999_792],
            [500_201, 4_999_791],
          ],
        ],
      },
      properties: { crs: "EPSG:32633" },
    };
    for (const [bounds, size] of [
      [box, {}],
      [strip, {}],
      [strip, { width: 1, height: 1 }],
    ] as const) {
      const asked = statisticsOf(undefined);
      const body = { ...asked, input: { ...asked.input, bounds }, aggregation: { ...asked.aggregation, ...size } };
      const { answer } = await answered("/v1/statistics", body);
      expect(answer.data[0].outputs.ndvi.stats.sampleCount).toBe(1);
      expect(answer.sampledAt).toHaveLength(2);
    }
  });

  test("has its value in process graphs, as series have it", { tags: ["ST18"] }, async () => {
    const asked = { ...seriesOf(polygon(small)), cloudMask: { exclude: [] } };
    const values = (await answered("/v1/timeseries", asked)).answer.series as Row[];
    const graph = {
      load: {
        process_id: "load_collection",
        arguments: {
          id: "sentinel-2-l2a",
          spatial_extent: null,
          temporal_extent: ["2024-01-01", "2025-01-01"],
          bands: ["B04", "B08"],
        },
      },
      ndvi: { process_id: "ndvi", arguments: { data: node("load"), nir: "B08", red: "B04" } },
      mean: {
        process_id: "aggregate_spatial",
        arguments: { data: node("ndvi"), geometries: polygon(small), reducer: reducer("mean") },
      },
      save: { process_id: "save_result", arguments: { data: node("mean"), format: "JSON" }, result: true },
    };
    const response = await service.post("/v1/openeo/result", { process: { process_graph: graph } });
    const rows = Object.values((await response.json()) as Record<string, number[][]>);
    expect(rows).toHaveLength(3);
    expect(rows.map(([row]) => row![0])).toEqual(values.map(({ value }) => value));
    expect(values.map(({ value }) => value)).not.toContain(null);
  });
});

describe("process graphs over areas that are far apart", () => {
  const graph = (...fields: readonly (readonly Position[])[]) => ({
    load: {
      process_id: "load_collection",
      arguments: {
        id: "sentinel-2-l2a",
        spatial_extent: null,
        temporal_extent: ["2024-01-01", "2025-01-01"],
        bands: ["B04"],
      },
    },
    mean: {
      process_id: "aggregate_spatial",
      arguments: {
        data: node("load"),
        geometries: {
          type: "FeatureCollection",
          features: fields.map((ring) => ({ type: "Feature", properties: {}, geometry: polygon(ring) })),
        },
        reducer: reducer("mean"),
      },
    },
    save: { process_id: "save_result", arguments: { data: node("mean"), format: "JSON" }, result: true },
  });
  const [near, far] = [square(203, 204, 405), square(60_203, 204, 405)];

  test("cost nothing for scenes that miss one of them", { tags: ["ST15"] }, async () => {
    const body = (process_graph: object) => ({ process: { process_graph } });
    const alone = await answered("/v1/openeo/result", body(graph(near)));
    const both = await answered("/v1/openeo/result", body(graph(near, far)));
    expect(both.units).toBe(alone.units);
    expect(Object.values(both.answer)).toEqual(
      (Object.values(alone.answer) as number[][][]).map(([values]) => [values, [null]]),
    );
  });

  test("have no time step of a scene between them", { tags: ["ST15"] }, async () => {
    const between = monthlyItems({ side: SIDE, months: [4] }).map((item) => {
      const [west, south] = corner(30_000, 5000);
      const ring = [
        [west, south],
        [west + 0.05, south],
        [west + 0.05, south + 0.08],
        [west, south + 0.08],
        [west, south],
      ];
      const bbox = [west, south, west + 0.05, south + 0.08] as const;
      return { ...item, bbox, geometry: { type: "Polygon" as const, coordinates: [ring] } };
    });
    const items = [...monthlyItems({ side: SIDE, months: MONTHS }), ...between];
    const { catalog } = pagedCatalog(items);
    const other = await testService({ catalog, renderer: recordingRenderer(directory).renderer }, { profile: FULL });
    const response = await other.post("/v1/openeo/result", { process: { process_graph: graph(near, far) } });
    expect(Object.keys(await response.json())).toEqual(MONTHS.map((month) => `2024-0${month}-15T10:00:00Z`));
  });
});

describe("bands that no scene has", () => {
  test.each([
    ["/v1/statistics", statisticsOf(polygon(square(203, 204, 405)))],
    ["/v1/timeseries", seriesOf(polygon(square(203, 204, 405)))],
    ["/v1/timeseries", seriesOf({ type: "Point", coordinates: corner(300, 300) })],
  ])("are 422 unknown-band at POST %s, and nothing is charged", { tags: ["TS13"] }, async (path, body) => {
    const items = monthlyItems({ side: SIDE, months: MONTHS }).map((item) => {
      const { B08: _, ...assets } = item.assets;
      return { ...item, assets };
    });
    const { catalog } = pagedCatalog(items);
    const other = await testService({ catalog, renderer: recordingRenderer(directory).renderer }, { profile: FULL });
    const response = await other.post(path, body);
    expect([response.status, await response.json()]).toEqual([
      422,
      expect.objectContaining({
        code: "unknown-band",
        detail: "Scene month-1 cannot be read, it has no band B08, nor can one of the other 2.",
        errors: [expect.objectContaining({ pointer: "/index" })],
      }),
    ]);
  });

  test("leave rows with a problem where another scene has them, and where what lacks is a mask", {
    tags: ["TS13"],
  }, async () => {
    for (const [lacking, band, code] of [
      [["month-1"], "B08", "unknown-band"],
      [["month-1", "month-2", "month-3"], "SCL", "upstream-unavailable"],
    ] as const) {
      const items = monthlyItems({ side: SIDE, months: MONTHS }).map((item) => {
        const { [band]: _, ...assets } = item.assets;
        return (lacking as readonly string[]).includes(item.id) ? { ...item, assets } : item;
      });
      const { catalog } = pagedCatalog(items);
      const other = await testService({ catalog, renderer: recordingRenderer(directory).renderer }, { profile: FULL });
      const { series } = await (await other.post("/v1/timeseries", seriesOf(polygon(square(203, 204, 405))))).json();
      expect(series[0].problem.code).toBe(code);
      const answer = await (await other.post("/v1/statistics", statisticsOf(polygon(square(203, 204, 405))))).json();
      expect([answer.status, answer.data[0].problem.code]).toEqual(["PARTIAL", code]);
    }
  });
});

describe("scenes whose footprint misses a polygon", () => {
  /** The box around it meets the footprints, whose north-eastern corner it goes around. */
  const east = 15.01 + (SIDE * 10) / 70_000;
  const around: Position[] = [
    [east - 0.005, 45.168],
    [east + 0.006, 45.159],
    [east + 0.006, 45.168],
    [east - 0.005, 45.168],
  ];

  test.each([4, 55, 501, 1501, 9_900])(
    "give no row and cost nothing, of %i vertices in degrees",
    { tags: ["ST15"] },
    async (vertices) => {
      const geometry = polygon(finer(around, Math.ceil(vertices / 3)));
      const series = await answered("/v1/timeseries", seriesOf(geometry));
      expect([series.answer.count, series.units]).toEqual([0, 0.01]);
      const statistics = await answered("/v1/statistics", statisticsOf(geometry));
      expect(statistics.units).toBe(0.01);
    },
  );

  test.each([4, 55, 501, 1501, 9_900])(
    "give no row and cost nothing, of %i vertices in UTM",
    { tags: ["ST15"] },
    async (vertices) => {
      const ring = around.map(([x, y]): Position => toUtm(x, y));
      const geometry = polygon(finer(ring, Math.ceil(vertices / 3)));
      const { units } = await answered("/v1/statistics", statisticsOf(geometry, "EPSG:32633"));
      expect(units).toBe(0.01);
    },
  );
});
