import fc from "fast-check";
import { type Grid, type Raster, resolveCrs, transformer } from "../src/index.ts";
import { allocateSamples, type Samples, type SampleType } from "../src/raster/samples.ts";

/** Numbers that look like noise, the same for the same seed: 0 to 1. */
export function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Bits of all kinds: lowest and highest values among them, for floats every size but no NaN. */
export function samplesOf(type: SampleType, length: number, random: () => number): Samples {
  const samples = allocateSamples(type, length);
  const isFloat = type.startsWith("float");
  for (let i = 0; i < length; i++) {
    const extreme = random();
    if (isFloat) samples[i] = (random() - 0.5) * 10 ** Math.floor(random() * 12 - 6);
    else if (extreme < 0.1) samples[i] = 2 ** (8 * samples.BYTES_PER_ELEMENT) - 1;
    else if (extreme < 0.2) samples[i] = 2 ** (8 * samples.BYTES_PER_ELEMENT - 1);
    else samples[i] = Math.floor(random() * 2 ** 32);
  }
  return samples;
}

export const bytesOf = ({ buffer, byteOffset, byteLength }: Samples): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A scene, windows of noise in it, and targets: most are inside, the others across its edge. */
export const SCENE: Grid = {
  crs: resolveCrs("EPSG:32633"),
  transform: [10, 0, 500_000, 0, -10, 5_600_000],
  width: 700,
  height: 500,
};
export const WHOLE = { x: 0, y: 0, width: SCENE.width, height: SCENE.height };
export const warps = fc.record({
  seed: fc.integer(),
  type: fc.constantFrom<SampleType>("uint8", "int16", "uint16", "float32", "float64"),
  bands: fc.integer({ min: 1, max: 3 }),
  resampling: fc.constantFrom("nearest", "bilinear"),
  gaps: fc.boolean(),
  // metres from the scene's corner
  right: fc.integer({ min: -500, max: 4000 }),
  down: fc.integer({ min: -500, max: 3000 }),
  pixel: fc.integer({ min: 2, max: 20 }),
  width: fc.integer({ min: 1, max: 600 }),
  height: fc.integer({ min: 1, max: 300 }),
});

export type Drawn = typeof warps extends fc.Arbitrary<infer T> ? T : never;

export function drawnOf({ seed, type, bands, gaps, right, down, pixel, width, height }: Drawn): {
  readonly target: Grid;
  readonly raster: Raster;
} {
  const random = noise(seed);
  const [x, y] = transformer(SCENE.crs, resolveCrs("EPSG:3857"))(500_000 + right, 5_600_000 - down);
  const target = { crs: resolveCrs("EPSG:3857"), transform: [pixel, 0, x, 0, -pixel, y], width, height } as const;
  const samples = Array.from({ length: bands }, () => samplesOf(type, 350_000, random));
  const valid = new Uint8Array(350_000).fill(1);
  if (gaps) for (let i = 0; i < valid.length; i += 1 + Math.floor(2000 * random())) valid[i] = 0;
  return { target, raster: { grid: SCENE, bands: samples, valid } };
}
