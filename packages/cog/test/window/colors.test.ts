import { resolveCrs, transformer } from "@swath/raster";
import { expect, test } from "vitest";
import { memorySource, openCog, readGrid, readWindow } from "../../src/index.ts";
import { nodeCodecs } from "../../src/node.ts";
import { bytesOf, local } from "../fixtures.ts";

const NAMES = [
  "packbits-uint8.tif",
  "webp-lossless.tif",
  "internal-mask.tif",
  "colors-nodata-sparse.tif",
  "grey-grey-alpha.tif",
  "jpeg-planar.tif",
] as const;

// inside the file, and across its edge; twice the same, since a plan that is used again takes another way
const TARGETS = [
  { right: 60, down: 60, size: 20 },
  { right: 60, down: 60, size: 20 },
  { right: -40, down: 120, size: 30 },
];

test.each(NAMES.flatMap((name) => [undefined, 0, 95, 300].map((nodata) => ({ name, nodata }))))(
  "three bands of $name are drawn as each alone, without data: $nodata",
  async ({ name, nodata }) => {
    const cog = await openCog(memorySource(local(name), name), { codecs: nodeCodecs });
    const mercator = resolveCrs("EPSG:3857");
    for (const resampling of ["bilinear", "nearest"] as const) {
      for (const { right, down, size } of TARGETS) {
        const [x, y] = transformer(cog.grid.crs, mercator)(500_000 + right, 5_000_000 - down);
        const target = { crs: mercator, transform: [9, 0, x, 0, -9, y], width: size, height: size } as const;
        const options = { resampling, nodata };
        const together = (await readGrid(cog, target, { ...options, bands: [0, 1, 2] }))!;
        // another order of bands is not read as colours
        const turned = (await readGrid(cog, target, { ...options, bands: [2, 0, 1] }))!;
        expect([1, 2, 0].map((i) => bytesOf(turned.bands[i]!))).toEqual(together.bands.map(bytesOf));
        expect(turned.valid).toEqual(together.valid);
        expect(new Set(together.bands[0]).size).toBeGreaterThan(5);
      }
    }
  },
);

test("an alpha band is no colour", async () => {
  const name = "grey-grey-alpha.tif";
  const cog = await openCog(memorySource(local(name), name));
  const { width, height } = cog.grid;
  const { bands, valid } = await readWindow(cog, 0, { x: 0, y: 0, width, height });
  expect([...valid]).toEqual(Array.from(bands[2]!, (alpha) => (alpha === 0 ? 0 : 1)));
  expect(valid).toContain(0);
});
