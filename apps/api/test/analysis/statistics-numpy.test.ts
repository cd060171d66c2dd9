import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArchive } from "@swath/catalog/node";
import { inlineRenderer } from "@swath/engine/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFixtureArchive } from "../tools/fixture-archive.ts";
import { hasGdal } from "../tools/gdal.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";

interface Expected {
  /** By file: its EPSG code and transform. */
  readonly grids: Readonly<Record<string, { readonly epsg: number; readonly transform: readonly number[] }>>;
  readonly cases: readonly { readonly name: string; readonly body: unknown; readonly outputs: unknown }[];
  /** Series of polygons on grids of 10 m, of which they cover next to nothing. */
  readonly series: readonly {
    readonly name: string;
    readonly geometry: { readonly type: string; readonly coordinates: unknown };
    readonly pixels: number;
    readonly box: number;
    readonly validFraction: number;
    readonly values: Readonly<Record<"mean" | "median" | "min" | "max", number>>;
    readonly reducers: Readonly<Record<"stdDev" | "count" | "p2.5" | "p90", number>>;
  }[];
}

interface Row {
  readonly outputs: Readonly<Record<string, { readonly unit: string }>>;
  readonly itemIds: readonly string[];
}

/** By rasterio and numpy: see expected.py beside it. */
const EXPECTED = JSON.parse(readFileSync(join(import.meta.dirname, "statistics", "expected.json"), "utf8")) as Expected;
const { SWATH_FIXTURES } = process.env;

let directory: string;
let service: TestService;

/** A polygon with a hundred points on each edge: bent edges are true to a thousandth of a pixel, short ones to much less. */
function finer({ type, coordinates }: { readonly type: string; readonly coordinates: unknown }): unknown {
  const ringOf = (ring: readonly (readonly [number, number])[]) =>
    ring.slice(1).flatMap(([x1, y1], i) => {
      const [x0, y0] = ring[i]!;
      const points = Array.from({ length: 100 }, (_, k) => [x0 + ((x1 - x0) * k) / 100, y0 + ((y1 - y0) * k) / 100]);
      return i === ring.length - 2 ? [...points, [x1, y1]] : points;
    });
  type Rings = readonly (readonly (readonly [number, number])[])[];
  const polygonOf = (rings: Rings) => rings.map(ringOf);
  if (type === "Polygon") return { type, coordinates: polygonOf(coordinates as Rings) };
  return { type, coordinates: (coordinates as readonly Rings[]).map(polygonOf) };
}

/** Writes the files' own grids into the archive's items, as upstream catalogs have them. */
async function addGrids(items: string): Promise<void> {
  for (const name of await readdir(items)) {
    const lines = (await readFile(join(items, name), "utf8")).trim().split("\n");
    const written = lines.map((line) => {
      const item = JSON.parse(line) as { assets: Record<string, { href: string }> };
      for (const asset of Object.values(item.assets)) {
        const grid = EXPECTED.grids[asset.href.replace(/^assets\//, "cog/")];
        if (grid !== undefined) Object.assign(asset, { "proj:epsg": grid.epsg, "proj:transform": grid.transform });
      }
      return JSON.stringify(item);
    });
    await writeFile(join(items, name), `${written.join("\n")}\n`);
  }
}

/**
 * Every number of `expected` within 1e-9 of the one at the same place, relative to its size; those of single pixels to the
 * last bit.
 */
function expectClose(found: unknown, expected: unknown, path: string): void {
  if (/\/(min|max)$/.test(path)) expect({ path, found }).toEqual({ path, found: expected });
  else if (typeof expected === "number" && typeof found === "number") {
    const error = Math.abs(found - expected) / Math.max(1e-3, Math.abs(expected));
    expect({ path, found, expected, isClose: error <= 1e-9 }).toEqual({ path, found, expected, isClose: true });
  } else if (typeof expected === "object" && expected !== null) {
    expect([path, Object.keys((found ?? {}) as object).sort()]).toEqual([path, Object.keys(expected).sort()]);
    for (const [name, value] of Object.entries(expected)) {
      expectClose((found as Record<string, unknown>)[name], value, `${path}/${name}`);
    }
  } else expect({ path, found }).toEqual({ path, found: expected });
}

describe.skipIf(SWATH_FIXTURES === undefined || !hasGdal)("statistics of recorded imagery", () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "swath-statistics-"));
    await makeFixtureArchive(SWATH_FIXTURES ?? "", directory);
    await addGrids(join(directory, "items"));
    const catalog = await openArchive(directory, { registry: FULL.registry });
    const sources = { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } };
    const renderer = inlineRenderer({ blockCacheBytes: 64 << 20, sources });
    service = await testService({ catalog, renderer }, { profile: FULL });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test.each(EXPECTED.cases)(
    "$name: the numbers of rasterio and numpy",
    { tags: ["ST1", "ST21"] },
    async ({ body, outputs }) => {
      const response = await service.post("/v1/statistics", body);
      const answer = (await response.json()) as { status: string; data: Row[] };
      expect([response.status, answer.status, answer.data?.length]).toEqual([200, "OK", 1]);
      expect(answer.data[0]?.itemIds).toHaveLength(1);
      const numbers = Object.entries(answer.data[0]?.outputs ?? {}).map(([name, { unit: _, ...output }]) => [
        name,
        output,
      ]);
      expectClose(Object.fromEntries(numbers), outputs, "");
    },
  );

  test.each(EXPECTED.series)("series of $name: the numbers of rasterio and numpy", { tags: ["TS14"] }, async (row) => {
    expect(row.pixels).toBeLessThan(row.box / 100);
    for (const [reducer, value] of Object.entries(row.values)) {
      const response = await service.post("/v1/timeseries", {
        geometry: finer(row.geometry),
        datetime: "2020-02-19",
        collections: ["sentinel-2-l2a"],
        index: "ndvi",
        reducer,
      });
      const answer = (await response.json()) as { series: { value: number; validFraction: number }[] };
      expect([response.status, answer]).toEqual([200, expect.anything()]);
      expect(answer.series).toHaveLength(1);
      const [only] = answer.series as [{ value: number; validFraction: number }];
      expectClose(only.value, value, `/${reducer}`);
      expectClose(only.validFraction, row.validFraction, "/validFraction");
    }
  });

  test.each(EXPECTED.series)(
    "reducers of $name: the numbers of rasterio and numpy",
    { tags: ["TS18"] },
    async (row) => {
      const response = await service.post("/v1/timeseries", {
        geometry: finer(row.geometry),
        datetime: "2020-02-19",
        collections: ["sentinel-2-l2a"],
        index: "ndvi",
        reducers: [...Object.keys(row.values), "stdDev", "count", { percentile: 2.5 }, { percentile: 90 }],
      });
      const { series } = (await response.json()) as { series: [{ reducers: unknown }] };
      expectClose(series[0].reducers, { ...row.values, ...row.reducers }, "");
    },
  );
});
