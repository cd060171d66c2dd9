import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { searches } from "../../../../../test/tools/searches.ts";
import { ownedContext } from "../../../src/context.ts";
import { type Grid, resolveCrs, transformer } from "../../../src/index.ts";
import { allocateSamples, type Samples, type SampleType } from "../../../src/raster/samples.ts";
import { allocateStencils, blend, STENCILS, type Stencils } from "../../../src/warp/blend/blend.ts";
import { blendingOf } from "../../../src/warp/blend/blending.ts";
import { planWarp, sourceWindow, warp } from "../../../src/warp.ts";
import { bytesOf, drawnOf, noise, SCENE, samplesOf, WHOLE, warps } from "../../made.ts";
import { whereForbidden } from "../../where-forbidden.ts";

const TYPES: readonly SampleType[] = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"];

/** Stencils anywhere in a window, a share of them without data; among the weights 0, halves and 1. */
function stencilsOf(width: number, height: number, gaps: number, random: () => number): Stencils {
  const stencils = allocateStencils(width, height);
  const weight = (): number => [0, 0.25, 0.5, 1][Math.floor(random() * 12)] ?? random();
  for (let i = 0; i < STENCILS; i++) {
    const column = Math.floor(random() * Math.max(1, width - 1));
    const row = Math.floor(random() * Math.max(1, height - 1));
    stencils.index[i] = random() < gaps ? -1 : row * width + column;
    stencils.weightX[i] = weight();
    stencils.weightY[i] = weight();
  }
  return stencils;
}

describe.each(TYPES)("means of %s", (type) => {
  test("are those of plain JavaScript to the last bit", () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.integer(),
          width: fc.integer({ min: 1, max: 40 }),
          height: fc.integer({ min: 1, max: 40 }),
          bands: fc.integer({ min: 1, max: 4 }),
          gaps: fc.constantFrom(0, 0.02, 0.6),
          first: fc.integer({ min: 0, max: STENCILS - 1 }),
          before: fc.integer({ min: 0, max: 9 }),
        }),
        ({ seed, width, height, bands, gaps, first, before }) => {
          const random = noise(seed);
          const stencils = stencilsOf(width, height, gaps, random);
          const count = Math.floor(random() * (STENCILS - first)) + 1;
          const sources = Array.from({ length: bands }, () => samplesOf(type, width * height, random));
          const blending = blendingOf(ownedContext(undefined).kernels, sources, { width, height }, STENCILS);
          blending.use(stencils, first, count);
          for (const source of sources) {
            const [ours, plain] = [0, 0].map(() => allocateSamples(type, before + count + 3)) as [Samples, Samples];
            blending.write(source, ours, before);
            blend(source, stencils, first, count, plain, before);
            expect(bytesOf(ours).equals(bytesOf(plain))).toBe(true);
          }
        },
      ),
    );
  });
});

test("stencils found from source coordinates are those around them", () => {
  const [x, y, width, height] = [7, 9, 50, 40];
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: STENCILS }), fc.nat(50), (seed, count, first) => {
      const random = noise(seed);
      const places = first + count;
      const cols = Int32Array.from({ length: places }, () => x + 1 + Math.floor(random() * (width - 2)));
      const rows = Int32Array.from({ length: places }, () => y + 1 + Math.floor(random() * (height - 2)));
      const offset = (): number => [0, -0, 0.5, -0.5][Math.floor(random() * 20)] ?? random() - 0.5;
      const dx = Float32Array.from({ length: places }, offset);
      const dy = Float32Array.from({ length: places }, offset);
      const stencils = allocateStencils(width, height);
      // the sign, of zero too, says on which side of the centre the point is
      const isBefore = (value: number): 0 | 1 => (value < 0 || Object.is(value, -0) ? 1 : 0);
      for (let i = 0; i < count; i++) {
        const [k, backX, backY] = [first + i, isBefore(dx[first + i]!), isBefore(dy[first + i]!)];
        stencils.index[i] = (rows[k]! - y - backY) * width + cols[k]! - x - backX;
        stencils.weightX[i] = dx[k]! + backX;
        stencils.weightY[i] = dy[k]! + backY;
      }
      for (const type of ["uint8", "int16", "float32"] as const) {
        const source = samplesOf(type, width * height, random);
        const [ours, plain] = [0, 0].map(() => allocateSamples(type, count)) as [Samples, Samples];
        const blending = blendingOf(ownedContext(undefined).kernels, [source], { width, height }, STENCILS);
        expect(blending.takesSourcePixels).toBe(true);
        const limits = { minCol: x + 1, minRow: y + 1, maxCol: x + width - 2, maxRow: y + height - 2 };
        blending.useSourcePixels({ cols, rows, dx, dy, ...limits }, { x, y, width, height }, first, count);
        blending.write(source, ours, 0);
        blend(source, stencils, 0, count, plain, 0);
        expect(bytesOf(ours).equals(bytesOf(plain))).toBe(true);
      }
    }),
  );
});

