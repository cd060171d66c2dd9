import { expect, test } from "vitest";
import { memorySource, openCog, readWindow } from "../src/index.ts";
import { local } from "./fixtures.ts";

const open = (name: string) => openCog(memorySource(local(name), name));

test("values that GDAL escaped twice are read as they were given", async () => {
  const cog = await open("gdal-escaped.tif");
  expect(cog.metadata).toEqual({ A: 'a & b < "c" > d', B: "1 &amp; 2" });
  expect(cog.bands[0]).toMatchObject({ name: 'x & y < "z"', unit: "a&b" });
});

test("the palette entry of nodata is transparent, as GDAL has it", async () => {
  const { palette, nodata } = await open("gdal-escaped.tif");
  expect(nodata).toBe(1);
  expect([...palette!.subarray(0, 12)]).toEqual([10, 20, 30, 255, 40, 50, 60, 0, 70, 80, 90, 255]);
});

test("samples of LERC in a big-endian file are GDAL's", async () => {
  const { bands } = await readWindow(await open("lerc-big-endian.tif"), 0, { x: 0, y: 0, width: 4, height: 4 });
  expect([...bands[0]!]).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
});
