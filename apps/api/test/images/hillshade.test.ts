import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Catalog, Item, NeighbourhoodRequest, NeighbourhoodSearch } from "@swath/catalog";
import { encodeGeoTiff } from "@swath/encode";
import { inlineRenderer } from "@swath/engine/node";
import { findImage } from "@swath/engine/node/images";
import type { StyleSpec } from "@swath/engine/node/jobs";
import { gridSpec, type SceneRead } from "@swath/engine/node/jobs";
import { formatDatetime } from "@swath/query";
import {
  type Grid,
  gridBounds,
  gridFromBounds,
  matrixSize,
  type Raster,
  resolveCrs,
  type TileMatrixSetId,
  tileBbox,
  tileGrid,
  windowGrid,
} from "@swath/raster";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sceneReader } from "../../../../test/tools/scene-reader.ts";
import { gdalPixels, hasGdal } from "../tools/gdal.ts";
import { FULL } from "../tools/harness.ts";
import { plainRead } from "../tools/reads.ts";

const run = promisify(execFile);
const { signal } = new AbortController();
const STYLE: StyleSpec = { hillshade: { azimuth: 315, altitude: 45 } };
const NODATA = -9999;
const [LON, LAT] = [14, 46.5];
let directory: string;

/** Hills of some hundred metres on a grid in degrees or metres, with a lake of nodata. */
function relief(grid: Grid): Raster {
  const length = grid.width * grid.height;
  const [a, , c, , e, f] = grid.transform;
  const unit = grid.crs.geographic ? 1 : 1 / 100_000;
  const band = Float32Array.from({ length }, (_, i) => {
    const x = (a * ((i % grid.width) + 0.5) + c) * unit;
    const y = (e * (Math.floor(i / grid.width) + 0.5) + f) * unit;
    return 600 + 220 * Math.sin(310 * x) * Math.cos(270 * y) + 40 * Math.sin(2900 * x + 1700 * y);
  });
  const valid = Uint8Array.from({ length }, (_, i) => {
    const x = a * ((i % grid.width) + 0.5) + c;
    const y = e * (Math.floor(i / grid.width) + 0.5) + f;
    return Math.hypot(x - LON - 0.1, y - LAT) < 0.005 ? 0 : 1;
  });
  return { grid, bands: [band], valid };
}

/** Two files of elevations in degrees that meet at a meridian, as those of a global model do, and one in UTM. */
const FILES = {
  west: gridFromBounds(resolveCrs("EPSG:4326"), [LON - 0.2, LAT - 0.1, LON, LAT + 0.1], 720, 720),
  east: gridFromBounds(resolveCrs("EPSG:4326"), [LON, LAT - 0.1, LON + 0.2, LAT + 0.1], 720, 720),
  both: gridFromBounds(resolveCrs("EPSG:4326"), [LON - 0.2, LAT - 0.1, LON + 0.2, LAT + 0.1], 1440, 720),
  farWest: gridFromBounds(resolveCrs("EPSG:4326"), [-180, LAT - 0.1, -179.8, LAT + 0.1], 720, 720),
  farEast: gridFromBounds(resolveCrs("EPSG:4326"), [179.8, LAT - 0.1, 180, LAT + 0.1], 720, 720),
  utm: gridFromBounds(resolveCrs("EPSG:32633"), [410_000, 5_140_000, 436_000, 5_160_000], 1300, 1000),
} as const;
const read = (name: keyof typeof FILES): SceneRead =>
  plainRead(name, [{ href: `archive:${name}.tif`, bands: [0], nodata: NODATA }]);
const MODELS = { "degrees, two files": [read("west"), read("east")], UTM: [read("utm")] } as const;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "swath-hillshade-"));
  for (const [name, grid] of Object.entries(FILES)) {
    const bytes = await encodeGeoTiff(relief(grid), {
      blockSize: 256,
      nodata: NODATA,
      compression: "none",
    });
    await writeFile(join(directory, `${name}.tif`), bytes);
  }
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const settings = () => ({
  blockCacheBytes: 64 * 1_048_576,
  sources: { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } },
});

