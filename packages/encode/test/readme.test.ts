import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { decode } from "./images.ts";

test("the code of the README makes a GeoTIFF and a PNG", async () => {
  const readme = await readFile(join(import.meta.dirname, "../README.md"), "utf8");
  const code = readme.match(/```ts\n([\s\S]*?)```/)?.[1];
  const directory = await mkdtemp(join(import.meta.dirname, ".readme-"));
  try {
    const path = join(directory, "readme.ts");
    await writeFile(path, (code ?? "").replace('"@swath/encode"', '"../../src/index.ts"'));
    const { tiff, png, streamed } = (await import(pathToFileURL(path).href)) as Record<string, Uint8Array>;
    if (tiff === undefined || png === undefined) throw new Error("The README exports something else.");
    expect(streamed?.subarray(0, 4)).toEqual(tiff.subarray(0, 4));
    expect(new TextDecoder("latin1").decode(tiff.subarray(0, 38))).toContain("GDAL_STRUCTURAL_METADATA_SIZE");
    expect(await decode(png, "png")).toHaveLength(64 * 64 * 4);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
