import fc from "fast-check";
import { expect, test } from "vitest";
import { createWarpContext, defaultWarpContext } from "../src/context.ts";
import { styleRaster } from "../src/style.ts";
import { planWarp, sourceWindow, warp, warpAll } from "../src/warp.ts";
import { bytesOf, drawnOf, SCENE, WHOLE, warps } from "./made.ts";

test("a warp gives the same bytes in any context, whatever that was used for before, and once it is closed", () => {
  const shared = createWarpContext();
  fc.assert(
    fc.property(warps, fc.constantFrom("nearest" as const, "bilinear" as const), (drawn, resampling) => {
      const { target, raster } = drawnOf(drawn);
      const expected = warp(planWarp(SCENE, target), raster, WHOLE, resampling);
      const closed = createWarpContext({ poolBytes: 1 << 20 });
      const plan = planWarp(SCENE, target, { context: closed });
      const results = [shared, closed].map((context) =>
        warp(planWarp(SCENE, target, { context }), raster, WHOLE, resampling),
      );
      const window = sourceWindow(plan, resampling);
      results.push(warp(plan, raster, WHOLE, resampling));
      closed.close();
      // the first warp of a plan and later ones take different ways
      for (let use = 0; use < 2; use++) results.push(warp(plan, raster, WHOLE, resampling));
      expect(sourceWindow(planWarp(SCENE, target, { context: closed }), resampling)).toEqual(window);
      for (const { bands, valid } of results) {
        expect(bytesOf(valid).equals(bytesOf(expected.valid))).toBe(true);
        bands.forEach((band, b) => {
          expect(bytesOf(band).equals(bytesOf(expected.bands[b]!))).toBe(true);
        });
      }
    }),
    { numRuns: 15 },
  );
});

test("a plan of a context that is closed before its first warp warps by plain JavaScript", () => {
  const { target, raster } = drawnOf(fc.sample(warps, { numRuns: 1, seed: 3 })[0]!);
  const context = createWarpContext();
  const plan = planWarp(SCENE, target, { context });
  context.close();
  expect(plan.inner).toBeUndefined();
  expect(warpAll(plan, [raster], WHOLE, "bilinear")).toEqual(
    warpAll(planWarp(SCENE, target), [raster], WHOLE, "bilinear"),
  );
});

test("the context of a thread is one until it is closed, and then another", () => {
  const first = defaultWarpContext();
  expect(defaultWarpContext()).toBe(first);
  first.close();
  const second = defaultWarpContext();
  expect(second).not.toBe(first);
  const grid = { ...SCENE, width: 2, height: 1 };
  const raster = { grid, bands: [Uint16Array.of(0, 1000)], valid: Uint8Array.of(1, 1) };
  const style = { rescale: [[0, 1000]] } as const;
  expect([...styleRaster(raster, style, { context: first }).data]).toEqual([0, 255]);
  expect(styleRaster(raster, style, { context: first })).toEqual(styleRaster(raster, style, { context: second }));
});
