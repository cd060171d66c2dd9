import { readFileSync } from "node:fs";
import type { PolygonGeometry } from "@swath/geometry";
import { gridFromBounds, resolveCrs, transformer } from "@swath/raster";
import { expect, test } from "vitest";
import { polygonSpans, rasterizePolygon } from "../../src/index.ts";

interface PolygonCase {
  readonly name: string;
  readonly grid: { crs: string; bounds: [number, number, number, number]; width: number; height: number };
  readonly crs?: string;
  readonly geometry: PolygonGeometry;
  readonly rows: string[];
}

const cases: PolygonCase[] = JSON.parse(readFileSync(new URL("../fixtures/polygons.json", import.meta.url), "utf8"));

function draw(geometry: PolygonGeometry, { grid, crs }: PolygonCase): string[] {
  const { width } = grid;
  const target = gridFromBounds(resolveCrs(grid.crs), grid.bounds, width, grid.height);
  const inside = rasterizePolygon(geometry, target, crs === undefined ? undefined : resolveCrs(crs));
  return Array.from({ length: grid.height }, (_, y) =>
    [...inside.subarray(y * width, (y + 1) * width)].map((value) => (value === 1 ? "#" : ".")).join(""),
  );
}

test.each(cases)("$name: the same pixels as GDAL", { tags: ["X5"] }, (row) => {
  expect(draw(row.geometry, row)).toEqual(row.rows);
});

test("a polygon across the antimeridian is the same cut, uncut with jumping longitudes, and with longitudes past 180", () => {
  const row = cases.find(({ name }) => name === "across the antimeridian")!;
  const past = row.geometry as Extract<PolygonGeometry, { type: "Polygon" }>;
  const jumping = past.coordinates.map((ring) => ring.map(([x, y]) => [x! > 180 ? x! - 360 : x!, y!]));
  expect(draw({ type: "Polygon", coordinates: jumping }, row)).toEqual(row.rows);
  const at180 = (a: readonly number[], b: readonly number[]): number[] => [
    180,
    a[1]! + ((180 - a[0]!) / (b[0]! - a[0]!)) * (b[1]! - a[1]!),
  ];
  const [a, b, c, d] = past.coordinates[0]!;
  const [south, north] = [at180(a!, b!), at180(d!, c!)];
  const west = [a!, south, north, d!, a!];
  const east = [south, b!, c!, north, south].map(([x, y]) => [x! - 360, y!]);
  expect(draw({ type: "MultiPolygon", coordinates: [[west], [east]] }, row)).toEqual(row.rows);
});

test("in a geographic grid the world repeats", () => {
  const square = (west: number): PolygonGeometry => ({
    type: "Polygon",
    coordinates: [
      [
        [west, 0],
        [west + 1, 0],
        [west + 1, 1],
        [west, 1],
        [west, 0],
      ],
    ],
  });
  const grid = gridFromBounds(resolveCrs("EPSG:4326"), [178, 0, 182, 1], 4, 1);
  expect([...rasterizePolygon(square(180), grid)]).toEqual([0, 0, 1, 0]);
  expect([...rasterizePolygon(square(-180), grid)]).toEqual([0, 0, 1, 0]);
  expect([...rasterizePolygon(square(-181), grid)]).toEqual([0, 1, 0, 0]);
});

test("in a Mercator grid past the antimeridian the world repeats", () => {
  const half = Math.PI * 6378137;
  const grid = gridFromBounds(resolveCrs("EPSG:3857"), [half - 200_000, 0, half + 200_000, 100_000], 4, 1);
  const geometry: PolygonGeometry = {
    type: "Polygon",
    coordinates: [
      [
        [-180, -1],
        [-179, -1],
        [-179, 2],
        [-180, 2],
        [-180, -1],
      ],
    ],
  };
  expect([...rasterizePolygon(geometry, grid, resolveCrs("EPSG:4326"))]).toEqual([0, 0, 1, 0]);
});

test("a polygon around the world covers the whole world", () => {
  const geometry: PolygonGeometry = {
    type: "Polygon",
    coordinates: [
      [
        [-180, -90],
        [180, -90],
        [180, 90],
        [-180, 90],
        [-180, -90],
      ],
    ],
  };
  for (const [name, size] of [
    ["EPSG:4326", [-180, -90, 180, 90]],
    ["EPSG:3857", [-20037508, -20037508, 20037508, 20037508]],
    ["EPSG:3031", [-3e6, -3e6, 3e6, 3e6]],
  ] as const) {
    const grid = gridFromBounds(resolveCrs(name), size, 16, 16);
    const inside = rasterizePolygon(geometry, grid, resolveCrs("EPSG:4326"));
    expect([...inside].filter((value) => value === 0)).toEqual([]);
  }
});

