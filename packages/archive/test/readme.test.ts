import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeGeoTiff } from "@swath/encode";
import { gridFromBounds, resolveCrs } from "@swath/raster";
import { expect, test } from "vitest";

const here = import.meta.dirname;

test("the README's example finds the item of a folder with one file", async () => {
  const readme = await readFile(join(here, "..", "README.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const work = await mkdtemp(join(here, "readme-"));
  try {
    await writeFile(join(work, "example.ts"), code.replace('"@swath/archive"', '"../../src/index.ts"'));
    const grid = gridFromBounds(resolveCrs("EPSG:32633"), [500_000, 4_999_360, 500_640, 5_000_000], 64, 64);
    const red = Uint16Array.from({ length: 64 * 64 }, (_, i) => 1000 + i);
    const tiff = await encodeGeoTiff(
      { grid, bands: [red], valid: new Uint8Array(64 * 64).fill(1) },
      { nodata: 0, bands: [{ name: "B04" }] },
    );
    await mkdir(join(work, "folder", "fields"), { recursive: true });
    await writeFile(join(work, "folder", "fields", "2024-05-01.tif"), tiff);
    const { newest } = await import(join(work, "example.ts"));
    const found = await newest(join(work, "folder"), work);
    expect(found).toMatchObject({ collections: ["fields"], refused: [] });
    expect(found.item.properties.datetime).toMatch(/^2024-05-01T/);
  } finally {
    await rm(work, { recursive: true });
  }
});
