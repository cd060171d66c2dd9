import fc from "fast-check";
import { expect, test } from "vitest";
import { countValid, GridError, isComplete, type Raster, resolveCrs } from "../../src/index.ts";
import { SamplePool } from "../../src/kernels.ts";
import { styleRaster } from "../../src/style.ts";
import { deinterleaveRgb, planWarp, sourceWindow, warp, warpInterleavedRgb } from "../../src/warp.ts";
import { bytesOf, drawnOf, noise, SCENE, WHOLE, warps } from "../made.ts";
import { whereForbidden } from "../where-forbidden.ts";

/** Red, green and blue pixel by pixel. */
function joined([red, green, blue]: readonly ArrayLike<number>[]): Uint8Array {
  const colors = new Uint8Array(3 * red!.length);
  for (let i = 0; i < red!.length; i++) colors.set([red![i]!, green![i]!, blue![i]!], 3 * i);
  return colors;
}

/** Scenes of colours, in some of which some pixels are 0 in all three bands. */
const scenes = warps.map((drawn) => ({ ...drawn, type: "uint8" as const, bands: 3 }));

test("interleaved RGB is warped as its bands are, by the source coordinates of the first use and of later ones", () => {
  let [whole, refused] = [0, 0];
  const property = fc.property(scenes, fc.option(fc.nat(255), { nil: undefined }), (drawn, nodata) => {
    const { target, raster } = drawnOf(drawn);
    for (let i = 0; i < raster.valid.length; i++) {
      if (raster.valid[i] === 0) for (const band of raster.bands) band[i] = nodata ?? 0;
    }
    raster.valid.fill(1);
    if (nodata !== undefined) {
      for (let i = 0; i < raster.valid.length; i++) {
        if (raster.bands.every((band) => band[i] === nodata)) raster.valid[i] = 0;
      }
    }
    const colors = joined(raster.bands);
    const pool = new SamplePool();
    const plan = planWarp(SCENE, target);
    const bands = warp(planWarp(SCENE, target), raster, WHOLE, "bilinear");
    for (let use = 1; use <= 3; use++) {
      const ours = warpInterleavedRgb(plan, colors, WHOLE, nodata, { pool });
      if (ours === undefined) {
        refused += 1;
        // only targets that are not whole, or few pixels of a large window, are refused
        const isSparse = drawn.width * drawn.height * 32 < WHOLE.width * WHOLE.height;
        expect(isComplete(bands) && isComplete(raster) && !isSparse && touchesEdge(plan) === false).toBe(false);
        continue;
      }
      whole += 1;
      expect(ours.bands.map(bytesOf)).toEqual(bands.bands.map(bytesOf));
      expect(bytesOf(ours.valid)).toEqual(bytesOf(bands.valid));
      pool.release([...ours.bands, ours.valid]);
    }
  });
  fc.assert(property, { numRuns: 50 });
  expect(whole).toBeGreaterThan(5);
  expect(refused).toBeGreaterThan(5);
});

/** Whether target pixels read the outermost pixels of the scene. */
function touchesEdge(plan: ReturnType<typeof planWarp>): boolean {
  const { x, y, width, height } = sourceWindow(plan, "bilinear") ?? WHOLE;
  return x === 0 || y === 0 || x + width === SCENE.width || y + height === SCENE.height;
}

test("interleaved RGB of another size, and windows beyond the source, are refused; nodata that is no byte is no pixel's value", () => {
  const plan = planWarp(SCENE, { ...SCENE, crs: resolveCrs("EPSG:32632") });
  expect(() => warpInterleavedRgb(plan, new Uint8Array(29), { x: 0, y: 0, width: 3, height: 3 }, 0)).toThrow(GridError);
  expect(() => warpInterleavedRgb(plan, new Uint8Array(27), { x: 698, y: 0, width: 3, height: 3 }, 0)).toThrow(
    GridError,
  );
  const drawn = { seed: 1, type: "uint8", bands: 3, resampling: "bilinear", gaps: false } as const;
  const { target } = drawnOf({ ...drawn, right: 1000, down: 1000, pixel: 12, width: 200, height: 150 });
  const colors = new Uint8Array(3 * SCENE.width * SCENE.height).fill(44);
  for (const nodata of [300, -212, 44.5, Number.NaN]) {
    expect(
      warpInterleavedRgb(planWarp(SCENE, target), colors, WHOLE, nodata)?.bands[0]?.every((value) => value === 44),
    ).toBe(true);
  }
  expect(warpInterleavedRgb(planWarp(SCENE, target), colors, WHOLE, 44)).toBeUndefined();
});

