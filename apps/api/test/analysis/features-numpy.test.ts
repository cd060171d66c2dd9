import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArchive } from "@swath/catalog/node";
import { inlineRenderer } from "@swath/engine/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFixtureArchive } from "../tools/fixture-archive.ts";
import { hasGdal } from "../tools/gdal.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";

type Position = readonly [number, number];
interface Stats {
  readonly [name: string]: number | null | Readonly<Record<string, number | null>>;
}
interface Field {
  readonly ring: readonly Position[];
  readonly ndvi: Stats;
  readonly red: Stats;
}

/** By rasterio and numpy: see expected.py beside it. */
const FIELDS = JSON.parse(readFileSync(join(import.meta.dirname, "features", "expected.json"), "utf8")) as Field[];
const { SWATH_FIXTURES } = process.env;
const POINTS = 16;

/** The ring with points on its edges: bent edges are true to a ten-thousandth of a metre. */
function finer(ring: readonly Position[]): Position[] {
  const points = ring.slice(1).flatMap(([x1, y1], i) => {
    const [x0, y0] = ring[i]!;
    return Array.from({ length: POINTS }, (_, k): Position => {
      return [x0 + ((x1 - x0) * k) / POINTS, y0 + ((y1 - y0) * k) / POINTS];
    });
  });
  return [...points, ring.at(-1)!];
}

const features = {
  type: "FeatureCollection",
  features: FIELDS.map(({ ring }, id) => ({
    type: "Feature",
    id,
    geometry: { type: "Polygon", coordinates: [finer(ring)] },
    properties: {},
  })),
};

/** The largest difference of two trees of numbers, relative to their size; infinite where one lacks a number. */
function apart(found: unknown, expected: unknown): number {
  if (typeof expected === "object" && expected !== null) {
    const own = (found ?? {}) as Record<string, unknown>;
    return Math.max(...Object.entries(expected).map(([name, value]) => apart(own[name], value)));
  }
  if (typeof expected !== "number" || typeof found !== "number")
    return found === expected ? 0 : Number.POSITIVE_INFINITY;
  return Math.abs(found - expected) / Math.max(1e-3, Math.abs(expected));
}

let directory: string;
let service: TestService;

describe.skipIf(SWATH_FIXTURES === undefined || !hasGdal)("200 random fields of recorded imagery", () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "swath-features-"));
    await makeFixtureArchive(SWATH_FIXTURES ?? "", directory);
    const catalog = await openArchive(directory, { registry: FULL.registry });
    const sources = { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } };
    const renderer = inlineRenderer({ blockCacheBytes: 64 << 20, sources });
    service = await testService({ catalog, renderer }, { profile: FULL });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test("have the statistics of rasterio and numpy, within 1e-9 of their size", { tags: ["MF8"] }, async () => {
    const response = await service.post("/v1/statistics", {
      input: { features, data: [{ type: "sentinel-2-l2a" }] },
      aggregation: { timeRange: { from: "2020-02-19", to: "2020-02-19" } },
      calculations: { indices: ["ndvi"], bands: ["red"], default: { percentiles: [50] } },
    });
    const answer = (await response.json()) as {
      features: { data: { outputs: Record<string, { stats: Stats }> }[] }[];
    };
    expect([response.status, answer.features?.length]).toEqual([200, FIELDS.length]);
    const differences = FIELDS.map(({ ndvi, red }, i) => {
      const { outputs } = answer.features[i]!.data[0]!;
      return Math.max(apart(outputs.ndvi?.stats, ndvi), apart(outputs.red?.stats, red));
    });
    console.log(`largest difference of 200 fields' statistics: ${Math.max(...differences)}`);
    expect(Math.max(...differences)).toBeLessThanOrEqual(1e-9);
  });

  test.each(["mean", "median", "min", "max"] as const)(
    "have the %s of rasterio and numpy as series",
    async (reducer) => {
      const response = await service.post("/v1/timeseries", {
        input: { features },
        datetime: "2020-02-19",
        collections: ["sentinel-2-l2a"],
        measures: [
          { name: "ndvi", index: "ndvi" },
          { name: "red", band: "red" },
        ],
        reducer,
      });
      const answer = (await response.json()) as { features: { rows: { values: Record<string, number | null> }[] }[] };
      expect([response.status, answer.features?.length]).toEqual([200, FIELDS.length]);
      const of = (stats: Stats) => (reducer === "median" ? (stats.percentiles as Stats)["50.0"] : stats[reducer]);
      const differences = FIELDS.map(({ ndvi, red }, i) =>
        apart(answer.features[i]?.rows[0]?.values, { ndvi: of(ndvi), red: of(red) }),
      );
      console.log(`largest difference of 200 fields' ${reducer}: ${Math.max(...differences)}`);
      expect(Math.max(...differences)).toBeLessThanOrEqual(1e-9);
    },
  );
});
