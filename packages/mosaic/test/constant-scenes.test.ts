import { join } from "node:path";
import { openCog, readGrid } from "@swath/cog";
import { fileSource } from "@swath/cog/node";
import { gridFromBounds, resolveCrs } from "@swath/raster";
import { describe, expect, test } from "vitest";
import { composeMosaic, type Scene } from "../src/index.ts";

const fixtures = process.env.SWATH_FIXTURES;

/** Rows y of band 1 of the mosaic by GDAL 3.6.2 (command in fixtures/README.md): how many pixels are nodata, 1 and 2. */
const ROWS = [
  { y: 0, counts: [240, 0, 0] },
  { y: 20, counts: [212, 14, 14] },
  { y: 40, counts: [75, 95, 70] },
  { y: 60, counts: [56, 114, 70] },
  { y: 80, counts: [57, 114, 69] },
  { y: 100, counts: [58, 112, 70] },
  { y: 120, counts: [58, 112, 70] },
  { y: 140, counts: [128, 56, 56] },
];

describe.skipIf(fixtures === undefined)("two real Landsat footprints with constant values", () => {
  const grid = gridFromBounds(resolveCrs("EPSG:3857"), [-8_500_000, 5_600_000, -7_900_000, 6_000_000], 240, 160);
  const scene = (value: number): Scene => ({
    id: String(value),
    read: async (target, options) => {
      const cog = await openCog(fileSource(join(fixtures ?? "", `cog/mosaic-constant-value-${value}.tif`)), options);
      return readGrid(cog, target, { resampling: "nearest", level: "full", bands: [0], ...options });
    },
  });

  test("each pixel is that of the first scene with data there, as gdalwarp finds", async () => {
    const { raster, used } = await composeMosaic([scene(1), scene(2)], grid);
    expect(used).toEqual(["1", "2"]);
    const valueAt = (i: number): number => (raster?.valid[i] === 1 ? (raster.bands[0]?.[i] ?? 0) : 0);
    const count = (from: number, to: number): number[] => {
      const counts = [0, 0, 0];
      for (let i = from; i < to; i++) counts[valueAt(i)]! += 1;
      return counts;
    };
    expect(ROWS.map(({ y }) => ({ y, counts: count(y * 240, y * 240 + 240) }))).toEqual(ROWS);
    expect(count(0, 240 * 160)).toEqual([17617, 12425, 8358]);
  });
});
