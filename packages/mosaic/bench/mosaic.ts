import { type Grid, gridFromBounds, type Raster, resolveCrs } from "@swath/raster";
import { composeMosaic, maskExclude, rasterizePolygon, type Scene, selectScenes, toPhysical } from "../src/index.ts";

/** Seeded numbers in 0..1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Runs `work` `times` times after a tenth as many to warm up; prints minimum, median and maximum in milliseconds. */
async function measure(name: string, times: number, work: () => unknown): Promise<void> {
  const durations: number[] = [];
  let result: unknown;
  for (let i = -Math.ceil(times / 10); i < times; i++) {
    const start = performance.now();
    result = await work();
    if (i >= 0) durations.push(performance.now() - start);
  }
  durations.sort((a, b) => a - b);
  const [min = 0, median = 0, max = 0] = [durations[0], durations[durations.length >> 1], durations.at(-1)];
  const line = [min, median, max].map((ms) => ms.toFixed(3).padStart(9)).join(" ");
  console.log(`${line}  ${name}${result === undefined ? " (no result)" : ""}`);
}

const random = randomNumbers(1);
const tile = gridFromBounds(resolveCrs("EPSG:3857"), [1113194, 6800125, 1152330, 6839261], 256, 256);
const large = gridFromBounds(resolveCrs("EPSG:32632"), [500000, 5300000, 525000, 5325000], 2500, 2500);

function rasterOf(grid: Grid, has: (x: number, y: number) => boolean): Raster {
  const { width, height } = grid;
  const valid = Uint8Array.from({ length: width * height }, (_, i) => Number(has(i % width, Math.floor(i / width))));
  const bands = [0, 1, 2].map(() => Uint16Array.from(valid, () => random() * 10000));
  return { grid, bands, valid };
}

const whole = [
  [9.9, 51.8],
  [10.5, 51.8],
  [10.5, 52.3],
  [9.9, 52.3],
] as const;
const sceneOf = (id: number, raster: Raster): Scene => ({
  id: String(id),
  footprint: [whole],
  read: async () => raster,
});
const covering = rasterOf(tile, () => true);
const columnGroups = [0, 1, 2, 3, 4, 5].map((i) => rasterOf(tile, (x) => Math.floor(x / 43) === i));
const speckled = [0, 1, 2, 3, 4, 5].map(() => rasterOf(tile, () => random() < 0.4));
const star = Array.from({ length: 100 }, (_, i) => {
  const radius = i % 2 === 0 ? 12000 : 6000;
  return [512500 + radius * Math.cos((i * Math.PI) / 50), 5312500 + radius * Math.sin((i * Math.PI) / 50)];
});
const dn = Uint16Array.from({ length: 2500 * 2500 }, () => random() * 20000);
const valid = new Uint8Array(dn.length).fill(1);
const codes = Uint8Array.from(dn, () => (random() < 0.001 ? 2 : 1));
const footprints = Array.from({ length: 50 }, (_, i) => {
  const [x, y] = [random() * 0.8, random() * 0.8];
  return { id: String(i), footprint: [whole.map(([lon, lat]) => [lon + x - 0.6, lat + y - 0.4] as const)] };
});

console.log("      min    median       max  ms");
await measure("one covering scene, 256 × 256 × 3", 500, () => composeMosaic([sceneOf(0, covering)], tile));
await measure("six scenes, the top one covers", 500, () =>
  composeMosaic(
    Array.from({ length: 6 }, (_, i) => sceneOf(i, covering)),
    tile,
  ),
);
await measure("six scenes, a column group each", 300, () =>
  composeMosaic(
    columnGroups.map((raster, i) => sceneOf(i, raster)),
    tile,
  ),
);
await measure("six scenes, 40 % speckle each", 300, () =>
  composeMosaic(
    speckled.map((raster, i) => sceneOf(i, raster)),
    tile,
  ),
);
await measure("select from 50 footprints", 50, () => selectScenes(footprints, [9.9, 51.8, 10.5, 52.3], 6));
await measure("polygon of 100 points, 2500 × 2500", 30, () =>
  rasterizePolygon({ type: "Polygon", coordinates: [star] }, large),
);
await measure("reflectance, 2500 × 2500", 20, () => toPhysical(dn, valid, { scale: 0.0001, offset: -0.1, nodata: 0 }));
await measure("mask grown by 60 pixels, 2500 × 2500", 10, () =>
  maskExclude(codes, 2500, 2500, new Set([2]), { pixels: 60 }),
);