test("windows smaller than the scene give the same RGB", () => {
  const property = fc.property(fc.integer(), fc.integer({ min: 1, max: 300 }), (seed, size) => {
    const drawn = { seed, type: "uint8", bands: 3, resampling: "bilinear", gaps: false } as const;
    const { target, raster } = drawnOf({ ...drawn, right: 1000, down: 1000, pixel: 12, width: size, height: size });
    const plan = planWarp(SCENE, target);
    const window = sourceWindow(plan, "bilinear")!;
    const parts = raster.bands.map((band) => {
      const part = new Uint8Array(window.width * window.height);
      for (let row = 0; row < window.height; row++) {
        const from = (window.y + row) * SCENE.width + window.x;
        part.set((band as Uint8Array).subarray(from, from + window.width), row * window.width);
      }
      return part;
    });
    const bands = warp(planWarp(SCENE, target), raster, WHOLE, "bilinear").bands.map(bytesOf);
    for (let use = 1; use <= 2; use++) {
      expect(warpInterleavedRgb(plan, joined(parts), window, 0)?.bands.map(bytesOf)).toEqual(bands);
    }
  });
  fc.assert(property, { numRuns: 40 });
});

test("interleaved RGB is deinterleaved, at any offset in memory", async () => {
  const property = fc.property(
    fc.integer(),
    fc.oneof(fc.nat(200), fc.integer({ min: 65_500, max: 140_000 })),
    (seed, count) => {
      const random = noise(seed);
      const bands = [0, 1, 2].map(() => Uint8Array.from({ length: count }, () => 256 * random()));
      for (const split of ways) {
        const planes = [0, 1, 2].map(() => new Uint8Array(count)) as [Uint8Array, Uint8Array, Uint8Array];
        split(joined(bands), planes);
        expect(planes.every((plane, i) => Buffer.compare(plane, bands[i]!) === 0)).toBe(true);
      }
    },
  );
  const ways = [deinterleaveRgb];
  await whereForbidden(async () => {
    ways.push((await import("../../src/warp.ts")).deinterleaveRgb);
    fc.assert(property, { numRuns: 30 });
  });
  const [two, three] = [new Uint8Array(2), new Uint8Array(3)];
  expect(() => deinterleaveRgb(new Uint8Array(9), [three, two, three])).toThrow(GridError);
});

test("gaps are counted and styled as plain JavaScript does", async () => {
  await whereForbidden(async () => {
    const plain = { ...(await import("../../src/index.ts")), ...(await import("../../src/style.ts")) };
    const sizes = fc.record({ width: fc.integer({ min: 1, max: 400 }), height: fc.integer({ min: 1, max: 400 }) });
    const property = fc.property(
      fc.integer(),
      sizes,
      fc.constantFrom(0, 0.001, 0.5, 1),
      (seed, { width, height }, gaps) => {
        const random = noise(seed);
        const count = width * height;
        const bands = [0, 1, 2].map(() => Uint8Array.from({ length: count }, () => 256 * random()));
        const valid = Uint8Array.from({ length: count }, () => (random() < gaps ? 0 : 1));
        const raster: Raster = { grid: { ...SCENE, width, height }, bands, valid };
        expect(countValid(raster)).toBe(valid.reduce((sum, flag) => sum + flag, 0));
        expect(plain.countValid(raster)).toBe(countValid(raster));
        const [ours, theirs] = [styleRaster(raster, {}), plain.styleRaster(raster, {})];
        expect(ours.channels).toBe(isComplete(raster) ? 3 : 4);
        expect(ours.channels).toBe(theirs.channels);
        expect(Buffer.compare(ours.data, theirs.data)).toBe(0);
      },
    );
    fc.assert(property, { numRuns: 40 });
  });
});
