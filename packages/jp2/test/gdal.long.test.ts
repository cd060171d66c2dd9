import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BlockCache, readWindow } from "@swath/cog";
import { fileSource } from "@swath/cog/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { searches } from "../../../test/tools/searches.ts";
import { type Jp2, openJp2 } from "../src/index.ts";
import { hasGdal, randomTasks, readWithGdal, writeLayouts } from "./gdal/windows.ts";

/** Windows of each layout. */
const WINDOWS = searches(6, 100);
const LAYOUTS = [
  ...["sentinel-2.jp2", "one-tile.jp2", "tiles-512.jp2", "rpcl-unlisted.jp2", "irreversible.jp2"],
  ...["rgb.jp2", "rgb-irreversible.jp2"],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "swath-jp2-"));
  if (hasGdal) expect(writeLayouts(folder)).toEqual(LAYOUTS);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Resolutions that GDAL finds, the image among them. */
function levelsOfGdal(path: string): number {
  const info = JSON.parse(execFileSync("gdalinfo", ["-json", path], { encoding: "utf8" }));
  return 1 + (info.bands[0].overviews ?? []).length;
}

describe.skipIf(!hasGdal)("windows and reductions", () => {
  test.each(LAYOUTS)("of %s have GDAL's samples", async (name) => {
    const path = join(folder, name);
    const jp2: Jp2 = await openJp2(fileSource(path));
    const levels = levelsOfGdal(path);
    expect(jp2.levels.length).toBeGreaterThanOrEqual(levels);
    const tasks = randomTasks(path, jp2, levels, WINDOWS, 20_261_123);
    const { bands } = readWithGdal(tasks, new Map([[path, jp2]]));
    const cache = new BlockCache({ maxBytes: 64e6 });
    for (const [i, { level, ...window }] of tasks.entries()) {
      // kept tiles and tiles read in part in turn
      const how = i % 2 === 0 ? { cache } : { partialBlocks: true };
      const read = await readWindow(jp2, level, window, how);
      // also for irreversible files, which are decoded by the same library
      expect(read.bands, `window ${i}: ${JSON.stringify(tasks[i])}`).toEqual(bands[i]);
    }
  });
});
