import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { groundSizes } from "../../src/grid/ground.ts";
import { type Affine, type Grid, gridFromBounds, type Raster, resolveCrs, tileGrid } from "../../src/index.ts";
import { hillshade, StyleError } from "../../src/style.ts";

const SUN = { azimuth: 315, altitude: 45 } as const;
const UTM = (width: number, height: number, pixel = 10): Grid =>
  gridFromBounds(
    resolveCrs("EPSG:32633"),
    [500_000 - (width * pixel) / 2, 5_000_000, 500_000 + (width * pixel) / 2, 5_000_000 + height * pixel],
    width,
    height,
  );

/** Elevations by column and row. */
function surface(grid: Grid, elevation: (col: number, row: number) => number): Raster {
  const length = grid.width * grid.height;
  const band = Float32Array.from({ length }, (_, i) => elevation(i % grid.width, Math.floor(i / grid.width)));
  return { grid, bands: [band], valid: new Uint8Array(length).fill(1) };
}

const middleShade = (raster: Raster, sun: { azimuth: number; altitude: number } = SUN): number | undefined =>
  hillshade(raster, sun).bands[0]?.[0];

describe("planes", () => {
  test.each([
    { name: "level ground, sun at 45°", east: 0, north: 0, sun: SUN, expected: 1 + 254 * Math.SQRT1_2 },
    { name: "level ground, sun overhead", east: 0, north: 0, sun: { azimuth: 0, altitude: 90 }, expected: 255 },
    { name: "a slope of 45° that faces the sun", east: Math.SQRT1_2, north: -Math.SQRT1_2, sun: SUN, expected: 255 },
    { name: "a slope of 45° away from the sun", east: -Math.SQRT1_2, north: Math.SQRT1_2, sun: SUN, expected: 1 },
    { name: "a steep slope away from the sun", east: -2, north: 2, sun: SUN, expected: 1 },
    {
      name: "a slope of 45° to the south, sun in the south",
      east: 0,
      north: 1,
      sun: { azimuth: 180, altitude: 45 },
      expected: 255,
    },
  ])("$name is shaded by the angle to the light", ({ east, north, sun, expected }) => {
    const grid = UTM(3, 3);
    // rise over ground distance: the scale of the zone is 0.9996 on its central meridian
    const step = 10 / 0.9996;
    const raster = surface(grid, (col, row) => 500 + step * (east * col - north * row));
    expect(middleShade(raster, sun)).toBe(Math.round(expected));
  });

  test("the same ground has the same shade in UTM, Web Mercator and degrees, far north too", { tags: ["HS2"] }, () => {
    const [lat, west] = [67.3, 15];
    const shades = (["WebMercatorQuad", "WorldCRS84Quad"] as const).map((set) => {
      const y =
        set === "WebMercatorQuad"
          ? Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** 13)
          : Math.floor(((90 - lat) / 180) * 2 ** 12);
      const tile = tileGrid(set, set === "WebMercatorQuad" ? 13 : 12, Math.floor(((west + 180) / 360) * 2 ** 13), y, 3);
      const { widths, heights } = groundSizes(tile);
      // 30 % up to the north and 20 % up to the east, metres per metre of ground
      return middleShade(surface(tile, (col, row) => 100 + 0.2 * col * widths[1]! - 0.3 * row * heights[1]!));
    });
    const step = 10 / 0.9996;
    shades.push(middleShade(surface(UTM(3, 3), (col, row) => 100 + step * (0.2 * col - 0.3 * row))));
    expect(new Set(shades).size).toBe(1);
    expect(shades[0]).toBe(Math.round(1 + (254 * (Math.SQRT1_2 + 0.5 * (0.2 - 0.3))) / Math.sqrt(1 + 0.13)));
  });
});

interface Made {
  readonly lengths: readonly { crs: string; bounds: [number, number, number, number]; width: number; height: number }[];
  readonly shades: readonly {
    crs: string;
    transform: Affine;
    size: number;
    azimuth: number;
    altitude: number;
    nodata: number;
    elevations: number[];
    shades: number[];
  }[];
}
const made: Made = JSON.parse(readFileSync(new URL("../fixtures/hillshade.json", import.meta.url), "utf8"));

