import { expect, test } from "vitest";
import { memorySource, openCog, readGrid, readWindow } from "../../src/index.ts";
import { local } from "../fixtures.ts";

async function whole(name: string, nodata?: number) {
  const cog = await openCog(memorySource(local(name), name));
  const { width, height } = cog.grid;
  return readWindow(cog, 0, { x: 0, y: 0, width, height }, { bands: [0], ...(nodata === undefined ? {} : { nodata }) });
}

test("a nodata value of the caller's stands in for the file's own", async () => {
  const own = await whole("deflate-uint16.tif");
  const value = own.bands[0]?.[5] as number;
  const { bands, valid } = await whole("deflate-uint16.tif", value);
  expect(bands[0]).toEqual(own.bands[0]);
  expect([...valid]).toEqual([...(bands[0] ?? [])].map((each) => (each === value ? 0 : 1)));
});

test("a nodata value of the caller's stands in for the file's mask", async () => {
  const masked = await whole("internal-mask.tif");
  const { valid } = await whole("internal-mask.tif", -1);
  expect(masked.valid).toContain(0);
  expect(valid).not.toContain(0);
});

test("on a grid too", async () => {
  const cog = await openCog(memorySource(local("deflate-uint16.tif"), "deflate-uint16.tif"));
  const value = (await whole("deflate-uint16.tif")).bands[0]?.[5] as number;
  const raster = await readGrid(cog, cog.grid, { bands: [0], nodata: value });
  expect(raster?.valid).toEqual((await whole("deflate-uint16.tif", value)).valid);
});
