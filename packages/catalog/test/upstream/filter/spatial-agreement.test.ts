import { type Bbox, bboxGeometry, footprintShape, type Geometry, shapesIntersect, toShape } from "@swath/geometry";
import { type Filter, type ItemQuery, matchesItemQuery } from "@swath/query";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createArchiveCatalog, toServiceItem } from "../../../src/index.ts";
import { upstreamItems } from "../upstream-items.ts";

// quarters of degrees: moving by 360 rounds nothing, and touches are frequent
const quarter = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: min * 4, max: max * 4 }).map((value) => value / 4);
const longitude = fc.oneof(quarter(-180, 180), quarter(176, 180), quarter(-180, -176), fc.constantFrom(-180, 0, 180));
const latitude = fc.oneof(quarter(-90, 90), quarter(-3, 3), fc.constantFrom(-90, 90));

type Form = (west: number, south: number, east: number, north: number, skew: number) => Geometry;

const wrapped = (x: number): number => (x > 180 ? x - 360 : x);
const corners: (...args: Parameters<Form>) => number[][] = (west, south, east, north, skew) => [
  [west, south],
  [east, south],
  [east + skew, north],
  [west + skew, north],
  [west, south],
];

/** Forms of one quadrilateral; `east` may run past 180. */
const FORMS: Readonly<Record<string, Form>> = {
  continuous: (...at) => ({ type: "Polygon", coordinates: [corners(...at)] }),
  jumping: (...at) => ({
    type: "Polygon",
    coordinates: [corners(...at).map(([x = 0, y = 0]) => [wrapped(x), y])],
  }),
  cut: (west, south, east, north) => bboxGeometry([west, south, wrapped(east), north]),
  line: (west, south, east, north) => ({
    type: "LineString",
    coordinates: [
      [west, south],
      [wrapped(east), north],
    ],
  }),
  points: (west, south, east, north) => ({
    type: "MultiPoint",
    coordinates: [
      [west, south],
      [wrapped(east), north],
    ],
  }),
  point: (west, south) => ({ type: "Point", coordinates: [west, south] }),
  flat: (west, south, east) => ({ type: "Polygon", coordinates: [corners(west, south, east, south, 0)] }),
  "with an inner ring": (west, south, east, north) => ({
    type: "Polygon",
    coordinates: [
      corners(west, south, east, north, 0),
      corners(west + 0.25, south + 0.25, Math.max(east, west + 1) - 0.25, Math.max(north, south + 1) - 0.25, 0),
    ],
  }),
  "around the pole": (_, south) => ({
    type: "Polygon",
    coordinates: [[0, 90, 180, -90, 0].map((x) => [x, south < 0 ? -80 : 80])],
  }),
};

const footprint: fc.Arbitrary<Geometry> = fc
  .tuple(
    fc.constantFrom(...Object.keys(FORMS)),
    longitude,
    latitude,
    quarter(0, 6),
    quarter(0, 6),
    fc.constantFrom(0, 1, -1),
  )
  .map(([form, west, south, width, height, skew]) => {
    const bottom = Math.min(south, 90 - height);
    return (FORMS[form] as Form)(west, bottom, west + width, bottom + height, skew);
  });

const bbox: fc.Arbitrary<Bbox> = fc
  .tuple(longitude, latitude, fc.oneof(quarter(0, 8), quarter(0, 359)), fc.oneof(quarter(0, 8), quarter(0, 180)))
  .map(([west, south, width, height]) => [west, south, wrapped(west + width), Math.min(90, south + height)]);

const template = upstreamItems(200).filter((item) => toServiceItem(item) !== undefined);

test("bbox, intersects and the spatial predicates of filters find the same items", { tags: ["S7"] }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(footprint, { minLength: 1, maxLength: 12 }), bbox, async (footprints, box) => {
      const upstream = footprints.map((geometry, i) => ({ ...template[i], geometry }));
      const catalog = createArchiveCatalog({ items: upstream });
      const items = upstream.flatMap((item) => toServiceItem(item) ?? []);
      expect(items).toHaveLength(footprints.length);
      const geometry = bboxGeometry(box);
      const [left, right] = [{ property: "geometry" }, { geometry }];
      const spatial = (operator: "intersects" | "disjoint"): Filter => ({ op: "spatial", operator, left, right });
      const found = async (condition: Partial<ItemQuery>): Promise<string[]> => {
        const query: ItemQuery = { collections: [], sortby: [], limit: 100, ...condition };
        const page = await catalog.search(query);
        const ids = page.items.map(({ id }) => id).sort();
        const plain = items.filter((item) => matchesItemQuery(query, item)).map(({ id }) => id);
        expect(ids, "the archive and the plain test of each item").toEqual(plain.sort());
        return ids;
      };
      const byBox = await found({ bbox: box });
      expect(await found({ intersects: geometry })).toEqual(byBox);
      expect(await found({ filter: spatial("intersects") })).toEqual(byBox);
      expect(await found({ filter: { op: "not", arg: spatial("disjoint") } })).toEqual(byBox);
      const others = await found({ filter: spatial("disjoint") });
      expect([...others, ...byBox].sort()).toEqual(items.map(({ id }) => id).sort());
    }),
    { numRuns: 300 },
  );
});

function moved(geometry: Geometry, turn: number): Geometry {
  const move = (value: unknown): unknown =>
    Array.isArray(value) && typeof value[0] === "number" ? [value[0] + turn, value[1]] : (value as unknown[]).map(move);
  return { ...geometry, coordinates: move("coordinates" in geometry ? geometry.coordinates : []) } as Geometry;
}

test("a test of two geometries is the same from either side and from one turn to the next", () => {
  fc.assert(
    fc.property(footprint, bbox, (geometry, box) => {
      const [shape, wanted] = [footprintShape(geometry), toShape(bboxGeometry(box))];
      const expected = shapesIntersect(shape, wanted);
      expect(shapesIntersect(wanted, shape)).toBe(expected);
      for (const turn of [-360, 360, 720]) {
        expect(shapesIntersect(footprintShape(moved(geometry, turn)), wanted)).toBe(expected);
        expect(shapesIntersect(shape, toShape(moved(bboxGeometry(box), turn)))).toBe(expected);
      }
    }),
    { numRuns: 1000 },
  );
});

test("the forms of one footprint are found by the same boxes", () => {
  fc.assert(
    fc.property(longitude, quarter(-90, 84), quarter(1, 6), quarter(1, 6), bbox, (west, south, width, height, box) => {
      const wanted = toShape(bboxGeometry(box));
      const found = ["continuous", "jumping", "cut"].map((form) => {
        const geometry = (FORMS[form] as Form)(west, south, west + width, south + height, 0);
        return shapesIntersect(footprintShape(geometry), wanted);
      });
      expect(new Set(found).size).toBe(1);
    }),
    { numRuns: 1000 },
  );
});
