import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CogError, openCog, readWindow } from "../src/index.ts";
import { fileSource, nodeCodecs } from "../src/node.ts";
import { bytesOf, fixtures } from "./fixtures.ts";

interface Facts {
  readonly open?: string;
  readonly read_error?: string;
  readonly size: [number, number];
  readonly bands: number;
  readonly dtype: string;
  readonly epsg: number | null;
  readonly geotransform: number[] | null;
  readonly mask: string;
  readonly gcps: number;
  readonly nodata: number | null;
  readonly overviews: { size: [number, number]; block: [number, number] }[];
  readonly stats?: { band: number; valid: number; sha256_le: string; samples: [number, number, number | null][] }[];
  readonly overview_pixels_band1?: { size: [number, number]; sha256_le: string }[];
}

const facts: Record<string, Facts> =
  fixtures === undefined ? {} : JSON.parse(readFileSync(join(fixtures, "expected/gdal-facts.json"), "utf8")).files;
const readable = Object.entries(facts).filter(([, fact]) => fact.open === undefined);
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const open = (name: string) => openCog(fileSource(join(fixtures ?? "", name)), { codecs: nodeCodecs });
const MASKS: Record<string, string> = {
  "all valid": "all-valid",
  "per-dataset mask": "mask",
  nodata: "nodata",
  alpha: "alpha",
};

describe.skipIf(fixtures === undefined)("what GDAL reads", () => {
  test.each(readable)("%s has GDAL's size, levels and georeference", async (name, fact) => {
    const cog = await open(name);
    expect([cog.levels[0]!.width, cog.levels[0]!.height]).toEqual(fact.size);
    expect(cog.bandCount).toBe(fact.bands);
    const sizes = fact.overviews.map((overview) => overview.size).sort((a, b) => b[0] - a[0]);
    expect(cog.levels.slice(1).map((level) => [level.width, level.height])).toEqual(sizes);
    if (fact.geotransform !== null && fact.gcps === 0 && !isIdentity(fact.geotransform)) {
      const [c, a, b, f, d, e] = fact.geotransform as [number, number, number, number, number, number];
      const expected = [a, b, c, d, e, f];
      cog.grid.transform.forEach((value, i) => {
        expect(value).toBeCloseTo(expected[i]!, 9);
      });
    }
    // GDAL 3.6 reads int8 as Byte, so that a nodata of -128 marks nothing there
    if (cog.sampleType !== "int8") expect(cog.mask).toBe(MASKS[fact.mask]);
    if (fact.epsg !== null && cog.georeferenced) expect(cog.grid.crs.name).toBe(`EPSG:${fact.epsg}`);
  });

  test.each(readable.filter(([, fact]) => (fact.stats ?? []).length > 0))(
    "%s has GDAL's samples",
    async (name, fact) => {
      const cog = await open(name);
      const [width, height] = fact.size;
      for (const { band, valid, sha256_le, samples } of fact.stats!) {
        const raster = await readWindow(cog, 0, { x: 0, y: 0, width, height }, { bands: [band - 1] });
        for (const [column, row, value] of cog.sampleType === "int8" ? [] : samples) {
          const read = raster.bands[0]![row * width + column]!;
          if (value === null) expect(read).toBeNaN();
          else expect(read).toBeCloseTo(value, 4);
        }
        expect(sha256(bytesOf(raster.bands[0]!))).toBe(sha256_le);
        // the facts count alpha files as all valid
        if (cog.sampleType !== "int8" && cog.mask !== "alpha")
          expect(raster.valid.reduce((sum, flag) => sum + flag, 0)).toBe(valid);
      }
    },
  );

  test.each(readable.filter(([, fact]) => (fact.overview_pixels_band1 ?? []).length > 0))(
    "%s has GDAL's overviews",
    async (name, fact) => {
      const cog = await open(name);
      for (const { size, sha256_le } of fact.overview_pixels_band1!) {
        const level = cog.levels.findIndex((candidate) => candidate.width === size[0] && candidate.height === size[1]);
        const raster = await readWindow(cog, level, { x: 0, y: 0, width: size[0], height: size[1] }, { bands: [0] });
        expect(sha256(bytesOf(raster.bands[0]!))).toBe(sha256_le);
      }
    },
  );
});

describe.skipIf(fixtures === undefined)("what GDAL refuses", () => {
  test.each(Object.entries(facts).filter(([, fact]) => fact.open !== undefined))(
    "%s is refused with a typed error",
    async (name) => {
      await expect(open(name)).rejects.toBeInstanceOf(CogError);
    },
  );

  test.each(Object.entries(facts).filter(([, fact]) => fact.read_error !== undefined))(
    "%s opens, and its damaged block is a typed error",
    async (name, fact) => {
      const cog = await open(name);
      const [width, height] = fact.size;
      await expect(readWindow(cog, 0, { x: 0, y: 0, width, height })).rejects.toMatchObject({
        code: "corrupt",
        lasting: true,
      });
    },
  );
});

function isIdentity(geotransform: readonly number[]): boolean {
  return geotransform.join() === "0,1,0,0,0,1";
}
