import { memorySource } from "@swath/cog";
import { encodeGeoTiff } from "@swath/encode";
import { gridFromBounds, resolveCrs, tileGrid, transformer } from "@swath/raster";
import { expect, test } from "vitest";
import { createResources } from "../../../src/run/resources.ts";
import { createReadScene } from "../../../src/run/scene/read-scene.ts";
import { plainRead } from "../reads.ts";

const SIDE = 300;
const GRID = gridFromBounds(resolveCrs("EPSG:32633"), [500_000, 5_000_000, 503_000, 5_003_000], SIDE, SIDE);

/** The tile that the middle of the file is in. */
function tileOf(zoom: number) {
  const [lon, lat] = transformer(GRID.crs, resolveCrs("EPSG:4326"))(501_500, 5_001_500);
  const row = ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom;
  return tileGrid("WebMercatorQuad", zoom, Math.floor(((lon + 180) / 360) * 2 ** zoom), Math.floor(row));
}

test("a scene whose bands are all in one file asks for each block of it once", async () => {
  const bands = [0, 1, 2].map((band) => Uint8Array.from({ length: SIDE * SIDE }, (_, i) => (i * (band + 7)) % 251));
  const valid = new Uint8Array(SIDE * SIDE).fill(1);
  const bytes = await encodeGeoTiff({ grid: GRID, bands, valid }, { blockSize: 128, nodata: 0 });
  const settings = { sources: { assetHosts: [], s3: { region: "us-west-2" } }, blockCacheBytes: 1 << 24 };
  const { signal } = new AbortController();
  const read = async (asked: readonly (readonly number[])[], zoom: number) => {
    const resources = createResources(settings, () => memorySource(bytes, "bands"));
    const files = asked.map((numbers) => ({ href: "bands", bands: numbers, nodata: 0 }));
    const raster = await createReadScene(resources)(plainRead("scene", files), tileOf(zoom), { signal });
    const { hits, misses } = resources.blocks.use;
    return { raster: raster!, blocks: hits + misses };
  };
  for (const zoom of [10, 14]) {
    const together = await read([[0], [1], [2]], zoom);
    const alone = await Promise.all([0, 1, 2].map((band) => read([[band]], zoom)));
    expect(together.blocks).toBe(alone[0]!.blocks);
    expect(together.raster.bands).toEqual(alone.map(({ raster }) => raster.bands[0]));
    const every = alone.map(({ raster }) => raster.valid).reduce((all, own) => all.map((is, i) => is & own[i]!));
    expect(together.raster.valid).toEqual(every);
    expect(every).toContain(0);
  }
});
