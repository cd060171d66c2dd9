import { type Crs, gridBounds, resolveCrs, transformer } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { statisticsUnits } from "../../src/limits/cost.ts";
import type { Refusal } from "../../src/refusal.ts";
import type { Frame } from "../../src/request.ts";
import { pixelCount } from "../../src/where/alignment.ts";
import { areaOf } from "../../src/where/area.ts";
import { analysisGrid as gridOf, outputGrid } from "../../src/where/frame.ts";

const UTM = resolveCrs("EPSG:32633");
const box = (bbox: number[], crs?: string) => areaOf({ bbox, crs });

test("without a size: pixels of the native resolution at multiples of it, in the UTM zone of the centre", {
  tags: ["ST4"],
}, () => {
  const { grid, region } = gridOf(box([13.2, 45.4, 13.3, 45.5]), {}, 10, []);
  expect(grid.crs.name).toBe("EPSG:32633");
  expect([grid.transform[0], grid.transform[4]]).toEqual([10, -10]);
  expect(gridBounds(grid).map((each) => each % 10)).toEqual([0, 0, 0, 0]);
  expect(region?.crs).toBe("EPSG:4326");
});

test.each([
  ["west of Greenwich", [-0.2, 51.4, -0.1, 51.5], "EPSG:32630"],
  ["in the south", [18.4, -34.1, 18.5, -34], "EPSG:32734"],
  ["across the antimeridian", [179.95, -17, -179.95, -16.95], "EPSG:32701"],
])("the UTM zone of a box %s", (_, bbox, crs) => {
  expect(gridOf(box(bbox), {}, 60, []).grid.crs.name).toBe(crs);
});

test("pixels are aligned with those of files of the same resolution in the same CRS", () => {
  const corners = [
    { crs: resolveCrs("EPSG:32632"), x: 7, y: 7, resolution: [30, 30] as const },
    { crs: UTM, x: 500_015, y: 5_000_025, resolution: [30, 30] as const },
  ];
  const area = box([500_100, 4_999_000, 500_200, 4_999_100], "EPSG:32633");
  const { grid } = gridOf(area, {}, 30, corners);
  const [west, south, east, north] = gridBounds(grid);
  for (const x of [west, east]) expect((x - 500_015) % 30).toBe(0);
  for (const y of [south, north]) expect(Math.abs((y - 5_000_025) % 30)).toBe(0);
  expect(west <= 500_100 && west > 500_070 && east >= 500_200 && east < 500_230).toBe(true);
});

test.each([
  ["20 m of files of 10 m", 20, { crs: UTM, x: 500_013, y: 5_000_027, resolution: [10, 10] as const }],
  ["60 m of files of 30 m", 60, { crs: UTM, x: 500_015, y: 5_000_025, resolution: [30, 30] as const }],
])(
  "a polygon by resolution has pixels that begin where those of the files do: %s",
  { tags: ["ST4"] },
  (_, pixel, corner) => {
    const ring = [
      [500_100, 4_999_000],
      [500_300, 4_999_000],
      [500_300, 4_999_200],
      [500_100, 4_999_000],
    ];
    const area = areaOf({ geometry: { type: "Polygon", coordinates: [ring] }, crs: "EPSG:32633" });
    const elsewhere = { ...corner, crs: resolveCrs("EPSG:32632"), x: 3, y: 3 };
    const [west, south, east, north] = gridBounds(
      gridOf(area, { resx: pixel, resy: pixel }, 10, [elsewhere, corner]).grid,
    );
    for (const x of [west, east]) expect(Math.abs((x - corner.x) % pixel)).toBe(0);
    for (const y of [south, north]) expect(Math.abs((y - corner.y) % pixel)).toBe(0);
  },
);

test.each([
  ["of most files", [12.05, 45, 12.1, 45.05], [32, 32, 33], "EPSG:32632"],
  ["of the centre, with as many in the next one", [12.05, 45, 12.1, 45.05], [32, 33, 32, 33], "EPSG:32633"],
  ["of the centre, where files do not say theirs", [12.05, 45, 12.1, 45.05], [], "EPSG:32633"],
  ["next to that of the centre alone", [12.05, 45, 12.1, 45.05], [20, 20, 20], "EPSG:32633"],
  ["of most files across the antimeridian", [179.9, 10, 179.95, 10.05], [1, 1], "EPSG:32601"],
  ["of the north that Landsat has in the south", [18.4, -34.1, 18.5, -34], [34], "EPSG:32634"],
])("the UTM zone of the default grid is that %s", { tags: ["ST4"] }, (_, bbox, zones, crs) => {
  const corners = zones.map((zone) => ({
    crs: resolveCrs(`EPSG:${32_600 + zone}`),
    x: 15,
    y: 15,
    resolution: [30, 30] as const,
  }));
  expect(gridOf(box(bbox), {}, 30, corners).grid.crs.name).toBe(crs);
});

