// Run with: node bench/raster.ts [iterations]. Prints minimum and median milliseconds of a 256 × 256 tile.

import {
  type Grid,
  parseExpression,
  type Raster,
  resolveCrs,
  type Samples,
  tileGrid,
  transformer,
} from "../src/index.ts";
import { colormap, styleRaster } from "../src/style.ts";
import { planWarp, sourceWindow, warp } from "../src/warp.ts";

const iterations = Number(process.argv[2] ?? 300);
let sink = 0;

function time(name: string, run: () => number): void {
  for (let i = 0; i < 20; i++) sink += run();
  const times = Array.from({ length: iterations }, () => {
    const start = performance.now();
    sink += run();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const at = (part: number): string => (times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(3);
  console.log(`${name.padEnd(58)} min ${at(0)}  median ${at(0.5)} ms`);
}

/** Seeded (mulberry32). */
let state = 42;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const source: Grid = {
  crs: resolveCrs("EPSG:32633"),
  transform: [10, 0, 399960, 0, -10, 5600040],
  width: 10980,
  height: 10980,
};
const target = tileGrid("WebMercatorQuad", 14, 8822, 5527);
const plan = planWarp(source, target);
const window = sourceWindow(plan, "bilinear");
if (window === undefined) throw new Error("The tile must be inside the source.");
const count = window.width * window.height;
const make = (valid: Uint8Array): Raster => ({
  grid: source,
  bands: [1, 2, 3].map(() => Uint16Array.from({ length: count }, () => 1000 + random() * 9000)) as Samples[],
  valid,
});
const full = make(new Uint8Array(count).fill(1));
const gaps = make(Uint8Array.from({ length: count }, () => (random() < 0.1 ? 0 : 1)));

for (const method of ["nearest", "bilinear"] as const) {
  time(`plan ${method}`, () => sourceWindow(planWarp(source, target), method)?.x ?? 0);
  time(`plan + warp ${method}, 3 × uint16`, () => {
    const made = planWarp(source, target);
    sourceWindow(made, method);
    return warp(made, full, window, method).valid[0] ?? 0;
  });
  time(`plan + warp ${method}, 3 × uint16, a tenth without data`, () => {
    const made = planWarp(source, target);
    sourceWindow(made, method);
    return warp(made, gaps, window, method).valid[0] ?? 0;
  });
}
const aligned: Grid = { ...source, transform: [10, 0, 450000, 0, -10, 5500000], width: 256, height: 256 };
time("plan + warp nearest, same CRS, 3 × uint16", () => {
  const made = planWarp(source, aligned);
  const needed = sourceWindow(made, "nearest");
  if (needed === undefined) return 0;
  const part = { ...full, bands: full.bands.map(() => new Uint16Array(65536)), valid: new Uint8Array(65536) };
  return warp(made, part, needed, "nearest").valid[0] ?? 0;
});
time("proj4 for every pixel, for comparison", () => {
  const transform = transformer(target.crs, source.crs);
  const [a, , c, , e, f] = target.transform;
  let sum = 0;
  for (let row = 0; row < 256; row++) {
    for (let col = 0; col < 256; col++) sum += transform(a * (col + 0.5) + c, e * (row + 0.5) + f)[0];
  }
  return sum;
});

const warped = warp(plan, full, window, "bilinear");
const expression = parseExpression("(b1-b2)/(b1+b2-2000)", ["b1", "b2", "b3"]);
const warpedHoles = warp(plan, gaps, window, "bilinear");
time("style RGB, 3 × uint16", () => styleRaster(warped, { rescale: [[1000, 5000]] }).data[0] ?? 0);
time("style RGBA, a tenth without data", () => {
  return styleRaster(warpedHoles, { rescale: [[1000, 5000]] }).data[0] ?? 0;
});
time("style NDVI with rdylgn (expression, rescale, palette)", () => {
  const style = { expression, rescale: [[-0.2, 0.8]], colormap: colormap("rdylgn") } as const;
  return styleRaster(warped, style).data[0] ?? 0;
});
console.log(`Node ${process.version}, ${process.platform} ${process.arch}${Number.isNaN(sink) ? " NaN" : ""}`);
