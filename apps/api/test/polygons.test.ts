import { rm } from "node:fs/promises";
import { resolveCrs, transformer } from "@swath/raster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Admission } from "../src/metering/admission.ts";
import { fullProfile } from "../src/profiles/full.ts";
import type { Services } from "../src/services.ts";
import { FULL, type TestService, testService } from "./harness.ts";
import { monthlyItems, pagedCatalog, recordingRenderer, writeMonths } from "./monthly-archive.ts";

const SIDE = 128;
const MONTHS = [1, 2, 3];

/** Units of 1/10,000 of the requests that were answered. */
const costs: number[] = [];
const admission: Admission = {
  arrive: async () => {},
  admit: async (_, { cost }) => {
    costs.push(cost);
    return { charge: async () => ({}), release: async () => {} };
  },
};

let directory: string;
let service: TestService;
beforeAll(async () => {
  directory = await writeMonths({ side: SIDE, blockSize: 64, months: MONTHS });
  const { catalog } = pagedCatalog(monthlyItems({ side: SIDE, months: MONTHS }));
  const profile = { ...FULL, create: (services: Services) => ({ ...fullProfile(services), admission }) };
  service = await testService({ catalog, renderer: recordingRenderer(directory).renderer }, { profile });
}, 60_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

type Position = [number, number];

const toUtm = transformer(resolveCrs("EPSG:4326"), resolveCrs("EPSG:32633"));

/** A ring with so many points on each of its edges. */
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

describe("scenes whose footprint misses a polygon", () => {
  /** The box around it meets the footprints, whose north-eastern corner it goes around. */
  const east = 15.01 + (SIDE * 10) / 70_000;
  const around: Position[] = [
    [east - 0.005, 45.168],
    [east + 0.006, 45.159],
    [east + 0.006, 45.168],
    [east - 0.005, 45.168],
  ];

  test.each([4, 55, 501, 1501, 9_900])("give no row and cost nothing, of %i vertices in degrees", async (vertices) => {
    const geometry = polygon(finer(around, Math.ceil(vertices / 3)));
    const series = await answered("/v1/timeseries", seriesOf(geometry));
    expect([series.answer.count, series.units]).toEqual([0, 0.01]);
    const statistics = await answered("/v1/statistics", statisticsOf(geometry));
    expect(statistics.units).toBe(0.01);
  });

  test.each([4, 55, 501, 1501, 9_900])("give no row and cost nothing, of %i vertices in UTM", async (vertices) => {
    const ring = around.map(([x, y]): Position => toUtm(x, y));
    const geometry = polygon(finer(ring, Math.ceil(vertices / 3)));
    const { units } = await answered("/v1/statistics", statisticsOf(geometry, "EPSG:32633"));
    expect(units).toBe(0.01);
  });
});
