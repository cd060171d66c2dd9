import { gridFromBounds, resolveCrs } from "@swath/raster";
import { warp } from "@swath/raster/warp";
import { expect, test } from "vitest";
import { closeDefaultGridContext, GridContext, memorySource, openCog, readGrid } from "../../src/index.ts";
import { defaultContext } from "../../src/window/grid-context.ts";
import { local } from "../fixtures.ts";

const SOURCE = gridFromBounds(resolveCrs("EPSG:32633"), [500_000, 5_500_000, 510_000, 5_510_000], 1000, 1000);
const target = (size: number) =>
  gridFromBounds(resolveCrs("EPSG:3857"), [1_672_000, 6_390_000, 1_682_000, 6_400_000], size, size);

test("plans are kept until they are released, and give the same pixels before, after and while they are read with", () => {
  const window = { x: 0, y: 0, width: 1000, height: 1000 };
  const band = Uint16Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) % 65_521);
  const raster = { grid: SOURCE, bands: [band], valid: new Uint8Array(1_000_000).fill(1) };
  // a map tile, and what is large
  for (const size of [256, 600]) {
    const plan = defaultContext.planFor(SOURCE, target(size));
    expect(defaultContext.planFor(SOURCE, target(size))).toBe(plan);
    const before = warp(plan, raster, window, "bilinear");
    expect(before.valid).toContain(1);
    closeDefaultGridContext();
    expect(warp(plan, raster, window, "bilinear")).toEqual(before);
    const after = defaultContext.planFor(SOURCE, target(size));
    expect(after).not.toBe(plan);
    expect(warp(after, raster, window, "bilinear")).toEqual(before);
  }
});

test("a context of the caller's own keeps its plans apart, and can be used after it was closed", async () => {
  const [mine, other] = [new GridContext(), new GridContext()];
  const plan = mine.planFor(SOURCE, target(256));
  expect(mine.planFor(SOURCE, target(256))).toBe(plan);
  expect(other.planFor(SOURCE, target(256))).not.toBe(plan);
  other.close();
  closeDefaultGridContext();
  expect(mine.planFor(SOURCE, target(256))).toBe(plan);
  mine.close();
  expect(mine.planFor(SOURCE, target(256))).not.toBe(plan);
  const cog = await openCog(memorySource(local("deflate-uint16.tif")));
  const expected = await readGrid(cog, cog.grid);
  expect(await readGrid(cog, cog.grid, { context: mine })).toEqual(expected);
  mine.close();
  expect(await readGrid(cog, cog.grid, { context: mine })).toEqual(expected);
});

test("plans are released without the buffers for windows, which are used again", () => {
  const context = new GridContext();
  const plan = context.planFor(SOURCE, target(256));
  const samples = context.takeSamples("uint16", 100_000);
  context.free([samples]);
  context.releasePlans();
  expect(context.planFor(SOURCE, target(256))).not.toBe(plan);
  const again = context.takeSamples("uint16", 100_000);
  expect(again.buffer).toBe(samples.buffer);
  context.free([again]);
  context.close();
  expect(context.takeSamples("uint16", 100_000).buffer).not.toBe(samples.buffer);
});
