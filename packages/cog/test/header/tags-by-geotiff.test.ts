import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GeoTIFF } from "geotiff";
import { describe, expect, test, vi } from "vitest";
import { locateDirectories } from "../../src/header/directories.ts";
import { HeaderBytes } from "../../src/header/header-bytes.ts";
import { readTags } from "../../src/header/tags.ts";
import { readTagsByGeotiff } from "../../src/header/tags-by-geotiff.ts";
import { IMAGE_TAGS } from "../../src/header/tiff-image.ts";
import { openCog } from "../../src/index.ts";
import { memorySource } from "../../src/sources/source.ts";
import { fixtures, local } from "../fixtures.ts";

const WANTED = [...IMAGE_TAGS, 320, 33550, 33922, 34264, 34735, 34736, 34737, 42112, 42113];

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tiff?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const own = filesIn(fileURLToPath(new URL("../fixtures", import.meta.url)));

describe.each([
  { of: "this package", files: own },
  { of: "SWATH_FIXTURES", files: fixtures === undefined ? [] : filesIn(fixtures) },
])("tags of the files of $of", ({ files }) => {
  test.skipIf(files.length === 0)("are geotiff's", async () => {
    let compared = 0;
    for (const path of files) {
      const header = new HeaderBytes(memorySource(readFileSync(path), path), 32_768, undefined);
      // damaged files are others' tests
      const layout = await locateDirectories({ bytes: header, key: path }).catch(() => undefined);
      for (const directory of layout?.directories ?? []) {
        const { littleEndian } = layout!;
        const how = { key: path, signal: undefined };
        const theirs = await readTagsByGeotiff(directory, WANTED, header, littleEndian, how).catch(() => undefined);
        if (theirs === undefined) continue;
        const ours = await readTags(directory, WANTED, header, littleEndian);
        for (const tag of WANTED) {
          const label = `${path} ${directory.offset} ${tag}`;
          expect([...ours.numbers(tag)], label).toEqual([...theirs.numbers(tag)]);
          // zeros after a text are padding
          expect(ours.text(tag)?.replace(/\0+$/, ""), label).toBe(theirs.text(tag)?.replace(/\0+$/, ""));
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(1000);
  });
});

test("geotiff reads the tags of big-endian files, and of no others", async () => {
  const parse = vi.spyOn(GeoTIFF, "fromSource");
  await openCog(memorySource(local("deflate-uint16.tif"), "little"));
  expect(parse).not.toHaveBeenCalled();
  await openCog(memorySource(local("big-endian-float64.tif"), "big"));
  expect(parse).toHaveBeenCalled();
  parse.mockRestore();
});
