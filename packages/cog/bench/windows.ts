// Times of cold and warm windows: node --conditions=@swath/source bench/windows.ts FILE.tif [FILE.tif …]
// Prints the minimum and the 90th percentile of 30 runs, and what was read. Nothing is decoded twice in a cold run.
import { gridBounds, resolveCrs, tileGrid, transformBounds } from "@swath/raster";
import { BlockCache, type Cog, openCog, readGrid, readWindow } from "../src/index.ts";
import { fileSource, nodeCodecs } from "../src/node.ts";

const RUNS = 30;

async function time(name: string, run: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(share * (RUNS - 1))] ?? 0).toFixed(2).padStart(8);
  console.log(`${name.padEnd(44)} min ${at(0)} ms   p90 ${at(0.9)} ms`);
}

/** The web-mercator tile over the middle of the file whose pixels are about as fine as its own. */
function middleTile(cog: Cog) {
  const [west, south, east, north] = transformBounds(gridBounds(cog.grid), cog.grid.crs, resolveCrs("EPSG:3857"));
  const half = 20_037_508.342789244;
  const z = Math.max(0, Math.min(20, Math.round(Math.log2((2 * half) / 256 / ((east - west) / cog.grid.width)))));
  const size = (2 * half) / 2 ** z;
  return tileGrid(
    "WebMercatorQuad",
    z,
    Math.floor(((west + east) / 2 + half) / size),
    Math.floor((half - (south + north) / 2) / size),
  );
}

for (const path of process.argv.slice(2)) {
  const source = fileSource(path);
  const cog = await openCog(source, { codecs: nodeCodecs });
  const { width, height, blockWidth, blockHeight, compression } = cog.levels[0]!;
  console.log(
    `${path}: ${width} x ${height}, ${cog.bandCount} ${cog.sampleType}, ${compression} ${blockWidth} x ${blockHeight}`,
  );
  await time("open", () => openCog(source, { codecs: nodeCodecs }));
  const side = Math.min(256, width, height);
  const window = { x: (width - side) >> 1, y: (height - side) >> 1, width: side, height: side };
  const cache = new BlockCache({ maxBytes: 512e6 });
  await time(`cold window ${side} x ${side}`, () => readWindow(cog, 0, window));
  await time(`warm window ${side} x ${side}`, () => readWindow(cog, 0, window, { cache }));
  if (cog.georeferenced) {
    const target = middleTile(cog);
    for (const resampling of ["nearest", "bilinear"] as const) {
      await time(`cold tile, ${resampling}`, () => readGrid(cog, target, { resampling }));
      await time(`warm tile, ${resampling}`, () => readGrid(cog, target, { resampling, cache }));
    }
  }
  await source.close?.();
}
