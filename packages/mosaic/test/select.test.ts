import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PolygonGeometry } from "@swath/geometry";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Candidate, MosaicInputError, type Ring, selectScenes } from "../src/index.ts";
import { rectangle } from "./scenes.ts";

const scene = (id: string, west: number, south: number, east: number, north: number): Candidate => ({
  id,
  footprint: [rectangle([west, south, east, north])],
});
const ids = (scenes: readonly Candidate[]): string[] => scenes.map(({ id }) => id);

test("scenes are taken while they add area, in order, and no more once the area is covered", () => {
  const candidates = [
    scene("west", -1, -1, 0.5, 2),
    scene("inner west", 0, 0, 0.4, 1),
    scene("elsewhere", 5, 5, 6, 6),
    scene("middle", 0.3, -1, 0.7, 2),
    scene("all", -1, -1, 2, 2),
    scene("after", -2, -2, 3, 3),
  ];
  expect(selectScenes(candidates, [0, 0, 1, 1], 6)).toEqual({
    scenes: [candidates[0], candidates[3], candidates[4]],
    tooMany: false,
    matched: 6,
    covered: 1,
  });
});

test("one scene more than allowed that still adds area is reported with counts", { tags: ["X12"] }, () => {
  const strips = Array.from({ length: 8 }, (_, i) => scene(String(i), i / 8, 0, (i + 1) / 8, 1));
  const six = selectScenes(strips, [0, 0, 1, 1], 6);
  expect(ids(six.scenes)).toEqual(["0", "1", "2", "3", "4", "5"]);
  expect(six).toMatchObject({ tooMany: true, matched: 8 });
  expect(six.covered).toBeCloseTo(0.75, 9);
  expect(selectScenes(strips, [0, 0, 0.75, 1], 6)).toMatchObject({ tooMany: false });
  expect(selectScenes(strips, [0, 0, 1, 1], 8)).toMatchObject({ tooMany: false, covered: 1 });
});

test.each([
  { name: "a vertical sliver", left: (thin: number) => scene("most", 0, 0, 1 - thin, 1) },
  { name: "a horizontal sliver", left: (thin: number) => scene("most", 0, 0, 1, 1 - thin) },
])("$name counts from the tolerance on", ({ left }) => {
  const whole = scene("whole", 0, 0, 1, 1);
  expect(ids(selectScenes([left(2e-5), whole], [0, 0, 1, 1], 6).scenes)).toEqual(["most", "whole"]);
  expect(ids(selectScenes([left(5e-6), whole], [0, 0, 1, 1], 6).scenes)).toEqual(["most"]);
  expect(ids(selectScenes([left(5e-6), whole], [0, 0, 1, 1], 6, { tolerance: 1e-6 }).scenes)).toEqual([
    "most",
    "whole",
  ]);
});

test("covers of random rectangles are measured to within one line", () => {
  const box = fc.tuple(fc.nat(20), fc.nat(20), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(fc.array(box, { maxLength: 6 }), (boxes) => {
      const candidates = boxes.map(([x, y, w, h], i) => scene(String(i), x, y, x + w, y + h));
      const cells = Array.from({ length: 400 }, (_, i) =>
        boxes.some(([x, y, w, h]) => {
          const [cx, cy] = [i % 20, Math.floor(i / 20)];
          return cx >= x && cx < x + w && cy >= y && cy < y + h;
        }),
      );
      const { covered } = selectScenes(candidates, [0, 0, 20, 20], 6);
      expect(Math.abs(covered - cells.filter(Boolean).length / 400)).toBeLessThan(12 / 512);
    }),
    { seed: 6, numRuns: 60 },
  );
});

describe("the antimeridian", () => {
  const cut: Candidate = {
    id: "cut",
    footprint: [rectangle([179, -1, 180, 1]), rectangle([-180, -1, -179, 1])],
  };
  const uncut: Candidate = {
    id: "uncut",
    footprint: [
      [
        [179, -1],
        [-179, -1],
        [-179, 1],
        [179, 1],
      ],
    ],
  };
  const multipolygon: PolygonGeometry = {
    type: "MultiPolygon",
    coordinates: [[rectangle([179.5, 0, 180, 1])], [rectangle([-180, 0, -179.5, 1])]],
  };

  test.each([
    { name: "a box across", area: [179.5, 0, -179.5, 1] as const },
    { name: "a box west of", area: [179.5, 0, 180, 1] as const },
    { name: "a box east of", area: [-180, 0, -179.5, 1] as const },
    { name: "a polygon cut at", area: multipolygon },
  ])("$name it is covered by footprints cut and uncut, and by a bbox", ({ area }) => {
    for (const candidate of [cut, uncut, { id: "box", bbox: [179, -1, -179, 1] as const }]) {
      const selection = selectScenes([candidate], area, 6);
      expect(selection.scenes).toEqual([candidate]);
      expect(selection.covered).toBeCloseTo(1, 6);
    }
    expect(selectScenes([scene("far", 0, -1, 10, 1)], area, 6)).toMatchObject({ scenes: [], covered: 0 });
  });
});

