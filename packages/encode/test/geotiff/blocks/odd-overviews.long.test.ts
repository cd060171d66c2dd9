import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Raster } from "@swath/raster";
import { fromArrayBuffer } from "geotiff";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../../../../../test/tools/searches.ts";
import { encodeGeoTiff } from "../../../src/index.ts";
import { gdalPixels, hasGdal } from "../../gdal.ts";
import { utmGrid } from "../../rasters.ts";

const ALL_SIZES = [
  [1099, 733],
  [1023, 1025],
  [997, 514],
  [641, 640],
] as const;
/** Sizes that are not divisible by the factors of their overviews, in remainders by 4 across and by 2 down. */
const SIZES = sampleOf(ALL_SIZES, ([width, height]) => [`${width % 4} across`, `${height % 2} down`]);

/** Bands whose values are the column and the row of the pixel's centre. */
function ramps(width: number, height: number): Raster {
  const columns = new Float32Array(width * height).map((_, i) => (i % width) + 0.5);
  const rows = new Float32Array(width * height).map((_, i) => Math.floor(i / width) + 0.5);
  return { grid: utmGrid(width, height), bands: [columns, rows], valid: new Uint8Array(width * height).fill(1) };
}

/** The largest distance of a pixel from where a reader expects it, in pixels of its level. */
function drift(
  [columns, rows]: readonly ArrayLike<number>[],
  size: readonly number[],
  full: readonly number[],
): number {
  const [width, height] = size as [number, number];
  const [scaleX, scaleY] = [full[0]! / width, full[1]! / height];
  let furthest = 0;
  for (let i = 0; i < width * height; i++) {
    const x = columns![i]! / scaleX - ((i % width) + 0.5);
    const y = rows![i]! / scaleY - (Math.floor(i / width) + 0.5);
    furthest = Math.max(furthest, Math.abs(x), Math.abs(y));
  }
  return furthest;
}

describe.each(SIZES)("overviews of %i × %i pixels", (width, height) => {
  test("by average are where readers expect them, to a fortieth of a pixel", async () => {
    const raster = ramps(width, height);
    const bytes = await encodeGeoTiff(raster, { blockSize: 64, predictor: 1, overviewResampling: "average" });
    const tiff = await fromArrayBuffer(new Uint8Array(bytes).buffer);
    const count = await tiff.getImageCount();
    expect(count).toBeGreaterThan(4);
    for (let level = 1; level < count; level++) {
      const image = await tiff.getImage(level);
      const bands = (await image.readRasters({ interleave: false })) as unknown as Float32Array[];
      const found = drift(bands, [image.getWidth(), image.getHeight()], [width, height]);
      expect(found, `level ${level}`).toBeLessThan(0.025);
    }
  });
});

describe.skipIf(!hasGdal)("as GDAL", () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "swath-odd-"));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test.each(SIZES)("%i × %i pixels by nearest are those of gdaladdo on all levels", async (width, height) => {
    const raster = ramps(width, height);
    const options = { blockSize: 64, predictor: 1, overviewResampling: "nearest" } as const;
    const ours = join(directory, `${width}.tif`);
    const theirs = join(directory, `${width}-gdal.tif`);
    await writeFile(ours, await encodeGeoTiff(raster, { ...options, overviews: [2, 4, 8] }));
    await writeFile(theirs, await encodeGeoTiff(raster, { ...options, overviews: [] }));
    execFileSync("gdaladdo", ["-q", "-r", "nearest", theirs, "2", "4", "8"], { stdio: ["ignore", "ignore", "ignore"] });
    for (const level of [0, 1, 2]) {
      expect(Buffer.compare(await gdalPixels(ours, level), await gdalPixels(theirs, level)), `level ${level}`).toBe(0);
    }
  });

  test.each(SIZES)("%i × %i pixels by average are those of gdaladdo to a hundredth", async (width, height) => {
    const raster = ramps(width, height);
    const options = { blockSize: 64, predictor: 1, overviewResampling: "average" } as const;
    const ours = join(directory, `${width}-average.tif`);
    const theirs = join(directory, `${width}-average-gdal.tif`);
    await writeFile(ours, await encodeGeoTiff(raster, { ...options, overviews: [2] }));
    await writeFile(theirs, await encodeGeoTiff(raster, { ...options, overviews: [] }));
    execFileSync("gdaladdo", ["-q", "-r", "average", theirs, "2"], { stdio: ["ignore", "ignore", "ignore"] });
    const [a, b] = [await gdalPixels(ours, 0), await gdalPixels(theirs, 0)].map(
      (bytes) => new Float32Array(bytes.buffer),
    );
    let largest = 0;
    for (let i = 0; i < a!.length; i++) largest = Math.max(largest, Math.abs(a![i]! - b![i]!));
    expect(largest).toBeLessThan(0.01);
  });
});
