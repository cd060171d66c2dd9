import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listEpsgCodes } from "../../src/crs/epsg.ts";
import { composeAffine } from "../../src/grid/affine.ts";
import { isNorthUp } from "../../src/grid/grid.ts";
import {
  type Affine,
  allocateSamples,
  applyAffine,
  bytesPerSample,
  crsFromProj4,
  gridBbox,
  gridBounds,
  gridFromBounds,
  invertAffine,
  isTile,
  matrixSize,
  registerCrs,
  resolveCrs,
  type SampleType,
  sameCrs,
  sameGrid,
  sampleTypeOf,
  scaleAffine,
  TILE_MATRIX_SETS,
  type TileMatrixSetId,
  tileBbox,
  tileBounds,
  tileGrid,
  transformBounds,
  transformer,
  windowGrid,
} from "../../src/index.ts";

const { points }: { points: [number, number, number, number, number][] } = JSON.parse(
  readFileSync(new URL("../fixtures/gdal-warp.json", import.meta.url), "utf8"),
);
const degrees = resolveCrs("EPSG:4326");

test.each(points)("EPSG:%i puts %d, %d where GDAL does", (epsg, lon, lat, x, y) => {
  const crs = resolveCrs(`EPSG:${epsg}`);
  const [ax, ay] = transformer(degrees, crs)(lon, lat);
  // shifted datums: GDAL picks another of the published transformations, a few metres at most
  const tolerance = [27700, 2056, 3979].includes(epsg) ? 5 : 1e-3;
  expect(Math.hypot(ax - x, ay - y)).toBeLessThan(tolerance);
  const [backLon, backLat] = transformer(crs, degrees)(ax, ay);
  expect(Math.hypot(backLon - lon, backLat - lat)).toBeLessThan(1e-7);
});

test("every listed code resolves", () => {
  for (const code of listEpsgCodes()) expect(resolveCrs(`EPSG:${code}`).epsg).toBe(code);
});

test.each([
  "EPSG:4326",
  "epsg:4326",
  "http://www.opengis.net/def/crs/EPSG/0/4326",
  "urn:ogc:def:crs:EPSG::4326",
  "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
  "urn:ogc:def:crs:OGC:1.3:CRS84",
  "CRS84",
])("%s is longitude, latitude", (name) => {
  expect(sameCrs(resolveCrs(name), degrees)).toBe(true);
  expect(resolveCrs(name).geographic).toBe(true);
});

test.each(["", "EPSG:", "EPSG:999999", "4326", "urn:ogc:def:crs:OGC:1.3:CRS83", "GOOGLE"])(
  "the name %j is unknown",
  (name) => {
    expect(() => resolveCrs(name)).toThrow(expect.objectContaining({ name: "CrsError", code: "unknown-crs" }));
  },
);

test.each(["+proj=nonsense", "EPSG:4326", "WGS84", "+proj=geocent +datum=WGS84", "+proj=longlat +axis=neu"])(
  "the definition %j is refused",
  (definition) => {
    expect(() => crsFromProj4(definition)).toThrow(expect.objectContaining({ code: "invalid-crs" }));
  },
);

test("a registered code and a definition by name resolve", () => {
  registerCrs(102017, "+proj=laea +lat_0=90 +lon_0=0 +datum=WGS84 +units=m");
  expect(resolveCrs("EPSG:102017").proj4).toContain("laea");
  const custom = crsFromProj4("+proj=laea  +lat_0=10 +lon_0=20 +datum=WGS84");
  expect(sameCrs(resolveCrs(custom.name), custom)).toBe(true);
});

