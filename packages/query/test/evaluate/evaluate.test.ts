import { type Bbox, bboxGeometry } from "@swath/geometry";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  FILTER_QUERYABLES,
  type Filter,
  formatDatetime,
  matchesFilter,
  matchesInterval,
  matchesItemQuery,
  parseCql2Text,
  parseDatetime,
  QUERYABLES,
  type Queryables,
  type SearchItem,
} from "../../src/index.ts";

const text = (title: string): Queryables[string] => ({ kind: "string", schema: { title } });
const queryables: Queryables = {
  ...FILTER_QUERYABLES,
  ...QUERYABLES,
  street: text("Street"),
  start: { kind: "instant", schema: { title: "Start" } },
  end: { kind: "instant", schema: { title: "End" } },
  built: { kind: "date", schema: { title: "Built" } },
  open: { kind: "boolean", schema: { title: "Open" } },
  missing: { kind: "number", schema: { title: "Missing" } },
};

const item: SearchItem = {
  id: "a_1%",
  collection: "sentinel-2-l2a",
  geometry: {
    type: "Polygon",
    coordinates: [
      [
        [179, 0],
        [-179, 0],
        [-179, 1],
        [179, 1],
        [179, 0],
      ],
    ],
  },
  properties: {
    datetime: "2024-04-22T17:53:02.036Z",
    created: "2024-04-22T19:53:02.036000+02:00",
    start: "2024-04-01T00:00:00Z",
    end: "2024-04-30T23:59:59Z",
    built: "2024-04-22",
    instruments: ["msi", "other"],
    street: "Straße der Οδός",
    gsd: 10,
    "eo:cloud_cover": 7,
    open: false,
  },
};

/** True, false, or `undefined` where neither the filter nor its opposite matches. */
function truthOf(filter: Filter): boolean | undefined {
  const [is, isNot] = [filter, { op: "not", arg: filter } as const].map((one) => matchesFilter(one, item));
  return is === isNot ? undefined : is;
}

test.each<[string, boolean | undefined]>([
  ["CASEI(street) = CASEI('STRASSE DER ΟΔΌΣ')", true],
  ["ACCENTI(CASEI(street)) LIKE ACCENTI(CASEI('strasse%ΟΔΟΣ'))", true],
  ["ACCENTI(street) = 'Straße der Οδος'", true],
  ["id LIKE 'a\\_1\\%'", true],
  ["id LIKE 'b\\_%'", false],
  ["id LIKE 'a__%'", true],
  ["gsd + eo:cloud_cover * 2 = 24", true],
  ["-gsd ^ 2 = 100", true],
  ["gsd div 3 = 3 AND -gsd div 3 = -3 AND gsd % 3 = 1 AND -gsd % 3 = -1", true],
  ["gsd / 0 > 1", undefined],
  ["gsd / missing > 1", undefined],
  ["missing > 1 OR gsd = 10", true],
  ["missing > 1 AND gsd = 11", false],
  ["missing IN (1)", undefined],
  ["missing IS NULL AND gsd + missing IS NULL AND geometry IS NOT NULL", true],
  ["(missing = 1) IS NULL", true],
  ["INTERVAL(start, missing_end) IS NULL", true],
  ["open = FALSE AND open <> TRUE", true],
  ["TRUE AND NOT FALSE", true],
  ["datetime = created", true],
  ["datetime < created", false],
  ["datetime = DATE('2024-04-22')", true],
  ["datetime > DATE('2024-04-22')", false],
  ["datetime <= DATE('2024-04-22') AND datetime >= DATE('2024-04-22')", true],
  ["datetime < DATE('2024-04-23') AND datetime > DATE('2024-04-21')", true],
  ["built = datetime AND datetime = built", true],
  ["built BETWEEN DATE('2024-04-01') AND DATE('2024-04-22')", true],
  ["datetime = TIMESTAMP('2024-04-22T17:53:02.036000001Z')", true],
  ["datetime = TIMESTAMP('2024-04-22T17:53:02Z')", false],
  ["T_EQUALS(datetime, DATE('2024-04-22'))", true],
  ["T_AFTER(datetime, INTERVAL('..', '2024-04-21'))", true],
  ["T_BEFORE(datetime, INTERVAL('2024-04-22', '..'))", false],
  ["T_DURING(datetime, INTERVAL('2024-04-22', '2024-04-22'))", true],
  ["T_DURING(datetime, INTERVAL('2024-04-22', '..'))", true],
  ["T_DURING(built, INTERVAL('2024-04-22', '..'))", false],
  ["T_CONTAINS(INTERVAL(start, end), datetime)", true],
  ["T_CONTAINS(INTERVAL('..', '..'), INTERVAL(start, end))", true],
  ["T_STARTS(INTERVAL(start, end), INTERVAL('2024-04-01', '..'))", true],
  ["T_FINISHEDBY(INTERVAL('..', '2024-04-30T23:59:59Z'), INTERVAL(start, end))", true],
  ["T_MEETS(INTERVAL('2024-04-01', '2024-04-22'), INTERVAL('2024-04-22', '..'))", true],
  ["T_METBY(INTERVAL('2024-04-22', '..'), INTERVAL('2024-04-01', '2024-04-22'))", true],
  ["T_OVERLAPS(INTERVAL('..', '2024-04-15'), INTERVAL(start, end))", true],
  ["T_OVERLAPPEDBY(INTERVAL(start, end), INTERVAL('..', '2024-04-15'))", true],
  ["T_DISJOINT(INTERVAL(start, end), INTERVAL('2024-05-01', '..'))", true],
  ["T_AFTER(INTERVAL(start, missing_end), DATE('2020-01-01'))", undefined],
  ["A_CONTAINS(instruments, ('msi')) AND A_CONTAINEDBY(instruments, ('other', 'msi', 'x'))", true],
  ["A_EQUALS((DATE('2024-04-22'), 1, ('a', TRUE)), (built, 1, ('a', TRUE)))", true],
  ["A_OVERLAPS((missing, 2), (1, 3))", undefined],
  ["A_OVERLAPS((missing, 1), (1, 3))", true],
  ["A_CONTAINS((1, '1'), ('1', 1))", true],
  ["A_CONTAINS((1), ('1'))", false],
  ["S_CONTAINS(geometry, POINT(180 0.5)) AND S_CONTAINS(geometry, POINT(-180 0.5))", true],
  ["S_WITHIN(geometry, BBOX(178, -1, -178, 2)) AND S_WITHIN(geometry, BBOX(178, -1, -5, -178, 2, 5))", true],
  ["S_EQUALS(geometry, BBOX(179, 0, -179, 1))", true],
  ["S_TOUCHES(geometry, BBOX(-179, 0, -178, 1)) AND S_TOUCHES(geometry, POINT(179 0.5))", true],
  ["S_OVERLAPS(geometry, BBOX(-179.5, 0, -178, 1))", true],
  ["S_CROSSES(geometry, LINESTRING(-180 -1, -180 2))", true],
  ["S_DISJOINT(geometry, POINT(0 0.5))", true],
])("%s: %s", (filter, expected) => {
  const names = { ...queryables, missing_end: queryables.end! };
  expect(truthOf(parseCql2Text(filter, { queryables: names }))).toBe(expected);
});

