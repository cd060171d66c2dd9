import { type Grid, gridBounds, resolveCrs } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkZoomOf, mercatorGrid } from "../../src/where/mercator-grid.ts";
import { refusalOf } from "./refusal-of.ts";

/*
 * pyproj 3.4.1: Transformer.from_crs("EPSG:4326", "EPSG:3857", always_xy=True).transform_bounds(...). East of the antimeridian
 * the projection runs on: 20 degrees are 2,226,389.816 m.
 */
test.each<[string, [number, number, number, number], number, [number, number], number[]]>([
  [
    "wider than high",
    [13.2, 45.4, 13.4, 45.5],
    512,
    [512, 365],
    [1_469_417.278_471, 5_684_714.657_22, 1_491_681.176_63, 5_700_582.732_404],
  ],
  [
    "over the antimeridian",
    [170, -20, 190, -10],
    256,
    [256, 133],
    [18_924_313.434_857, -2_273_030.926_988, 18_924_313.434_857 + 2_226_389.815_865, -1_118_889.974_858],
  ],
])("a box %s has the bounds that PROJ says, and square pixels", (_, bounds, size, [width, height], expected) => {
  const grid = mercatorGrid(bounds, size);
  expect([grid.crs.name, grid.width, grid.height]).toEqual(["EPSG:3857", width, height]);
  for (const [i, edge] of gridBounds(grid).entries()) expect(edge).toBeCloseTo(expected[i]!, 4);
});

test("the long edge has the pixels that were asked for, and pixels are square except for rounding", () => {
  const part = (max: number) => fc.double({ min: 1e-4, max, noNaN: true });
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -85, max: 84, noNaN: true }),
      part(180),
      part(1),
      fc.integer({ min: 64, max: 1024 }),
      (west, south, width, height, size) => {
        const grid = mercatorGrid([west, south, west + width, south + height], size);
        expect(Math.max(grid.width, grid.height)).toBe(size);
        const [minX, minY, maxX, maxY] = gridBounds(grid);
        const pixel = Math.max(maxX - minX, maxY - minY) / size;
        // the short edge is rounded to whole pixels, at least one
        expect(Math.abs((maxX - minX) / pixel - grid.width)).toBeLessThan(1);
        expect(Math.abs((maxY - minY) / pixel - grid.height)).toBeLessThan(1);
      },
    ),
  );
});

test.each<[string, [number, number, number, number], string]>([
  ["without a width", [10, 40, 10, 41], "Expected a box with an area, got west 10 and east 10."],
  ["of which south is north of north", [10, 41, 11, 40], "Expected south < north, got 41 and 40."],
  ["beyond the projection", [10, 80, 11, 86], "Expected latitudes from -85.051128 to 85.051128, got 80 and 86."],
  ["of numbers that are none", [Number.NaN, 40, 11, 41], "Expected a box with an area, got west NaN and east 11."],
  ["too small for the numbers of metres", [10, 40, 10 + 2e-15, 41], "Expected a box with an area."],
])("a box %s is refused at where.bbox", (_, bounds, detail) => {
  expect(refusalOf(() => mercatorGrid(bounds, 256))).toMatchObject({
    code: "invalid",
    path: ["where", "bbox"],
    detail,
  });
});

/** Cell sizes of WebMercatorQuad, metres: OGC 17-083r4, Annex D.1. */
const CELL_SIZES = [
  156_543.033_928_041, 78_271.516_964_020_48, 39_135.758_482_010_23, 19_567.879_241_005_12, 9_783.939_620_502_56,
  4_891.969_810_251_28, 2_445.984_905_125_64, 1_222.992_452_562_82, 611.496_226_281_41, 305.748_113_140_705,
];
const pixels = (metres: number): Grid => ({
  crs: resolveCrs("EPSG:3857"),
  transform: [metres, 0, 0, 0, -metres, 0],
  width: 256,
  height: 256,
});

test.each(CELL_SIZES.map((metres, zoom) => [zoom, metres]))(
  "pixels of zoom %d of WebMercatorQuad, %d m, are drawn by presets of that zoom and lower ones alone",
  (zoom, metres) => {
    for (const minzoom of [0, 3, 7, 9]) {
      const check = () => checkZoomOf(pixels(metres), 256, { name: "ndvi", minzoom, maxzoom: 14 });
      if (zoom >= minzoom) expect(check).not.toThrow();
      else {
        expect(refusalOf(check)).toMatchObject({
          code: "zoom-out-of-range",
          path: ["where", "bbox"],
          limits: { minzoom, maxzoom: 14, requestedZoom: zoom },
        });
      }
    }
  },
);

test("the refusal says how many degrees of longitude an image may span: two tiles of zoom 7 have 5.625", () => {
  const refusal = refusalOf(() => checkZoomOf(pixels(2000), 512, { name: "ndvi", minzoom: 7, maxzoom: 14 }));
  expect(refusal.detail).toBe("ndvi is drawn from zoom 7: at 512 pixels the bbox may span 5.63 degrees of longitude.");
  expect(refusal.limits?.requestedZoom).toBe(6);
});
