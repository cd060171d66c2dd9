import { resolveCrs, transformer } from "@swath/raster";
import { createTruth } from "@swath/sandbox";
import { readArchiveInfo } from "@swath/sandbox/node";
import { expect, inject, test } from "vitest";
import { LANDSAT, S2 } from "../process/process-cases.ts";
import { FULL, testService } from "../tools/harness.ts";

/** Where the archive has scenes of both sensors in their own pixel size: metres of EPSG:32633. */
const [WEST, SOUTH, EAST, NORTH] = [361_815, 5_039_415, 369_015, 5_046_615];
const FIELDS = 20;
/** Metres around a point in which all is one field: pixels of 30 m do not have their centres there. */
const AROUND = [-30, 0, 30];
const TOLERANCE = 0.005;

interface Row {
  readonly datetime: string;
  readonly itemId: string;
  readonly value: number | null;
}

test("NDVI of 20 fields over a year from optical-sr is the truth of each day within 0.005, whichever sensor saw it", {
  tags: ["TS11"],
}, async () => {
  const service = await testService({}, { profile: FULL });
  const truth = createTruth(await readArchiveInfo(inject("sandbox")));
  const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));
  const isField = (x: number, y: number): boolean => {
    const seen = AROUND.flatMap((dx) => AROUND.map((dy) => truth(...toDegrees(x + dx, y + dy), "2026-06-12")));
    return seen.every((there) => there.class === "crop" && Math.abs(there.ndvi - (seen[0]?.ndvi ?? 0)) < 1e-9);
  };
  const found: [number, number][] = [];
  for (let y = SOUTH + 100; y < NORTH - 100; y += 60) {
    for (let x = WEST + 100; x < EAST - 100; x += 60) if (isField(x, y)) found.push(toDegrees(x, y));
  }
  // spread over the scenes
  const points = Array.from({ length: FIELDS }, (_, i) => found[Math.floor((i * found.length) / FIELDS)]!);
  expect(new Set(points.map(String)).size).toBe(FIELDS);
  const worst = { sentinel: 0, landsat: 0, apart: 0 };
  let observations = 0;
  for (const [lon, lat] of points) {
    const query = `lon=${lon}&lat=${lat}&datetime=2025-06-16/2026-06-16&index=ndvi`;
    const { series } = (await (await service.get(`/v1/timeseries?${query}`)).json()) as { series: Row[] };
    // the other scenes have pixels of some hundred metres, which are several fields
    const off = (id: string): number => {
      const row = series.find(({ itemId }) => itemId === id);
      expect([id, row?.value]).toEqual([id, expect.any(Number)]);
      observations += 1;
      return (row?.value ?? 0) - truth(lon, lat, row?.datetime.slice(0, 10)).ndvi;
    };
    const [sentinel, landsat] = [off(S2.native), off(LANDSAT.native)];
    worst.sentinel = Math.max(worst.sentinel, Math.abs(sentinel));
    worst.landsat = Math.max(worst.landsat, Math.abs(landsat));
    worst.apart = Math.max(worst.apart, Math.abs(sentinel - landsat));
  }
  expect(observations).toBe(2 * FIELDS);
  expect(Math.max(worst.sentinel, worst.landsat, worst.apart)).toBeLessThanOrEqual(TOLERANCE);
});