test("inner rings of the requested polygon need no cover", () => {
  const area: PolygonGeometry = { type: "Polygon", coordinates: [rectangle([0, 0, 4, 4]), rectangle([1, 1, 3, 3])] };
  expect(selectScenes([scene("in the hole", 1, 1, 3, 3)], area, 6)).toMatchObject({ scenes: [], covered: 0 });
  expect(selectScenes([scene("half", 0, 0, 2, 4)], area, 6).covered).toBeCloseTo(0.5, 2);
});

test("a point is an area too", () => {
  expect(ids(selectScenes([scene("a", 0, 0, 1, 1), scene("b", 0, 0, 1, 1)], [0.5, 0.5, 0.5, 0.5], 6).scenes)).toEqual([
    "a",
  ]);
});

test("a scene of which nothing is known is taken and covers nothing", () => {
  const selection = selectScenes([{ id: "?" }, scene("a", 0, 0, 1, 1)], [0, 0, 1, 1], 6);
  expect(ids(selection.scenes)).toEqual(["?", "a"]);
});

test.each([
  { name: "an empty polygon", area: { type: "Polygon", coordinates: [] } as const },
  { name: "a box of NaN", area: [Number.NaN, 0, 1, 1] as const },
])("$name is refused", ({ area }) => {
  expect(() => selectScenes([], area, 6)).toThrow(MosaicInputError);
});

test.each([
  {
    name: "a zigzag of 20,000 points",
    footprint: [Array.from({ length: 20_000 }, (_, i) => [i / 20_000, i % 2] as const)],
    taken: ["hostile", "plain"],
  },
  {
    name: "10,000 overlapping rings",
    footprint: Array.from({ length: 10_000 }, (_, i) => rectangle([i / 20_000, 0, 1, 1 - i / 20_000])),
    taken: ["hostile"],
  },
  {
    name: "points that are no numbers",
    footprint: [[[Number.NaN, 0] as const, [0, Number.POSITIVE_INFINITY] as const, [1e300, -1e300] as const]],
    taken: ["hostile", "plain"],
  },
] satisfies { name: string; footprint: Ring[]; taken: string[] }[])(
  "a footprint of $name is answered like any other",
  ({ footprint, taken }) => {
    const selection = selectScenes([{ id: "hostile", footprint }, scene("plain", 0, 0, 1, 1)], [0, 0, 1, 1], 6);
    expect(ids(selection.scenes)).toEqual(taken);
    expect(selection.covered).toBeCloseTo(1, 6);
  },
);

const fixtures = process.env.SWATH_FIXTURES;

// counts and shares equal those of GEOS (by OGR) for tolerances of 1e-6 to 1e-3
describe.skipIf(fixtures === undefined || !existsSync(fixtures ?? ""))("real footprints", () => {
  interface Feature {
    readonly id: string;
    readonly geometry: { type: "Polygon"; coordinates: Ring[] } | { type: "MultiPolygon"; coordinates: Ring[][] };
  }
  const load = (name: string): Feature[] =>
    JSON.parse(readFileSync(join(fixtures ?? "", "stac/earth-search/v1", name), "utf8")).features;
  const candidate = ({ id, geometry }: Feature): Candidate => ({
    id,
    footprint: (geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates).map(
      ([outer]) => outer ?? [],
    ),
  });

  test("ten Sentinel-2 scenes of one tile: two cover what all cover", () => {
    const candidates = load("sentinel-2-c1-l2a.T13TDE-10-items.json").map(candidate);
    const selection = selectScenes(candidates, [-107, 38, -104, 41], 6);
    expect(selection).toMatchObject({ tooMany: false, matched: 10 });
    expect(selection.scenes).toHaveLength(2);
    expect(selection.covered).toBeCloseTo(0.141706, 3);
  });

  test("sixteen scenes that come twice: the second of each adds nothing", () => {
    const pages = ["search-duplicate-scenes-page1.body.json", "search-duplicate-scenes-page2.body.json"];
    const candidates = pages.flatMap(load).map(candidate);
    expect(selectScenes(candidates, [9, 47, 10, 48], 16).scenes).toHaveLength(8);
    expect(selectScenes(candidates, [9, 47, 10, 48], 6)).toMatchObject({ tooMany: true, matched: 16 });
  });
});
