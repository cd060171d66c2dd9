import { describe, expect, test } from "vitest";
import { type Answer, askEach } from "../src/fields/ask-each.ts";
import { FIELD_LIMITS, readFields } from "../src/fields/read-fields.ts";
import { areaOf, areaText, lengthOf, lengthText } from "../src/geometry/geodesic.ts";

const square = (west: number, south: number, side: number): number[][] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];
const feature = (properties: unknown, geometry: unknown, more: object = {}): object => ({
  type: "Feature",
  properties,
  geometry,
  ...more,
});
const field = (properties: unknown, more: object = {}): object =>
  feature(properties, { type: "Polygon", coordinates: [square(13, 45, 0.01)] }, more);
const collection = (...features: readonly object[]): string => JSON.stringify({ type: "FeatureCollection", features });

describe("a file of fields", () => {
  test("gives its polygons and points, by the names that the file has for them", () => {
    const text = collection(
      field({ Name: "Long acre" }),
      field({ fid: 7 }),
      field({}, { id: "b-12" }),
      field(null),
      feature({ title: "Well" }, { type: "Point", coordinates: [13.5, 45.5, 120] }),
    );
    const { fields, faults } = readFields(text);
    expect(fields.map(({ id, name }) => [id, name])).toEqual([
      ["1", "Long acre"],
      ["2", "7"],
      ["3", "b-12"],
      ["4", "Field 4"],
      ["5", "Well"],
    ]);
    expect(fields.map(({ areaKm2 }) => areaKm2 > 0)).toEqual([true, true, true, true, false]);
    expect(faults).toEqual([]);
  });

  test("may be a feature or a geometry alone", () => {
    const polygon = { type: "MultiPolygon", coordinates: [[square(13, 45, 0.01)], [square(14, 45, 0.01)]] };
    expect(readFields(JSON.stringify(polygon)).fields).toMatchObject([{ name: "Field 1", geometry: polygon }]);
    expect(readFields(JSON.stringify(field({ name: "one" }))).fields).toMatchObject([{ name: "one" }]);
  });

  test("says of each feature that cannot be used why, and keeps the others", () => {
    const bowTie = {
      type: "Polygon",
      coordinates: [
        [
          [13, 45],
          [14, 46],
          [14, 45],
          [13, 46],
          [13, 45],
        ],
      ],
    };
    const open = { type: "Polygon", coordinates: [square(13, 45, 0.01).slice(0, 4)] };
    const utm = { type: "Polygon", coordinates: [square(500_000, 5_000_000, 100)] };
    const line = {
      type: "LineString",
      coordinates: [
        [13, 45],
        [14, 46],
      ],
    };
    const { fields, faults } = readFields(
      collection(field({ name: "good" }), ...[bowTie, open, utm, line, null].map((geometry) => feature({}, geometry))),
    );
    expect(fields.map(({ name }) => name)).toEqual(["good"]);
    expect(faults.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      "Field 2: The polygon intersects itself near 13.5, 45.5 (longitude, latitude).",
      expect.stringContaining("Field 3: The ring is open"),
      "Field 4: Its coordinates are no degrees: export the file in WGS 84 (EPSG:4326).",
      "Field 5: Expected a Point, Polygon or MultiPolygon, got a LineString.",
      "Field 6: It has no geometry.",
    ]);
  });

  test.each([
    { name: "text", text: "name;area", code: "not-json", says: /no JSON/ },
    { name: "a zipped shapefile", text: "PK\u0003\u0004", code: "not-json", says: /zipped/ },
    { name: "KML", text: "<?xml version='1.0'?><kml/>", code: "not-json", says: /KML/ },
    { name: "a list", text: "[1, 2]", code: "not-geojson", says: /a list/ },
    { name: "null", text: "null", code: "not-geojson", says: /object/ },
    { name: "TopoJSON", text: '{"type": "Topology"}', code: "not-geojson", says: /TopoJSON/ },
    { name: "a STAC catalog", text: '{"type": "Catalog"}', code: "not-geojson", says: /"Catalog"/ },
    { name: "no features", text: collection(), code: "empty", says: /no features/ },
    {
      name: "a collection in metres",
      text: '{"type": "FeatureCollection", "crs": {"properties": {"name": "urn:ogc:def:crs:EPSG::32633"}}, "features": []}',
      code: "other-crs",
      says: /EPSG::32633.*EPSG:4326/,
    },
    {
      name: "too many features",
      text: collection(...Array.from({ length: FIELD_LIMITS.fields + 1 }, () => field({}))),
      code: "too-many",
      says: /101 features; at most 100/,
    },
    { name: "too many bytes", text: " ".repeat(FIELD_LIMITS.bytes + 1), code: "too-large", says: /at most 5 MB/ },
  ])("of $name is refused with the reason", ({ text, code, says }) => {
    expect(() => readFields(text)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(says) }));
  });

  test("with too many vertices in all is refused", () => {
    const round = Array.from({ length: 9000 }, (_, i) => [13 + Math.cos(i / 1432.4), 45 + Math.sin(i / 1432.4)]);
    const circle = { type: "Polygon", coordinates: [[...round, round[0]]] };
    const text = collection(...Array.from({ length: 3 }, () => feature({}, circle)));
    expect(() => readFields(text)).toThrow(/more than 20,000 vertices/);
  });

  test.each(["urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", "urn:ogc:def:crs:EPSG::4326"])(
    "with the old member crs of %s is in degrees",
    (name) => {
      const text = JSON.stringify({
        crs: { type: "name", properties: { name } },
        ...JSON.parse(collection(field({}))),
      });
      expect(readFields(text).fields).toHaveLength(1);
    },
  );
});