test.each(made.lengths)(
  "a pixel of $crs at $bounds is as long on the ground as PROJ's geodesic",
  { tags: ["HS2"] },
  (row) => {
    const { widths, heights } = groundSizes(gridFromBounds(resolveCrs(row.crs), row.bounds, 1, 1));
    expect(widths[0]! / row.width).toBeCloseTo(1, 6);
    expect(heights[0]! / row.height).toBeCloseTo(1, 6);
  },
);

test.each(made.shades)(
  "shades of $crs by a sun at $azimuth°, $altitude° are gdaldem's, at most 1 of 255 apart",
  { tags: ["HS1"] },
  (row) => {
    const grid = { crs: resolveCrs(row.crs), transform: row.transform, width: row.size, height: row.size };
    const valid = Uint8Array.from(row.elevations, (elevation) => (elevation === row.nodata ? 0 : 1));
    const { bands, valid: shaded } = hillshade({ grid, bands: [Float32Array.from(row.elevations)], valid }, row);
    expect([...shaded]).toEqual(row.shades.map((shade) => (shade === 0 ? 0 : 1)));
    const apart = row.shades.map((shade, i) => Math.abs(shade - (bands[0]?.[i] ?? Number.NaN)));
    expect(Math.max(...apart)).toBeLessThanOrEqual(1);
    expect(apart.filter((difference) => difference === 0).length).toBeGreaterThan(0.95 * apart.length);
    expect(new Set(row.shades).size).toBeGreaterThan(50);
  },
);

test("rows beyond the pole have no length, and their pixels no shade", () => {
  const grid = gridFromBounds(resolveCrs("EPSG:4326"), [10, 89, 13, 92], 3, 3);
  expect([...groundSizes(grid).widths].map(Number.isNaN)).toEqual([true, true, false]);
  expect([
    ...hillshade(
      surface(grid, () => 5),
      SUN,
    ).valid,
  ]).toEqual([0]);
});

test("a pixel without data is not shaded, and its neighbours take it to be as high as they are", {
  tags: ["HS4"],
}, () => {
  const raster = surface(UTM(5, 5), (col) => col * 10);
  raster.valid[2 * 5 + 2] = 0;
  const shaded = hillshade(raster, SUN);
  expect([...shaded.valid]).toEqual([1, 1, 1, 1, 0, 1, 1, 1, 1]);
  const filled = surface(UTM(5, 5), (col) => col * 10);
  filled.bands[0]![2 * 5 + 2] = 10;
  expect(shaded.bands[0]![3]).toBe(hillshade(filled, SUN).bands[0]![3]);
  expect(shaded.bands[0]![3]).not.toBe(
    hillshade(
      surface(UTM(5, 5), (col) => col * 10),
      SUN,
    ).bands[0]![3],
  );
});

test("the grid of the result lacks the margin", () => {
  const { grid } = hillshade(
    surface(UTM(6, 4), () => 0),
    SUN,
  );
  expect([grid.width, grid.height, grid.transform]).toEqual([4, 2, [10, 0, 499_980, 0, -10, 5_000_030]]);
});

test.each([
  {
    name: "two bands",
    raster: { ...surface(UTM(3, 3), () => 0), bands: [new Float32Array(9), new Float32Array(9)] },
    sun: SUN,
  },
  { name: "no pixel within the margin", raster: surface(UTM(2, 3), () => 0), sun: SUN },
  { name: "a sun below the horizon", raster: surface(UTM(3, 3), () => 0), sun: { azimuth: 315, altitude: 0 } },
  { name: "no azimuth", raster: surface(UTM(3, 3), () => 0), sun: { azimuth: Number.NaN, altitude: 45 } },
])("$name is an error", ({ raster, sun }) => {
  expect(() => hillshade(raster, sun)).toThrow(StyleError);
});
