import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BlockCache, GridContext, openCog, readGrid, readWindow } from "@swath/cog";
import { fileSource } from "@swath/cog/node";
import { toPhysical } from "@swath/mosaic";
import { type Grid, resolveCrs } from "@swath/raster";
import { SamplePool } from "@swath/raster/kernels";
import { readArchiveItems } from "@swath/sandbox/node";
import { expect, inject, onTestFinished, test } from "vitest";
import { type Band, writeArea } from "./area.ts";

async function sentinelBands(archive: string): Promise<Band[]> {
  const items = await readArchiveItems(archive);
  const item = items.find(({ id }) => /^S2A_T33TUL_2021070/.test(id)) ?? items.find(({ id }) => id.startsWith("S2"));
  return ["red", "nir"].map((name) => {
    const href = item?.assets[name]?.href ?? "";
    const path = fileURLToPath(new URL(href.replace("archive:", ""), pathToFileURL(`${archive}/`)));
    return { name, path, scale: 0.0001, offset: -0.1, nodata: 0 };
  });
}

test("an area is what a read of its grid gives, in physical values, with overviews and NaN beyond the files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "swath-area-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "area.tif");
  const bands = await sentinelBands(inject("sandbox"));
  const [first] = await Promise.all(bands.map((band) => openCog(fileSource(band.path))));
  const [a, , c, , e, f] = first!.grid.transform;
  // over the western edge of the scene, in pixels of another size
  const grid: Grid = {
    crs: first!.grid.crs,
    transform: [a / 1.3, 0, c - 200 * a, 0, e / 1.3, f + 100 * e],
    width: 1100,
    height: 700,
  };

  const cache = new BlockCache({ maxBytes: 4 << 20 });
  await writeArea(bands, grid, path, { cache, pool: new SamplePool(), context: new GridContext() });

  expect(await readdir(folder)).toEqual(["area.tif"]);
  const written = await openCog(fileSource(path));
  expect(written.levels.length).toBeGreaterThan(1);
  expect(written.bands.map(({ name }) => name)).toEqual(["red", "nir"]);
  const pixels = await readWindow(written, 0, { x: 0, y: 0, width: grid.width, height: grid.height });
  for (const [i, band] of bands.entries()) {
    const read = await readGrid(await openCog(fileSource(band.path)), grid, { level: "gdal", bands: [0] });
    expect(pixels.bands[i]).toEqual(toPhysical(read!.bands[0]!, read!.valid, band));
  }
  expect(pixels.bands[0]![0]).toBeNaN();
  expect(pixels.bands[0]!.some((value) => value > 0)).toBe(true);
});

test("a grid that no file touches is empty", async () => {
  const folder = await mkdtemp(join(tmpdir(), "swath-area-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "area.tif");
  const grid: Grid = {
    crs: resolveCrs("EPSG:4326"),
    transform: [0.001, 0, -100, 0, -0.001, 10],
    width: 40,
    height: 30,
  };
  await writeArea(await sentinelBands(inject("sandbox")), grid, path);
  const pixels = await readWindow(await openCog(fileSource(path)), 0, { x: 0, y: 0, width: 40, height: 30 });
  expect(pixels.valid).not.toContain(1);
});