test("a box by resolution or size is the outer edge of the grid", () => {
  const area = box([500_000, 4_999_000, 501_005, 5_000_000], "EPSG:32633");
  for (const size of [
    { resx: 10, resy: 20 },
    { width: 101, height: 50 },
  ]) {
    const { grid, region } = gridOf(area, size, 10, []);
    expect([grid.width, grid.height, region]).toEqual([size.width ?? 101, 50, undefined]);
    expect(gridBounds(grid)).toEqual([500_000, 4_999_000, 501_005, 5_000_000]);
  }
});

test("an area that no grid holds is refused with the sides it would have", () => {
  for (const bbox of [
    [-170, -60, 170, 60],
    [10, 40, 11, 41],
  ]) {
    expect(() => gridOf(box(bbox), {}, 10, [])).toThrow(
      expect.objectContaining({ code: "output-too-large", limits: expect.objectContaining({ maxOutputWidth: 2500 }) }),
    );
  }
});

test.each([
  [{ width: 512, height: 512, bands: 3, dates: 1 }, 1],
  [{ width: 512, height: 256, bands: 2, dates: 12 }, 4],
  [{ width: 10, height: 10, bands: 1, dates: 1 }, 0.01],
  [{ width: 512, height: 512, bands: 3, dates: 0 }, 0.01],
])("units of %o are %d", { tags: ["ST10"] }, (work, units) => {
  expect(statisticsUnits(work)).toBe(units);
});

test("a pixel size next to nothing is refused with numbers that JSON can write", () => {
  const polygon = {
    type: "Polygon" as const,
    coordinates: [
      [
        [13.2, 45.4],
        [13.4, 45.4],
        [13.3, 45.6],
        [13.2, 45.4],
      ],
    ],
  };
  for (const area of [box([13.2, 45.4, 13.4, 45.6]), areaOf({ geometry: polygon })]) {
    for (const resolution of [1e-300, 1e-320]) {
      expect(() => gridOf(area, { resx: resolution, resy: resolution }, 10, [])).toThrow(
        expect.objectContaining({
          code: "output-too-large",
          message: "The grid would have 1,000,000,000,000 × 1,000,000,000,000 pixels (at most 2,500 a side).",
          limits: { maxOutputWidth: 2500, maxOutputHeight: 2500, requestedWidth: 1e12, requestedHeight: 1e12 },
        }),
      );
    }
  }
  expect([0, 7, Number.NaN, Number.POSITIVE_INFINITY].map(pixelCount)).toEqual([1, 7, 1e12, 1e12]);
});

/** A polygon of some kilometres around a place: its corners by direction and distance, 0 to 1. */
const field = fc.record({
  lon: fc.double({ min: -179, max: 179, noNaN: true }),
  lat: fc.double({ min: -70, max: 70, noNaN: true }),
  corners: fc
    .uniqueArray(fc.integer({ min: 0, max: 35 }), { minLength: 5, maxLength: 12 })
    .filter((turns) => new Set(turns.map((turn) => Math.floor(turn / 9))).size === 4)
    .map((turns) => turns.toSorted((a, b) => a - b)),
});

function ringOf({ lon, lat, corners }: typeof field extends fc.Arbitrary<infer T> ? T : never): [number, number][] {
  const ring = corners.map((turn): [number, number] => {
    const angle = (turn * Math.PI) / 18;
    return [lon + (0.05 * Math.cos(angle)) / Math.cos((lat * Math.PI) / 180), lat + 0.04 * Math.sin(angle)];
  });
  return [...ring, ring[0]!];
}

