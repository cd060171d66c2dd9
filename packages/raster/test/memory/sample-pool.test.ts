import { expect, test } from "vitest";
import { gridFromBounds, type Raster, resolveCrs, type Samples, transformer } from "../../src/index.ts";
import { SamplePool } from "../../src/kernels.ts";
import { styleRaster } from "../../src/style.ts";
import { planWarp, sourceWindow, warpAll } from "../../src/warp.ts";

test("memory given back is lent again, and to one taker only", () => {
  const pool = new SamplePool();
  const first = pool.take("uint16", 1000);
  expect([first.constructor, first.length]).toEqual([Uint16Array, 1000]);
  pool.release([first, first, first.subarray(10) as Samples]);
  const [second, third] = [pool.take("float32", 500), pool.take("float32", 500)];
  expect(second.buffer).toBe(first.buffer);
  expect(third.buffer).not.toBe(first.buffer);
});

test("memory of others is never lent", () => {
  const pool = new SamplePool();
  const foreign = new Uint8Array(65_536);
  pool.release([foreign]);
  expect(pool.take("uint8", 65_536).buffer).not.toBe(foreign.buffer);
});

test("no more is kept than allowed, and no larger buffers", () => {
  const pool = new SamplePool(65_536, 65_536);
  const taken = [pool.take("uint8", 10), pool.take("uint8", 10), pool.take("uint8", 70_000)];
  pool.release(taken);
  const again = [pool.take("uint8", 10), pool.take("uint8", 10), pool.take("uint8", 70_000)];
  expect(again.filter(({ buffer }) => taken.some((each) => each.buffer === buffer))).toHaveLength(1);
});

test("what used memory held does not show in warps and images", () => {
  const crs = resolveCrs("EPSG:32633");
  const grid = gridFromBounds(crs, [500_000, 5_590_000, 505_000, 5_600_000], 100, 200);
  // half of the target is outside
  const mercator = resolveCrs("EPSG:3857");
  const [x, y] = transformer(crs, mercator)(500_000, 5_595_000);
  const target = gridFromBounds(mercator, [x - 4000, y - 4000, x + 4000, y + 4000], 64, 64);
  const bands = [0, 1, 2].map((b) =>
    Uint16Array.from({ length: 20_000 }, (_, i) => (i % 90 === 0 ? 0 : 500 + i / 10 + b)),
  );
  const valid = Uint8Array.from(bands[0]!, (value) => (value === 0 ? 0 : 1));
  const plan = planWarp(grid, target);
  for (const resampling of ["nearest", "bilinear"] as const) {
    const window = sourceWindow(plan, resampling) ?? { x: 0, y: 0, width: 1, height: 1 };
    expect(window.width).toBeGreaterThan(1);
    const cut = (band: Uint16Array | Uint8Array): Uint16Array | Uint8Array =>
      band.filter((_, i) => {
        const [x, y] = [(i % 100) - window.x, Math.floor(i / 100) - window.y];
        return x >= 0 && y >= 0 && x < window.width && y < window.height;
      });
    const source = { grid, bands: bands.map(cut), valid: cut(valid) as Uint8Array } satisfies Raster;
    const pool = new SamplePool();
    const dirty = Array.from({ length: 6 }, () => pool.take("uint8", 65_536).fill(77));
    pool.release(dirty);
    const fresh = warpAll(plan, [source], window, resampling)[0]!;
    const used = warpAll(plan, [source], window, resampling, { pool })[0]!;
    expect(dirty.some(({ buffer }) => buffer === used.bands[0]!.buffer)).toBe(true);
    expect(fresh.valid.includes(0) && fresh.valid.includes(1)).toBe(true);
    expect(used).toEqual(fresh);
    const style = { rescale: [[0, 3000]] } as const;
    expect(styleRaster(used, style, { pool })).toEqual(styleRaster(fresh, style));
    plan.release();
    expect(warpAll(plan, [source], window, resampling)[0]).toEqual(fresh);
  }
});