/** The tile that holds the middle of the files. */
function tileAt(set: TileMatrixSetId, z: number): { x: number; y: number } {
  const fraction = Math.asinh(Math.tan((LAT * Math.PI) / 180)) / Math.PI;
  return set === "WebMercatorQuad"
    ? { x: Math.floor(((LON + 180) / 360) * 2 ** z), y: Math.floor(((1 - fraction) / 2) * 2 ** z) }
    : { x: Math.floor(((LON + 180) / 180) * 2 ** z), y: Math.floor(((90 - LAT) / 180) * 2 ** z) };
}

async function drawn(grid: Grid, scenes: readonly SceneRead[]): Promise<{ data: Buffer; valid: number }> {
  const job = { kind: "tile", grid: gridSpec(grid), scenes, more: false, style: STYLE, format: "png" } as const;
  const { bytes } = await inlineRenderer(settings()).render(job, { signal });
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([grid.width, grid.height]);
  return { data, valid: data.filter((value, i) => i % 4 === 3 && value === 255).length };
}

const cases = Object.entries(MODELS).flatMap(([name, scenes]) =>
  (
    [
      ["WebMercatorQuad", 12],
      ["WorldCRS84Quad", 11],
      ["WebMercatorQuad", 14],
      ["WebMercatorQuad", 10],
    ] as const
  ).map(([set, z]) => ({ name, scenes, set, z })),
);

test.each(cases)(
  "tiles of $set at zoom $z ($name) are the parts of one image of their area: no seam",
  { tags: ["HS3"] },
  async ({ scenes, set, z }) => {
    const { x, y } = tileAt(set, z);
    const first = tileGrid(set, z, x - 1, y - 1);
    const whole = await drawn({ ...first, width: 512, height: 512 }, scenes);
    expect(whole.valid).toBeGreaterThan(10_000);
    for (const [right, down] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const tile = await drawn(tileGrid(set, z, x - 1 + right, y - 1 + down), scenes);
      const part = Buffer.concat(
        Array.from({ length: 256 }, (_, row) => {
          const start = ((down * 256 + row) * 512 + right * 256) * 4;
          return whole.data.subarray(start, start + 1024);
        }),
      );
      expect(tile.data.equals(part), `tile ${right}, ${down}`).toBe(true);
    }
  },
);

test.each([
  ["WebMercatorQuad", 13],
  ["WorldCRS84Quad", 13],
  ["WebMercatorQuad", 10],
] as const)(
  "two files side by side are shaded as one file of both: %s at zoom %i",
  { tags: ["HS3"] },
  async (set, z) => {
    const { x, y } = tileAt(set, z);
    const grid = { ...tileGrid(set, z, x - 1, y), width: 512 };
    const sides = await drawn(grid, [read("west"), read("east")]);
    const one = await drawn(grid, [read("both")]);
    expect(sides.valid).toBeGreaterThan(10_000);
    expect(sides.data.equals(one.data)).toBe(true);
  },
);

test.each(["WebMercatorQuad", "WorldCRS84Quad"] as const)(
  "tiles of %s on both sides of the antimeridian are the parts of one image",
  { tags: ["HS3"] },
  async (set) => {
    const z = 12;
    const { y } = tileAt(set, z);
    const last = matrixSize(set, z).width - 1;
    const scenes = (["farWest", "farEast"] as const).map((name) => {
      const [west, south, east, north] = gridBounds(FILES[name]);
      const footprint = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ] as const;
      return { ...read(name), footprint: [footprint] };
    });
    const whole = await drawn({ ...tileGrid(set, z, last, y), width: 512 }, [read("farWest"), read("farEast")]);
    expect(whole.valid).toBe(512 * 256);
    for (const [right, x] of [last, 0].entries()) {
      const tile = await drawn(tileGrid(set, z, x, y), scenes);
      const rows = Array.from({ length: 256 }, (_, row) => {
        const start = (row * 512 + right * 256) * 4;
        return whole.data.subarray(start, start + 1024);
      });
      expect(tile.data.equals(Buffer.concat(rows)), `column ${x}`).toBe(true);
    }
  },
);