describe("one question of many fields", () => {
  const gathered = (): { log: string[]; onAnswer: (key: string, answer: Answer<string>) => void } => {
    const log: string[] = [];
    return { log, onAnswer: (key, { state }) => log.push(`${key} ${state}`) };
  };

  test("is asked a few at a time, and a failure does not keep the others", async () => {
    const { log, onAnswer } = gathered();
    let running = 0;
    let most = 0;
    await askEach(["a", "b", "c", "d"], {
      parallel: 2,
      signal: new AbortController().signal,
      endsAll: () => false,
      onAnswer,
      ask: async (key) => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
        if (key === "b") throw new Error("no");
        return key;
      },
    });
    expect(most).toBe(2);
    expect(log.filter((line) => /done|failed/.test(line)).sort()).toEqual(["a done", "b failed", "c done", "d done"]);
  });

  test("ends where all others would fail in the same way", async () => {
    const { log, onAnswer } = gathered();
    await askEach(["a", "b", "c"], {
      parallel: 1,
      signal: new AbortController().signal,
      endsAll: (error) => error === "spent",
      onAnswer,
      ask: () => Promise.reject("spent"),
    });
    expect(log.slice(3)).toEqual(["a asking", "a failed", "b stopped", "c stopped"]);
  });

  test("can be stopped: what runs is cancelled, what waits is not asked", async () => {
    const { log, onAnswer } = gathered();
    const stopping = new AbortController();
    const asked = askEach(["a", "b", "c"], {
      parallel: 1,
      signal: stopping.signal,
      endsAll: () => true,
      onAnswer,
      ask: (_, signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
    });
    stopping.abort();
    await asked;
    expect(log.slice(3)).toEqual(["a asking", "a stopped", "b stopped", "c stopped"]);
  });
});

describe("lengths and areas are those of the ellipsoid", () => {
  test("of JFK to LHR 5,551.759 km, the example of GeographicLib", () => {
    expect(
      lengthOf([
        [-73.8, 40.6],
        [-0.5, 51.6],
      ]),
    ).toBeCloseTo(5_551_759.4, 1);
  });

  test("of Antarctica 13,662,703.68 km², the example of GeographicLib, whichever way it turns", () => {
    const ring = [
      [-58, -63.1], [-74, -72.9], [-102, -71.9], [-102, -74.9], [-131, -74.3], [-163, -77.5], [163, -77.4], [172, -71.7],
      [140, -65.9], [113, -65.7], [88, -66.6], [59, -66.9], [25, -69.8], [-4, -70.0], [-14, -71.0], [-33, -77.3],
      [-46, -77.9], [-61, -74.7],
    ] as const; // biome-ignore format: pairs
    expect(areaOf([ring])).toBeCloseTo(13_662_703.6800201, 4);
    expect(areaOf([[...ring].reverse()])).toBeCloseTo(13_662_703.6800201, 4);
  });

  test("of a polygon without its hole", () => {
    const outer = square(13, 45, 0.02) as unknown as readonly (readonly [number, number])[];
    const hole = square(13.005, 45.005, 0.01) as unknown as readonly (readonly [number, number])[];
    expect(areaOf([outer, hole])).toBeCloseTo(areaOf([outer]) - areaOf([hole]), 9);
  });

  test("in the unit that reads best", () => {
    expect([7.25, 840.4, 12_345].map(lengthText)).toEqual(["7.3 m", "840 m", "12.35 km"]);
    expect([0.00412, 0.5, 5.2137].map(areaText)).toEqual(["0.412 ha", "50 ha", "5.214 km²"]);
  });
});
