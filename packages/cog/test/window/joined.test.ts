import { gridFromBounds, type Raster, resolveCrs, transformer } from "@swath/raster";
import { expect, test } from "vitest";
import { BlockCache, memorySource, openCog, readGrid, readGrids } from "../../src/index.ts";
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
const BANDS = [
  [0, 1, 2],
  [2, 1, 0],
  [1, 1],
  [0, 2, 1, 0],
];
const open = (name: string) => openCog(memorySource(local(name), name), { codecs: nodeCodecs });
const contentOf = (raster: Raster | undefined): Uint8Array[] => [raster!.valid, ...raster!.bands].map(bytesOf);

/** Grids of Mercator and of the file's own CRS, inside the file and across its edge. */
function targetsOf(crs: Raster["grid"]["crs"]) {
  const mercator = resolveCrs("EPSG:3857");
  return [60, -40].flatMap((right) => {
    const [x, y] = transformer(crs, mercator)(500_000 + right, 4_999_930);
    const [west, north] = [500_000 + right, 4_999_930];
    return [
      { crs: mercator, transform: [9, 0, x, 0, -9, y], width: 20, height: 20 } as const,
      gridFromBounds(crs, [west, north - 180, west + 180, north], 25, 25),
    ];
  });
}

test.each(NAMES.flatMap((name) => [undefined, null, 0, 95, 300].map((nodata) => ({ name, nodata }))))(
  "bands of $name that are read together have the pixels of each alone, without data: $nodata",
  async ({ name, nodata }) => {
    const cog = await open(name);
    for (const resampling of ["bilinear", "nearest"] as const) {
      for (const target of targetsOf(cog.grid.crs)) {
        const alone = await Promise.all(
          [0, 1, 2].map((band) => readGrid(cog, target, { resampling, nodata, bands: [band] })),
        );
        for (const bands of BANDS) {
          const reads = bands.map((band) => ({ file: cog, bands: [band], nodata }));
          const together = await readGrids(reads, target, { resampling });
          expect(together.map(contentOf)).toEqual(bands.map((band) => contentOf(alone[band])));
        }
      }
    }
  },
);

test("each block is asked for once, whatever the number of bands in it", async () => {
  const [cog, other] = await Promise.all([open("packbits-uint8.tif"), open("packbits-uint8.tif")]);
  const target = targetsOf(cog.grid.crs)[0]!;
  const asked = async (reads: Parameters<typeof readGrids>[0]): Promise<number> => {
    const cache = new BlockCache({ maxBytes: 1 << 20 });
    await readGrids(reads, target, { cache });
    return cache.use.hits + cache.use.misses;
  };
  const blocks = await asked([{ file: cog, bands: [0] }]);
  expect(blocks).toBeGreaterThan(0);
  expect(await asked([0, 1, 2].map((band) => ({ file: cog, bands: [band] })))).toBe(blocks);
  // another rule of data, another file and another level are read by themselves
  const first = { file: cog, bands: [0] };
  expect(await asked([first, { file: cog, bands: [1], nodata: 7 }])).toBe(2 * blocks);
  expect(await asked([first, { file: other, bands: [1] }])).toBe(2 * blocks);
  expect(await asked([first, { file: cog }])).toBe(2 * blocks);
});