/** The box around a ring in a CRS, by 2,000 points an edge. */
function denseBox(ring: readonly [number, number][], from: Crs, to: Crs): [number, number, number, number] {
  const project = transformer(from, to);
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  ring.slice(1).forEach(([x1, y1], i) => {
    const [x0, y0] = ring[i]!;
    for (let k = 0; k <= 2000; k++) {
      const [x, y] = project(x0 + ((x1 - x0) * k) / 2000, y0 + ((y1 - y0) * k) / 2000);
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
  });
  return box;
}

test("the grid of a polygon is that of its own box in the CRS of the output, not of the box of its degrees", {
  tags: ["ST16"],
}, () => {
  fc.assert(
    fc.property(field, (place) => {
      const ring = ringOf(place);
      const degrees = resolveCrs("EPSG:4326");
      const area = areaOf({ geometry: { type: "Polygon", coordinates: [ring] } });
      const { grid } = gridOf(area, {}, 10, []);
      const [west, south, east, north] = denseBox(ring, degrees, grid.crs);
      const [minX, minY, maxX, maxY] = gridBounds(grid);
      for (const beyond of [west - minX, south - minY, maxX - east, maxY - north]) {
        expect(beyond).toBeGreaterThan(-0.01);
        expect(beyond).toBeLessThan(10.01);
      }
      // an extraction has the same box, to the millimetre
      const file = gridBounds(outputGrid(area, { crs: grid.crs.name, resx: 10, resy: 10 }));
      for (const [i, side] of [west, south, east, north].entries()) expect(file[i]).toBeCloseTo(side, 1);
    }),
  );
});

test("a polygon in UTM is searched by its own box in degrees", { tags: ["ST16"] }, () => {
  const ring: [number, number][] = [
    [200_000, 5_000_000],
    [260_000, 4_999_000],
    [230_000, 5_060_000],
    [200_000, 5_000_000],
  ];
  const area = areaOf({ geometry: { type: "Polygon", coordinates: [ring] }, crs: "EPSG:32633" });
  const box = denseBox(ring, UTM, resolveCrs("EPSG:4326"));
  for (const [i, side] of area.bbox.entries()) expect(side).toBeCloseTo(box[i]!, 6);
});

const refusalOf = (read: () => unknown): Refusal => {
  try {
    read();
  } catch (error) {
    return error as Refusal;
  }
  throw new Error("Nothing was refused.");
};

test.each<[string, Frame, (string | number)[], string]>([
  ["both ways at once", { width: 3, resy: 4 }, [], "Expected width and height, or resx and resy, got both."],
  ["a width alone", { width: 3 }, ["height"], "Expected height beside width."],
  ["a height alone", { height: 3 }, ["width"], "Expected width beside height."],
  ["resx alone", { resx: 0.1 }, ["resy"], "Expected resy beside resx."],
  ["resy alone", { resy: 0.1 }, ["resx"], "Expected resx beside resy."],
  [
    "both sides in proportion",
    { width: "auto", height: "auto" },
    ["width"],
    expect.stringContaining("Expected a number"),
  ],
  ["a size beside a width", { size: 3, width: 3 }, ["size"], "Expected the size of the long edge alone."],
  ["an unknown CRS", { crs: "EPSG:27700" }, ["crs"], expect.stringContaining('got "EPSG:27700"')],
  ["pixels wider than the area", { resx: 9, resy: 0.1 }, ["resx"], expect.stringContaining("in degrees.")],
])("%s is refused alike for files and for numbers", (_, frame, member, message) => {
  const area = box([13, 45, 14, 46]);
  const of = [
    refusalOf(() => outputGrid(area, { crs: "EPSG:4326", ...frame })),
    refusalOf(() => gridOf(area, frame, 10, [])),
  ];
  for (const refusal of of) expect(refusal).toMatchObject({ path: ["where", "frame", ...member], message });
});

test("a side of a file may be in proportion to the other, or the longer one be named", () => {
  const sides = (frame: Frame) => {
    const { width, height } = outputGrid(box([13, 45, 15, 46]), { crs: "EPSG:4326", ...frame });
    return [width, height];
  };
  expect(sides({ width: 300, height: "auto" })).toEqual([300, 150]);
  expect(sides({ width: "auto", height: 300 })).toEqual([600, 300]);
  expect(sides({ size: 300 })).toEqual([300, 150]);
});

test("exact pixels begin in the upper left corner and cover the area", () => {
  const area = box([13, 45, 14, 46]);
  const frame = { crs: "EPSG:4326", resx: 0.3, resy: 0.4 };
  const { transform, width, height } = outputGrid(area, { ...frame, exact: true });
  expect([transform, width, height]).toEqual([[0.3, 0, 13, 0, -0.4, 46], 4, 3]);
  expect(outputGrid(area, frame).transform[0]).toBeCloseTo(1 / 3);
  // one pixel covers an area that is smaller than it
  expect(outputGrid(area, { crs: "EPSG:4326", resx: 9, resy: 9, exact: true })).toMatchObject({ width: 1, height: 1 });
  expect(refusalOf(() => outputGrid(area, { width: 3, height: 3, exact: true }))).toMatchObject({
    code: "invalid",
    path: ["where", "frame", "resx"],
  });
});

test("a file without sizes has 256 pixels a side in Web Mercator; numbers may have a CRS of their own", () => {
  const area = box([13, 45, 14, 46]);
  expect(outputGrid(area, {})).toMatchObject({ crs: { name: "EPSG:3857" }, width: 256, height: 256 });
  const { grid, region } = gridOf(area, { crs: "EPSG:3857", width: 20, height: 30 }, 10, []);
  expect([grid.crs.name, grid.width, grid.height]).toEqual(["EPSG:3857", 20, 30]);
  // a box of degrees is none in metres: its own pixels count
  expect(region).toEqual({ polygon: expect.objectContaining({ type: "Polygon" }), crs: "EPSG:4326" });
  const native = gridOf(area, { crs: "EPSG:4326" }, 100, []).grid;
  expect([native.crs.name, native.transform[0]]).toEqual(["EPSG:4326", 100 / 111_320]);
});

test("a CRS that cannot hold the area is refused at the CRS of the frame", () => {
  const refusal = refusalOf(() => outputGrid(box([-180, 85, 180, 90]), { crs: "EPSG:3857" }));
  expect(refusal).toMatchObject({ code: "invalid", path: ["where", "frame", "crs"] });
});
