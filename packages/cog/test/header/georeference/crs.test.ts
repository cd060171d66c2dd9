import { readFileSync } from "node:fs";
import { gridFromBounds, resolveCrs, transformer } from "@swath/raster";
import { expect, test } from "vitest";
import { levelFor, memorySource, openCog, readGrid, readWindow } from "../../../src/index.ts";
import { local } from "../../fixtures.ts";

interface Expected {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly lonLat: readonly (readonly [longitude: number, latitude: number])[];
}

const expected: Record<string, Expected> = JSON.parse(
  readFileSync(new URL("../../fixtures/crs/crs.json", import.meta.url), "utf8"),
);
const open = (name: string) => openCog(memorySource(local(`crs/${name}.tif`), name));
const WORLD = gridFromBounds(resolveCrs("EPSG:4326"), [-180, -80, 180, 80], 36, 16);

/** Files that say their CRS in words that are not read, or stand on a datum whose shift needs a grid file. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  "goode-homolosine": /projection "Goode_Homolosine" is not read/,
  "eckert-4": /projection "Eckert_IV" is not read/,
  "winkel-tripel": /projection "Winkel_Tripel" is not read/,
  nad27: /datum NAD27 needs a shift/,
  "nad27-albers": /datum NAD27 needs a shift/,
  ed50: /datum ED50 needs a shift/,
  tokyo: /datum Tokyo needs a shift/,
};

test.each(Object.keys(expected).filter((name) => REFUSED[name] === undefined))(
  "points of %s are where PROJ has them",
  async (name) => {
    const { points, lonLat } = expected[name]!;
    const cog = await open(name);
    expect(cog.georeferenced).toBe(true);
    const toLonLat = transformer(cog.grid.crs, resolveCrs("EPSG:4326"));
    // the seven parameters of OSGB36 are some metres from its grid; the others are within 0.2 m
    const tolerance = name === "osgb36" ? 5e-5 : 2e-6;
    points.forEach(([x, y], i) => {
      const [longitude, latitude] = toLonLat(x, y);
      expect(Math.abs(longitude - lonLat[i]![0])).toBeLessThan(tolerance);
      expect(Math.abs(latitude - lonLat[i]![1])).toBeLessThan(tolerance);
    });
    expect((await readGrid(cog, cog.grid))?.valid).not.toContain(0);
  },
);

test.each(["web-mercator-esri", "web-mercator-900913"])("%s is EPSG:3857", async (name) => {
  expect((await open(name)).grid.crs.name).toBe("EPSG:3857");
});

test.each(Object.keys(REFUSED))(
  "%s is read as pixels, and refused by name where it would have to be warped",
  async (name) => {
    const cog = await open(name);
    expect(cog.georeferenced).toBe(false);
    expect(cog.grid.crs.name).toBe("none");
    const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width: 4, height: 4 });
    expect([...bands[0]!]).toEqual(Array.from({ length: 16 }, (_, i) => i));
    const refusal = { code: "no-georeference", message: expect.stringMatching(REFUSED[name]!) };
    await expect(readGrid(cog, WORLD)).rejects.toMatchObject(refusal);
    expect(() => levelFor(cog, WORLD, "display")).toThrow(expect.objectContaining(refusal));
  },
);

/** A file of 4 x 4 pixels with GeoKeys of one projected EPSG code, and nothing else. */
function withCode(epsg: number): Uint8Array {
  const bytes = Uint8Array.from(local("crs/mollweide.tif"));
  const view = new DataView(bytes.buffer);
  // the directory of keys (tag 34735): its first key says the model, its second the code
  const directory = view.getUint32(4, true);
  const count = view.getUint16(directory, true);
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + i * 12;
    if (view.getUint16(entry, true) !== 34735) continue;
    const at = view.getUint32(entry + 8, true);
    for (const [index, value] of [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, epsg].entries()) {
      view.setUint16(at + 2 * index, value, true);
    }
    return bytes;
  }
  throw new Error("Expected a file with GeoKeys.");
}

const openCode = (epsg: number) => openCog(memorySource(withCode(epsg), `EPSG-${epsg}`));

test.each([28992, 31983, 6344, 2229, 3310])("a file that names EPSG:%i has that CRS", async (epsg) => {
  const cog = await openCode(epsg);
  expect(cog.grid.crs.name).toBe(`EPSG:${epsg}`);
  expect(cog.georeferenced).toBe(true);
  expect((await readGrid(cog, cog.grid))?.valid).not.toContain(0);
});

test.each([
  [26741, /EPSG:26741 needs a grid file/],
  [2327, /EPSG:2327 has a datum without one shift/],
  [5513, /EPSG:5513 has a projection or an order of axes that is not supported/],
  [19_999, /EPSG:19999 is no code of a two-dimensional CRS that is known/],
])("a file that names EPSG:%i is refused with the reason", async (epsg, message) => {
  const cog = await openCode(epsg);
  expect(cog.georeferenced).toBe(false);
  const refusal = { code: "no-georeference", message: expect.stringMatching(message) };
  await expect(readGrid(cog, WORLD)).rejects.toMatchObject(refusal);
});