describe("the preset", () => {
  const itemOf = (name: keyof typeof FILES): Item =>
    ({
      id: name,
      geometry: null,
      properties: { datetime: "2021-04-22T00:00:00Z" },
      assets: { elevation: { href: `archive:${name}.tif` } },
    }) as unknown as Item;
  const { registry } = FULL;
  const now = (): Date => new Date("2026-06-16T12:00:00Z");

  async function searched(presetId: string, z: number, x: number, y: number): Promise<NeighbourhoodRequest> {
    const requests: NeighbourhoodRequest[] = [];
    const tileScenes = {
      search: async (request: NeighbourhoodRequest) => {
        requests.push(request);
        return { items: [], truncated: false };
      },
    };
    const where = { kind: "tile", tileMatrixSet: "WorldCRS84Quad", z, x, y } as const;
    const request = { where, when: {}, what: { preset: presetId }, into: { kind: "image", format: "png" } } as const;
    await findImage({ tileScenes, registry, now, catalog: {} as Catalog }, request, { signal });
    return requests[0]!;
  }

  test("searches the files of the tile and of the pixel around it, of all times, newest first", async () => {
    const pixel = 180 / 2 ** 8 / 256;
    const request = await searched("hillshade", 8, 300, 60);
    const [west = 0, south = 0, east = 0, north = 0] = tileBbox("WorldCRS84Quad", 8, 300, 60);
    const expected = [west - pixel, south - pixel, east + pixel, north + pixel];
    expect(request.bbox.map((edge, i) => Math.abs(edge - expected[i]!) < 1e-9)).toEqual([true, true, true, true]);
    expect(request).toMatchObject({ collection: "dem", mosaickingOrder: "mostRecent" });
    expect(formatDatetime(request.datetime ?? {})).toBe("2021-04-22T00:00:00Z/..");
    expect(request).not.toHaveProperty("maxCloudCover");
    expect((await searched("ndvi", 8, 300, 60)).bbox).toEqual([west, south, east, north]);
  });

  test.each([
    { name: "the antimeridian", x: 0, y: 60, holds: (bbox: readonly number[]) => bbox[0]! > 179 && bbox[2]! < -179 },
    { name: "the antimeridian from the west", x: 511, y: 60, holds: (bbox: readonly number[]) => bbox[2]! < -179 },
    { name: "the pole", x: 300, y: 0, holds: (bbox: readonly number[]) => bbox[3] === 90 },
  ])("the pixel around a tile reaches across $name", async ({ x, y, holds }) => {
    const { bbox } = await searched("hillshade", 8, x, y);
    expect(holds(bbox), bbox.join()).toBe(true);
  });

  test.each(["utm", "west"] as const)(
    "a preview of elevations (%s) is the hillshade on their own grid",
    { tags: ["HS5"] },
    async (name) => {
      const catalog = { item: async () => itemOf(name) } as unknown as Catalog;
      const { plan } = await findImage(
        { catalog, registry, now, tileScenes: {} as NeighbourhoodSearch },
        {
          where: { kind: "item", id: name, maxSize: 360 },
          when: { collections: ["dem"] },
          what: {},
          into: { kind: "image", format: "png" },
        },
        { signal },
      );
      const { bytes } = await inlineRenderer(settings()).render(plan.job, { signal });
      const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      const { crs, width, height } = FILES[name];
      const scale = 360 / Math.max(width, height);
      const grid = gridFromBounds(crs, gridBounds(FILES[name]), Math.round(width * scale), Math.round(height * scale));
      expect([info.width, info.height]).toEqual([grid.width, grid.height]);
      expect(data.equals((await drawn(grid, [read(name)])).data)).toBe(true);
      expect(new Set(data.filter((_, i) => i % 4 === 0)).size).toBeGreaterThan(50);
    },
  );
});