test("a window that is hardly looked at is not copied", () => {
  const [side, source] = [1000, new Uint16Array(1_000_000).fill(77)];
  expect(
    blendingOf(ownedContext(undefined).kernels, [source], { width: side, height: side }, 1_000_000 / 32)
      .takesSourcePixels,
  ).toBe(true);
  const blending = blendingOf(
    ownedContext(undefined).kernels,
    [source],
    { width: side, height: side },
    1_000_000 / 32 - 1,
  );
  expect(blending.takesSourcePixels).toBe(false);
  blending.use(stencilsOf(side, side, 0, noise(9)), 0, 10);
  const out = new Uint16Array(10);
  blending.write(source, out, 0);
  expect([...out]).toEqual(new Array(10).fill(77));
});

test("a released plan computes source coordinates again before its bands are blended", () => {
  const grid = (epsg: number, pixel: number, west: number, north: number, size: number): Grid => ({
    crs: resolveCrs(`EPSG:${epsg}`),
    transform: [pixel, 0, west, 0, -pixel, north],
    width: size,
    height: size,
  });
  const source = grid(32633, 10, 500_000, 5_600_000, 400);
  const [centreX, centreY] = transformer(source.crs, resolveCrs("EPSG:3857"))(502_000, 5_598_000);
  const plan = planWarp(source, grid(3857, 16, centreX - 800, centreY + 800, 100));
  const window = { x: 0, y: 0, width: 400, height: 400 };
  const raster = { grid: source, bands: [new Uint16Array(160_000).fill(4321)], valid: new Uint8Array(160_000).fill(1) };
  for (let time = 0; time < 2; time++) {
    const { bands, valid } = warp(plan, raster, window, "bilinear");
    expect(valid.every((flag) => flag === 1)).toBe(true);
    expect(new Set(bands[0])).toEqual(new Set([4321]));
    plan.release();
  }
});

test("source coordinates computed where they are used give what kept ones give", () => {
  let inner = 0;
  const property = fc.property(warps, (drawn) => {
    const { target, raster } = drawnOf(drawn);
    const plan = planWarp(SCENE, target);
    const first = warp(plan, raster, WHOLE, drawn.resampling);
    if (plan.inner !== undefined) inner += 1;
    // kept from the second use on
    for (const again of [plan, { ...planWarp(SCENE, target), inner: undefined }]) {
      const other = warp(again, raster, WHOLE, drawn.resampling);
      expect(first.bands.map(bytesOf)).toEqual(other.bands.map(bytesOf));
      expect(bytesOf(first.valid)).toEqual(bytesOf(other.valid));
      expect(sourceWindow(plan, drawn.resampling)).toEqual(sourceWindow(again, drawn.resampling));
    }
  });
  fc.assert(property, { numRuns: searches(20, 500) });
  expect(inner).toBeGreaterThan(5);
});

test("rasters are the same to the last bit where WebAssembly is forbidden", async () => {
  await whereForbidden(async () => {
    const plain = await import("../../../src/warp.ts");
    const property = fc.property(warps, (drawn) => {
      const { target, raster } = drawnOf(drawn);
      const ours = warp(planWarp(SCENE, target), raster, WHOLE, drawn.resampling);
      const theirs = plain.warp(plain.planWarp(SCENE, target), raster, WHOLE, drawn.resampling);
      expect(ours.bands.map(bytesOf)).toEqual(theirs.bands.map(bytesOf));
      expect(bytesOf(ours.valid)).toEqual(bytesOf(theirs.valid));
    });
    fc.assert(property, { numRuns: searches(20, 500) });
  });
});

test("bands of several types, and one given twice, are blended side by side", () => {
  const random = noise(7);
  const stencils = stencilsOf(20, 20, 0, random);
  const [bytes, words, longs] = (["uint8", "int16", "int32"] as const).map((type) => samplesOf(type, 400, random)) as [
    Samples,
    Samples,
    Samples,
  ];
  const sources = [bytes, words, bytes, longs];
  const blending = blendingOf(ownedContext(undefined).kernels, sources, { width: 20, height: 20 }, STENCILS);
  blending.use(stencils, 0, STENCILS);
  for (const source of sources) {
    const ours = source.slice(0, 0).constructor as new (length: number) => Samples;
    const [out, plain] = [new ours(STENCILS), new ours(STENCILS)];
    blending.write(source, out, 0);
    blend(source, stencils, 0, STENCILS, plain, 0);
    expect(out).toEqual(plain);
  }
});

test("where WebAssembly is forbidden the same comes out, more slowly", async () => {
  const random = noise(8);
  const stencils = stencilsOf(30, 20, 0.1, random);
  const source = samplesOf("uint16", 600, random);
  const [ours, plain] = [new Uint16Array(STENCILS), new Uint16Array(STENCILS)];
  blend(source, stencils, 0, STENCILS, plain, 0);
  await whereForbidden(async (asked) => {
    const { blendingOf: blendingHere } = await import("../../../src/warp/blend/blending.ts");
    const { ownedContext: contextHere } = await import("../../../src/context.ts");
    for (let time = 0; time < 2; time++) {
      const blending = blendingHere(contextHere(undefined).kernels, [source], { width: 30, height: 20 }, STENCILS);
      blending.use(stencils, 0, STENCILS);
      blending.write(source, ours.fill(0), 0);
      expect(ours).toEqual(plain);
    }
    expect(asked()).toBe(1);
  });
});
