import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { resolveCrs, transformer } from "@swath/raster";
import { describe, expect, test } from "vitest";
import { memorySource, openCog, readWindow } from "../src/index.ts";

const fixtures = process.env.SWATH_FIXTURES;
const PIXELS = "import rasterio, sys; sys.stdout.buffer.write(rasterio.open(sys.argv[1]).read().tobytes())";
/** All samples of a file as GDAL reads them, band after band. */
const gdalBytes = (path: string): Buffer =>
  spawnSync("/usr/bin/python3", ["-c", PIXELS, path], { maxBuffer: 1 << 28 }).stdout;
const hasRasterio = spawnSync("/usr/bin/python3", ["-c", "import rasterio"]).status === 0;

/** Files that other software writes, and GDAL reads. */
const FILES = [
  "padded-blocks/lzwpadded.tif",
  "padded-blocks/lzw-croppedtile.tif",
  "padded-blocks/none-croppedtile.tif",
  "padded-blocks/deflate-croppedtile.tif",
  "padded-blocks/deflate-padded.tif",
  "strip-byte-counts/nocounts.tif",
  "strip-byte-counts/none-nocounts.tif",
  "strip-byte-counts/zerocounts.tif",
  "private-tags/danglingtag.tif",
  "private-tags/unknowntype.tif",
];

test.skipIf(fixtures === undefined)(
  "a key that names feet beside a code in metres is believed, as by GDAL",
  async () => {
    const cog = await openCog(
      memorySource(readFileSync(join(fixtures ?? "", "field/geokeys-linear-unit/keysfeetovercode.tif"))),
    );
    const { crs, transform } = cog.grid;
    const [lon, lat] = transformer(crs, resolveCrs("EPSG:4326"))(transform[2], transform[5]);
    // gdalinfo: 88d16'31.78"W, 41d52'59.19"N
    expect(lon).toBeCloseTo(-(88 + 16 / 60 + 31.78 / 3600), 5);
    expect(lat).toBeCloseTo(41 + 52 / 60 + 59.19 / 3600, 5);
  },
);

describe.skipIf(fixtures === undefined || !hasRasterio)("files whose writers take liberties", () => {
  test.each(FILES)("%s has GDAL's pixels", async (name) => {
    const path = join(fixtures ?? "", "field", name);
    const cog = await openCog(memorySource(readFileSync(path)));
    const { width, height } = cog.grid;
    const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width, height });
    const own = Buffer.concat(
      bands.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
    );
    expect(own.length).toBeGreaterThan(0);
    expect(own.equals(gdalBytes(path))).toBe(true);
  });
});
