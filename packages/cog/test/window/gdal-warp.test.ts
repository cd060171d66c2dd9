import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gridFromBounds, resolveCrs } from "@swath/raster";
import { describe, expect, test } from "vitest";
import { openCog, readGrid, readWindow } from "../../src/index.ts";
import { fileSource, nodeCodecs } from "../../src/node.ts";
import { fixtures } from "../fixtures.ts";

interface Expected {
  readonly file: string;
  readonly source: string;
  readonly dst_srs: string;
  readonly bounds: [number, number, number, number];
  readonly width: number;
  readonly height: number;
  readonly valid: number;
}

const list: Expected[] =
  fixtures === undefined ? [] : JSON.parse(readFileSync(join(fixtures, "expected/warp/index.json"), "utf8")).files;
const open = (name: string) => openCog(fileSource(join(fixtures ?? "", name)), { codecs: nodeCodecs });

describe.skipIf(fixtures === undefined)("gdalwarp -r near -et 0 -ovr NONE", () => {
  test.each(list)("$file is reproduced", async ({ file, source, dst_srs, bounds, width, height }) => {
    const answer = await open(file);
    const expected = await readWindow(answer, 0, { x: 0, y: 0, width, height });
    const cog = await open(source);
    const target = gridFromBounds(resolveCrs(dst_srs), bounds, width, height);
    const bands = Array.from({ length: cog.bandCount }, (_, band) => band);
    const read = await readGrid(cog, target, { bands, resampling: "nearest", level: "full" });
    let differing = 0;
    for (const band of bands) {
      for (let i = 0; i < width * height; i++) if (read!.bands[band]![i] !== expected.bands[band]![i]) differing++;
    }
    expect(differing).toBe(0);
  });
});