test("no coordinates make a transform throw, and points outside its domain give no numbers", () => {
  const names = [
    "EPSG:32633",
    "EPSG:32701",
    "EPSG:3857",
    "EPSG:4326",
    "EPSG:3031",
    "EPSG:3413",
    "EPSG:3035",
    "EPSG:5070",
  ];
  const crs = fc.constantFrom(...names.map(resolveCrs));
  const number = fc.oneof(
    fc.double(),
    fc.double({ min: -1e8, max: 1e8 }),
    fc.constantFrom(90, -90, 180, 190, Infinity),
  );
  fc.assert(
    fc.property(crs, crs, number, number, (from, to, x, y) => {
      const [ax, ay] = transformer(from, to)(x, y);
      expect(Number.isNaN(ax)).toBe(Number.isNaN(ay));
      if (Number.isNaN(ax)) return;
      expect(Number.isFinite(x) && Number.isFinite(ax) && Number.isFinite(ay)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ["a pole has no Mercator", 10, 90, "EPSG:3857", [Number.NaN, Number.NaN]],
  ["past the pole is nowhere", 10, 91, "EPSG:32633", [Number.NaN, Number.NaN]],
  ["the far side has no UTM", -165, 10, "EPSG:32633", [Number.NaN, Number.NaN]],
  ["the other pole has no polar stereographic", 0, 90, "EPSG:3031", [Number.NaN, Number.NaN]],
])("%s", (_name, lon, lat, crs, expected) => {
  expect(transformer(degrees, resolveCrs(crs))(lon, lat)).toEqual(expected);
});

test("longitudes wrap", () => {
  const mercator = resolveCrs("EPSG:3857");
  const toMercator = transformer(degrees, mercator);
  expect(toMercator(190, 20)[0]).toBeCloseTo(toMercator(-170, 20)[0], 6);
  expect(transformer(mercator, degrees)(1e9, 0)[0]).toBeCloseTo(-16.847158804786, 6);
});

test("inverting a transform takes every corner back", () => {
  const pixel = fc.double({ min: 0.001, max: 1000, noNaN: true });
  fc.assert(
    fc.property(
      pixel,
      pixel,
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.nat(1e6),
      fc.nat(1e4),
      (w, h, turn, c, k) => {
        const t: Affine = [w * Math.cos(turn), h * Math.sin(turn), c, w * Math.sin(turn), -h * Math.cos(turn), -c];
        const [x, y] = applyAffine(composeAffine(invertAffine(t), t), k, -k);
        expect(Math.hypot(x - k, y + k)).toBeLessThan(1e-3);
      },
    ),
  );
});

test("a transform without area is refused", () => {
  for (const t of [
    [0, 0, 0, 0, 1, 0],
    [1, 1, 0, 1, 1, 0],
    [Number.NaN, 0, 0, 0, 1, 0],
    [1, 0, Infinity, 0, 1, 0],
  ]) {
    expect(() => invertAffine(t as unknown as Affine)).toThrow(
      expect.objectContaining({ code: "degenerate-transform" }),
    );
  }
  expect(invertAffine([1e-9, 0, 5, 0, -1e-9, 5])[0]).toBeCloseTo(1e9);
});

test("grids know their bounds, windows and kin", () => {
  const grid = gridFromBounds(resolveCrs("EPSG:32633"), [100, 200, 300, 500], 20, 30);
  expect(gridBounds(grid)).toEqual([100, 200, 300, 500]);
  expect(gridBounds(windowGrid(grid, { x: 5, y: 10, width: 2, height: 3 }))).toEqual([150, 370, 170, 400]);
  expect(isNorthUp(grid)).toBe(true);
  expect(isNorthUp({ ...grid, transform: [10, 0, 0, 0, 10, 0] })).toBe(false);
  expect(sameGrid(grid, { ...grid, transform: scaleAffine(grid.transform, 1 + 1e-12, 1) })).toBe(true);
  expect(sameGrid(grid, { ...grid, width: 21 })).toBe(false);
  expect(() => gridFromBounds(grid.crs, [0, 0, 0, 1], 1, 1)).toThrow(expect.objectContaining({ code: "invalid-size" }));
  expect(() => gridFromBounds(grid.crs, [0, 0, 1, 1], 0.5, 1)).toThrow(
    expect.objectContaining({ code: "invalid-size" }),
  );
});

test("a box that has to be held whole is refused where a part of it has no coordinates", () => {
  const world = [-180, -90, 180, 90] as const;
  const zone = resolveCrs("EPSG:32633");
  expect(transformBounds(world, degrees, zone).every(Number.isFinite)).toBe(true);
  expect(() => transformBounds(world, degrees, zone, 21, true)).toThrow(
    expect.objectContaining({ code: "outside-crs" }),
  );
  expect(transformBounds([12, 45, 16, 47], degrees, zone, 21, true)).toEqual(
    transformBounds([12, 45, 16, 47], degrees, zone),
  );
});

test("boxes cross the antimeridian and hold poles", () => {
  const [west, south, east, north] = gridBbox(gridFromBounds(resolveCrs("EPSG:32660"), [4e5, 56e5, 8e5, 58e5], 2, 2));
  expect([west > 175, east < -178, south < 51, north > 52]).toEqual([true, true, true, true]);
  const polar = gridBbox(gridFromBounds(resolveCrs("EPSG:3031"), [-1e6, -1e6, 1e6, 1e6], 2, 2));
  expect(polar.slice(0, 3)).toEqual([-180, -90, 180]);
  expect(() => transformBounds([0, 91, 1, 92], degrees, resolveCrs("EPSG:3857"))).toThrow(
    expect.objectContaining({ code: "outside-crs" }),
  );
});

const sets = Object.keys(TILE_MATRIX_SETS) as TileMatrixSetId[];
const tiles = fc
  .record({
    id: fc.constantFrom(...sets),
    z: fc.nat(24),
    u: fc.double({ min: 0, max: 0.9999999, noNaN: true }),
    v: fc.double({ min: 0, max: 0.9999999, noNaN: true }),
  })
  .map(({ id, z, u, v }) => {
    const { width, height } = matrixSize(id, z);
    return { id, z, x: Math.floor(u * width), y: Math.floor(v * height) };
  });

test("tiles tile the plane: neighbours share their edges, to the bit", () => {
  fc.assert(
    fc.property(tiles, ({ id, z, x, y }) => {
      const here = tileBounds(id, z, x, y);
      if (isTile(id, z, x + 1, y)) expect(tileBounds(id, z, x + 1, y)[0]).toBe(here[2]);
      else expect(here[2]).toBe(TILE_MATRIX_SETS[id].bounds[2]);
      if (isTile(id, z, x, y + 1)) expect(tileBounds(id, z, x, y + 1)[3]).toBe(here[1]);
      else expect(here[1]).toBe(TILE_MATRIX_SETS[id].bounds[1]);
    }),
  );
});

test("a parent covers its children, to the bit", () => {
  fc.assert(
    fc.property(tiles, ({ id, z, x, y }) => {
      if (z === 0) return;
      const [west, south, east, north] = tileBounds(id, z - 1, Math.floor(x / 2), Math.floor(y / 2));
      const here = tileBounds(id, z, x, y);
      expect([
        x % 2 === 0 ? west === here[0] : east === here[2],
        y % 2 === 0 ? north === here[3] : south === here[1],
      ]).toEqual([true, true]);
    }),
  );
});

test("a tile's box in degrees is that of its bounds, and edges shared by two tiles are the same number", () => {
  const toDegrees = transformer(resolveCrs("EPSG:3857"), degrees);
  fc.assert(
    fc.property(tiles, ({ z, x, y }) => {
      const [minX, minY, maxX, maxY] = tileBounds("WebMercatorQuad", z, x % 2 ** z, y);
      const [west, south, east, north] = tileBbox("WebMercatorQuad", z, x % 2 ** z, y);
      const expected = [...toDegrees(minX, minY), ...toDegrees(maxX, maxY)];
      // proj4 wraps the eastern edge of the world to the western one
      if (maxX > 20_037_508.3) expected[2] = 180;
      if (minX < -20_037_508.3) expected[0] = -180;
      [west, south, east, north].forEach((value, i) => {
        expect(value).toBeCloseTo(expected[i]!, 9);
      });
      if (x % 2 ** z > 0) expect(tileBbox("WebMercatorQuad", z, (x % 2 ** z) - 1, y)[2]).toBe(west);
      if (y > 0) expect(tileBbox("WebMercatorQuad", z, x % 2 ** z, y - 1)[1]).toBe(north);
    }),
  );
});

test("what is no tile is refused", () => {
  expect(isTile("WorldCRS84Quad", 0, 1, 0)).toBe(true);
  for (const [z, x, y] of [
    [0, 1, 0],
    [-1, 0, 0],
    [25, 0, 0],
    [1, 0.5, 0],
    [1, 0, 2],
  ] as const) {
    expect(isTile("WebMercatorQuad", z, x, y)).toBe(false);
    expect(() => tileGrid("WebMercatorQuad", z, x, y)).toThrow(expect.objectContaining({ code: "no-such-tile" }));
  }
});

test("samples know their type", () => {
  const types: SampleType[] = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"];
  for (const type of types) {
    const samples = allocateSamples(type, 3);
    expect(sampleTypeOf(samples)).toBe(type);
    expect(samples.byteLength).toBe(3 * bytesPerSample(type));
  }
});