/** Metres that a pixel in the middle of a grid is wide and high, on a sphere. */
function groundSize(grid: Grid): [width: number, height: number] {
  const [a, , , , e, f] = grid.transform;
  const y = f + (e * grid.height) / 2;
  const radius = 6378137;
  const degree = (radius * Math.PI) / 180;
  if (grid.crs.geographic) return [a * degree * Math.cos((y * Math.PI) / 180), -e * degree];
  const stretch = Math.cosh(y / radius);
  return grid.crs.name === "EPSG:3857" ? [a / stretch, -e / stretch] : [a, -e];
}

describe.skipIf(!hasGdal)("GDAL", () => {
  test.each(cases.filter(({ z }) => z === 11 || z === 12))(
    "gdaldem shades the same elevations of $set at zoom $z ($name) within 1 of 255",
    { tags: ["HS1"] },
    async ({ scenes, set, z }) => {
      const { x, y } = tileAt(set, z);
      const tile = tileGrid(set, z, x, y);
      const grid = windowGrid(tile, { x: -1, y: -1, width: 258, height: 258 });
      const readScene = sceneReader(settings());
      const source = scenes.length > 1 ? read("both") : read("utm");
      const raster = await readScene(source, grid, { signal });
      const elevations = Float32Array.from(raster?.valid ?? [], (value, i) =>
        value === 0 ? NODATA : (raster?.bands[0]?.[i] ?? NODATA),
      );
      const expected = await gdaldem(elevations, groundSize(tile), `${set}-${z}-${scenes.length}`);
      const { data } = await drawn(tile, scenes);
      const faults: string[] = [];
      const differences = [0, 0];
      for (let row = 0; row < 256; row++) {
        for (let col = 0; col < 256; col++) {
          const shade = expected[(row + 1) * 258 + col + 1] ?? 0;
          const [red = 0, green, blue, alpha] = data.subarray((row * 256 + col) * 4);
          const difference = Math.abs(red - shade);
          const isAlike = shade === 0 ? alpha === 0 : alpha === 255 && red === green && red === blue && difference <= 1;
          if (!isAlike) faults.push(`${col}, ${row}: expected ${shade}, got ${[red, green, blue, alpha]}`);
          else if (shade > 0) differences[difference]! += 1;
        }
      }
      expect(faults).toEqual([]);
      const [same = 0, apart = 0] = differences;
      expect(same + apart).toBeGreaterThan(10_000);
      expect(same).toBeGreaterThan(0.8 * (same + apart));
    },
  );
});

/** Shades by `gdaldem` of elevations on pixels of this size; 0 where there is no elevation. */
async function gdaldem(
  elevations: Float32Array,
  [width, height]: readonly [number, number],
  name: string,
): Promise<ArrayLike<number>> {
  const grid: Grid = {
    crs: resolveCrs("EPSG:32633"),
    transform: [width, 0, 500_000, 0, -height, 5_000_000],
    width: 258,
    height: 258,
  };
  const valid = Uint8Array.from(elevations, (value) => (value === NODATA ? 0 : 1));
  const bytes = await encodeGeoTiff({ grid, bands: [elevations], valid }, { nodata: NODATA });
  const [input, output] = [join(directory, `${name}.tif`), join(directory, `${name}-shaded.tif`)];
  await writeFile(input, bytes);
  await run("gdaldem", ["hillshade", "-q", "-alg", "Horn", "-compute_edges", input, output]);
  return (await gdalPixels(output, directory))[0] ?? [];
}