test("an item without a geometry is neither in a relation nor out of it", () => {
  const filter = parseCql2Text("S_WITHIN(geometry, BBOX(0, 0, 1, 1))");
  const without: SearchItem = { id: "b", geometry: null, properties: {} };
  expect(matchesFilter(filter, without) || matchesFilter({ op: "not", arg: filter }, without)).toBe(false);
});

test("a function that nobody knows is unknown", () => {
  expect(truthOf(parseCql2Text("avg(gsd) > 1"))).toBeUndefined();
});

const longitude = fc.integer({ min: -180, max: 180 });
const latitude = fc.integer({ min: -90, max: 90 });
const box = fc
  .tuple(longitude, latitude, longitude, latitude)
  .map(([west, a, east, b]): Bbox => [west, Math.min(a, b), east, Math.max(a, b)]);
const footprint = fc
  .tuple(
    longitude,
    fc.integer({ min: -85, max: 80 }),
    fc.integer({ min: 1, max: 30 }),
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: -3, max: 3 }),
  )
  .map(([west, south, width, height, skew]) => {
    const wrap = (x: number): number => (x > 180 ? x - 360 : x < -180 ? x + 360 : x);
    const ring = [
      [west, south],
      [west + width, south],
      [west + width + skew, south + height],
      [west + skew, south + height],
    ];
    return { type: "Polygon", coordinates: [[...ring, ring[0]!].map(([x, y]) => [wrap(x!), y!])] };
  });

test("bbox, intersects, S_INTERSECTS and S_DISJOINT find the same footprints; inside means intersecting", () => {
  fc.assert(
    fc.property(footprint, box, (geometry, bbox) => {
      const here: SearchItem = { id: "a", geometry, properties: {} };
      const found = (filter: string): boolean => matchesFilter(parseCql2Text(filter, { queryables }), here);
      const asked = { collections: [], sortby: [], limit: 1 };
      const meets = matchesItemQuery({ ...asked, bbox }, here);
      expect(matchesItemQuery({ ...asked, intersects: bboxGeometry(bbox) }, here)).toBe(meets);
      expect(found(`S_INTERSECTS(geometry, BBOX(${bbox.join(",")}))`)).toBe(meets);
      expect(found(`S_INTERSECTS(BBOX(${bbox.join(",")}), geometry)`)).toBe(meets);
      expect(found(`S_DISJOINT(geometry, BBOX(${bbox.join(",")}))`)).toBe(!meets);
      for (const name of ["S_WITHIN", "S_CONTAINS", "S_TOUCHES", "S_OVERLAPS", "S_EQUALS", "S_CROSSES"]) {
        if (found(`${name}(geometry, BBOX(${bbox.join(",")}))`)) expect({ name, meets }).toEqual({ name, meets: true });
      }
    }),
    { numRuns: 500 },
  );
});

test("T_INTERSECTS finds what the datetime parameter finds", () => {
  const time = fc
    .date({ min: new Date("2024-01-01"), max: new Date("2024-01-04"), noInvalidDate: true })
    .map((date) => date.toISOString());
  const properties = fc.oneof(
    fc.record({ datetime: time }),
    fc
      .tuple(time, time)
      .map((both) => both.sort())
      .map(([start, end]) => ({ datetime: null, start_datetime: start, end_datetime: end })),
  );
  const range = fc.oneof(
    fc.tuple(time, time).map((both) => both.sort()),
    time.map((one) => ["..", one]),
    time.map((one) => [one, ".."]),
    fc.constant(["2024-01-02", "2024-01-02"]),
  );
  fc.assert(
    fc.property(properties, range, (own, bounds) => {
      const interval = parseDatetime(bounds.join("/"));
      const filter = parseCql2Text(`T_INTERSECTS(datetime, INTERVAL('${bounds[0]}', '${bounds[1]}'))`, { queryables });
      const found = matchesFilter(filter, { id: "a", properties: own });
      expect({ interval: formatDatetime(interval), found }).toEqual({
        interval: formatDatetime(interval),
        found: matchesInterval(interval, own),
      });
    }),
  );
});