test("rings without an area and coordinates that are no numbers cover no pixel", () => {
  const grid = gridFromBounds(resolveCrs("EPSG:4326"), [0, 0, 4, 4], 4, 4);
  const geometry: PolygonGeometry = {
    type: "MultiPolygon",
    coordinates: [
      [],
      [[]],
      [
        [
          [0, 0],
          [4, 4],
          [0, 0],
        ],
      ],
      [
        [
          [Number.NaN, 0],
          [1, Number.POSITIVE_INFINITY],
          [2, 2],
        ],
      ],
    ],
  };
  expect(rasterizePolygon(geometry, grid)).toEqual(new Uint8Array(16));
});

/** Even-odd rule in the ring's own plane. */
function isInside(ring: readonly (readonly number[])[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [[x0 = 0, y0 = 0], [x1 = 0, y1 = 0]] = [ring[i - 1]!, ring[i]!];
    if (y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) inside = !inside;
  }
  return inside;
}

const DEGREES = [
  [13, 45.1],
  [14.3, 45.25],
  [13.6, 46],
  [13, 45.1],
] as const;
const METRES = [
  [300_000, 5_000_000],
  [409_800, 5_020_000],
  [350_000, 5_100_000],
  [300_000, 5_000_000],
] as const;

test.each([
  ["EPSG:32633", [342_000, 4_995_000, 446_000, 5_098_000], "EPSG:4326", DEGREES],
  ["EPSG:3857", [1_447_000, 5_632_000, 1_592_000, 5_781_000], "EPSG:4326", DEGREES],
  ["EPSG:4326", [12.4, 45.1, 13.9, 46.1], "EPSG:32633", METRES],
  ["EPSG:3857", [1_380_000, 5_630_000, 1_550_000, 5_800_000], "EPSG:32633", METRES],
] as const)(
  "on a grid in %s with bounds %j, of a polygon in %s a pixel counts where its centre is inside",
  (on, bounds, crs, ring) => {
    const grid = gridFromBounds(resolveCrs(on), bounds, 900, 900);
    const inside = rasterizePolygon(
      { type: "Polygon", coordinates: [ring.map((position) => [...position])] },
      grid,
      resolveCrs(crs),
    );
    const back = transformer(grid.crs, resolveCrs(crs));
    const [a, , c, , e, f] = grid.transform;
    const wrong = [...inside].filter(
      (flag, i) =>
        (flag === 1) !== isInside(ring, ...back(a * ((i % 900) + 0.5) + c, e * (Math.floor(i / 900) + 0.5) + f)),
    );
    expect(inside).toContain(1);
    expect(wrong.length).toBeLessThanOrEqual(3);
  },
);

test("runs of a polygon on a grid of 10^12 pixels are the pixels of the part of it that the polygon is in", () => {
  const crs = resolveCrs("EPSG:32633");
  const ring = [
    [500_013, 5_000_021],
    [500_613, 4_999_921],
    [500_313, 4_999_011],
    [500_013, 5_000_021],
  ];
  const geometry: PolygonGeometry = {
    type: "MultiPolygon",
    coordinates: [[ring], [ring.map(([x, y]) => [x! + 300, y! - 300])]],
  };
  const [west, north] = [-4_500_000, 9_000_000];
  const whole = gridFromBounds(crs, [west, north - 1e7, west + 1e7, north], 1e6, 1e6);
  const [column, row] = [500_000, 399_990];
  const part = gridFromBounds(crs, [500_000, 5_000_100 - 2000, 502_000, 5_000_100], 200, 200);
  expect([west + column * 10, north - row * 10]).toEqual([500_000, 5_000_100]);
  const inside = new Uint8Array(200 * 200);
  polygonSpans(geometry, whole, crs, (y, first, end) => {
    inside.fill(1, (y - row) * 200 + first - column, (y - row) * 200 + end - column);
  });
  expect(inside).toEqual(rasterizePolygon(geometry, part));
  expect(inside.reduce((sum, flag) => sum + flag, 0)).toBeGreaterThan(4000);
});
