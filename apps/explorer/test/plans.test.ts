import { utmEpsg } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Band, Collection, Item, Preset } from "../src/api/types.ts";
import { capUse, type ExtractChoice, processRequest, SYNC_CAPS, sizeOf, wayFor } from "../src/extract/extract-plan.ts";
import { utmName } from "../src/geometry/utm.ts";
import { decodeRings, encodeRings } from "../src/map/maplibre/rings.ts";
import { byteSize, coordinates, platformName } from "../src/ui/format.ts";
import { ndvi, PROBE_SIDE, probeWindow } from "../src/values/probe-grid.ts";
import { bandsOfAll, finestPixel, measuredBands, presetBands, withMemberBands } from "../src/view/bands.ts";
import { openingDays, windowStart } from "../src/view/days.ts";
import { shownOf } from "../src/view/shown.ts";

const choice: ExtractChoice = {
  bands: ["B04", "B08"],
  epsg: 32633,
  resolution: 10,
  units: "REFLECTANCE",
  order: "leastCC",
};

test("a size is the span by the pixel, rounded, and at least one", () => {
  expect(sizeOf([1004, 996], choice, 1)).toEqual({
    width: 100,
    height: 100,
    bands: 2,
    values: 20_000,
    scenes: 1,
    bytes: 80_000,
  });
  expect(sizeOf([3, 3], choice, 1)).toMatchObject({ width: 1, height: 1 });
  expect(sizeOf([1, 1], { ...choice, epsg: 4326 }, 1)).toMatchObject({ width: 11_132, height: 11_132 });
});

test.each([
  { name: "2,500 a side with two bands", span: [25_000, 25_000], scenes: 1, way: "sync" },
  { name: "2,501 a side", span: [25_010, 100], scenes: 1, way: "job" },
  { name: "20,000 a side", span: [200_000, 100], scenes: 1, way: "job" },
  { name: "20,001 a side", span: [200_010, 100], scenes: 1, way: "none" },
  { name: "600 million values", span: [200_000, 150_000], scenes: 1, way: "job" },
  { name: "more than 600 million values", span: [200_000, 150_010], scenes: 1, way: "none" },
  { name: "few values of many scenes", span: [25_000, 25_000], scenes: 6, way: "sync" },
] as const)("$name: $way", ({ span, scenes, way }) => {
  expect(wayFor(sizeOf(span, choice, scenes))).toBe(way);
});

test("scenes count against the cap on what is read", () => {
  const size = sizeOf([25_000, 25_000], { ...choice, bands: Array.from({ length: 12 }, (_, i) => `B${i}`) }, 6);
  expect(capUse(size, SYNC_CAPS).map(({ used, cap }) => used <= cap)).toEqual([true, true, false]);
  expect(wayFor(size)).toBe("job");
});

test("a request names the scene shown alone, or the window of the mosaic", () => {
  const view = { collection: "sentinel-2-l2a", from: "2024-07-01", to: "2024-07-31", cloud: 40 };
  const area = {
    kind: "polygon",
    corners: [
      [13, 45],
      [14, 45],
      [14, 46],
    ],
  } as const;
  const request = processRequest({ ...view, scene: "S2A_X" }, area, choice) as {
    input: { data: unknown[]; bounds: unknown };
  };
  expect(request.input.data[0]).toMatchObject({ dataFilter: { ids: ["S2A_X"] } });
  expect(request.input.bounds).toEqual({
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [13, 45],
          [14, 45],
          [14, 46],
          [13, 45],
        ],
      ],
    },
  });
  expect(processRequest(view, { kind: "box", bbox: [13, 45, 14, 46] }, choice)).toMatchObject({
    input: {
      bounds: { bbox: [13, 45, 14, 46] },
      data: [
        {
          dataFilter: { timeRange: { from: "2024-07-01T00:00:00Z" }, maxCloudCoverage: 40, mosaickingOrder: "leastCC" },
        },
      ],
    },
    output: { resx: 10, resy: 10, crs: "EPSG:32633" },
  });
});

test("every point is in the pixel of its probe window, and neighbours share windows", () => {
  const origin = fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -1e6, max: 1e6 }));
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e6 }),
      fc.integer({ min: 0, max: 9e6 }),
      fc.constantFrom(10, 30),
      origin,
      (x, y, r, at) => {
        const { bounds, column, row } = probeWindow(x + 0.5, y + 0.5, r, at);
        expect(column).toBeGreaterThanOrEqual(0);
        expect(column).toBeLessThan(PROBE_SIDE);
        expect(row).toBeGreaterThanOrEqual(0);
        expect(row).toBeLessThan(PROBE_SIDE);
        expect(bounds[0] + column * r).toBeLessThanOrEqual(x + 0.5);
        expect(bounds[0] + (column + 1) * r).toBeGreaterThan(x + 0.5);
        expect(bounds[3] - row * r).toBeGreaterThanOrEqual(y + 0.5);
        expect(bounds[3] - (row + 1) * r).toBeLessThan(y + 0.5);
      },
    ),
  );
  expect(probeWindow(105, 205, 10).key).toBe(probeWindow(115, 195, 10).key);
});

test("NDVI of equal bands is 0, and of none is none", () => {
  expect(ndvi(0.4, 0.1)).toBeCloseTo(0.6, 12);
  expect(ndvi(0, 0)).toBeUndefined();
  expect(ndvi(undefined, 0.1)).toBeUndefined();
});

test.each([
  { newest: "2026-06-13T10:00:00Z", now: "2026-06-20T08:00:00Z", to: "2026-06-20" },
  { newest: "2021-07-05T10:00:00Z", now: "2026-06-20T08:00:00Z", to: "2021-07-05" },
  { newest: null, now: "2026-06-20T08:00:00Z", to: "2026-06-20" },
])("a page over an archive that ends $newest opens on the window up to $to", ({ newest, now, to }) => {
  expect(openingDays(newest, "P90D", Date.parse(now))).toEqual({ from: windowStart(to, "P90D"), to });
});

test("outlines come back from their bytes, to the unit", () => {
  const ring = fc.array(fc.tuple(fc.integer({ min: -18_000, max: 18_000 }), fc.integer({ min: -9000, max: 9000 })), {
    minLength: 3,
    maxLength: 30,
  });
  fc.assert(
    fc.property(fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), { maxLength: 4 }), (polygons) => {
      const scaled = polygons.map((rings) =>
        rings.map((points) => points.map(([x, y]) => [x / 100, y / 100] as const)),
      );
      const distinct = scaled.map((rings) =>
        rings.map((points) => {
          const kept = points.filter(([x, y], i) => i === 0 || x !== points[i - 1]?.[0] || y !== points[i - 1]?.[1]);
          const [first, last] = [kept[0], kept.at(-1)];
          return kept.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1] ? kept : [...kept, kept[0]];
        }),
      );
      expect(decodeRings(encodeRings(scaled, 100))).toEqual(distinct);
    }),
  );
});

test("words for numbers", () => {
  expect([byteSize(999), byteSize(1_500_000), byteSize(600_000_000)]).toEqual(["999 B", "1.5 MB", "600 MB"]);
  expect(coordinates(-13.5, 45.25)).toBe("45.2500° N, 13.5000° W");
  expect(platformName("sentinel-2a")).toBe("Sentinel-2A");
  expect([utmName(utmEpsg(13.7, 45.5)), utmName(utmEpsg(-70, -33))]).toEqual(["UTM zone 33N", "UTM zone 19S"]);
});

const collection = (id: string, bands: readonly Band[], more: Partial<Collection> = {}): Collection => ({
  id,
  bands,
  extent: { spatial: { bbox: [[0, 0, 1, 1]] }, temporal: { interval: [[null, null]] } },
  ...more,
});
const SENTINEL = collection("sentinel-2-l2a", [
  { name: "B04", common_name: "red", center_wavelength: 0.665, gsd: 10, unit: "REFLECTANCE" },
  { name: "B8A", common_name: "nir08", center_wavelength: 0.865, gsd: 20, unit: "REFLECTANCE" },
  { name: "SCL", gsd: 20, unit: "DN" },
]);
const UNSEEN = collection("unseen", [{ name: "v", gsd: 10, unit: "DN" }]);
const LANDSAT = collection("landsat-ot-l2", [
  { name: "SR_B4", common_name: "red", center_wavelength: 0.654, gsd: 30, unit: "REFLECTANCE" },
  { name: "SR_B5", common_name: "nir08", center_wavelength: 0.865, gsd: 30, unit: "REFLECTANCE" },
  { name: "ST_B10", common_name: "lwir11", gsd: 100, unit: "KELVIN" },
]);
const VIRTUAL = collection("optical-sr", [], {
  "svc:members": ["sentinel-2-l2a", "landsat-ot-l2"],
  "svc:bands_common": ["red", "nir08"],
});
const NDVI: Preset = { id: "ndvi", title: "NDVI", collection: "x", bands: ["nir", "red"], minzoom: 7, maxzoom: 14 };
const itemOf = (id: string, ...bands: readonly string[]): Item => ({
  id,
  collection: "hls",
  bbox: [0, 0, 1, 1],
  geometry: { type: "Polygon", coordinates: [] },
  properties: { datetime: "2024-07-04T10:07:41Z" },
  assets: Object.fromEntries([["thumbnail", {}], ...bands.map((name) => [name, { "svc:band": name }])]),
});

test("a virtual collection has the common bands of its members, with the finest pixel of any", () => {
  const whole = withMemberBands(VIRTUAL, [LANDSAT, SENTINEL, VIRTUAL]);
  expect(whole.bands).toEqual([
    { name: "red", center_wavelength: 0.654, gsd: 10, unit: "REFLECTANCE" },
    { name: "nir08", center_wavelength: 0.865, gsd: 20, unit: "REFLECTANCE" },
  ]);
  expect(finestPixel(whole)).toBe(10);
  expect(presetBands(whole, NDVI)).toEqual(["nir08", "red"]);
  expect(withMemberBands(SENTINEL, [LANDSAT, SENTINEL])).toBe(SENTINEL);
});

test("bands in metres and linear power are measured, classes and counts are not", () => {
  const bands = (["METERS", "LINEAR_POWER", "KELVIN", "DN"] as const).map((unit) => ({ name: unit, unit }));
  expect(measuredBands(collection("all", [...bands, { name: "no unit" }])).map(({ name }) => name)).toEqual([
    "METERS",
    "LINEAR_POWER",
    "KELVIN",
  ]);
});

test("of several sensors only the bands that all their scenes have are read", () => {
  const names = (of: Collection, ...items: readonly Item[]): string[] => bandsOfAll(of, items).map(({ name }) => name);
  expect(names(LANDSAT)).toEqual(["SR_B4", "SR_B5", "ST_B10"]);
  expect(names(LANDSAT, itemOf("a", "SR_B4", "SR_B5", "ST_B10"), itemOf("b", "SR_B4", "SR_B5"))).toEqual([
    "SR_B4",
    "SR_B5",
  ]);
  expect(names(withMemberBands(VIRTUAL, [SENTINEL, LANDSAT]), itemOf("c", "B04"))).toEqual(["red", "nir08"]);
});

test.each([
  { wanted: {}, shown: "true-color of sentinel-2-l2a" },
  { wanted: { preset: "relief" }, shown: "relief of dem" },
  { wanted: { collection: "dem" }, shown: "relief of dem" },
  { wanted: { preset: "true-color", collection: "dem" }, shown: "relief of dem" },
  { wanted: { preset: "nothing", collection: "landsat-ot-l2" }, shown: "true-color of landsat-ot-l2" },
  { wanted: { preset: "relief", collection: "nothing" }, shown: "relief of dem" },
  { wanted: { preset: "true-color", collection: "unseen" }, shown: "custom of unseen, band v" },
  { wanted: { collection: "unseen" }, shown: "custom of unseen, band v" },
])("an address with $wanted shows $shown", ({ wanted, shown }) => {
  const presets: Preset[] = [
    { ...NDVI, id: "true-color", collection: "sentinel-2-l2a", collections: ["sentinel-2-l2a", "landsat-ot-l2"] },
    { ...NDVI, id: "relief", collection: "dem", collections: ["dem"] },
  ];
  const found = shownOf(presets, [LANDSAT, SENTINEL, collection("dem", []), UNSEEN], wanted);
  const band = found?.custom === undefined ? "" : `, band ${found.custom.bands}`;
  expect(`${found?.preset.id} of ${found?.collection.id}${band}`).toBe(shown);
});

test.each([
  { newest: "2023-04-01T00:00:00Z", wanted: {}, shown: "stored-values of height" },
  { newest: "2019-04-01T00:00:00Z", wanted: {}, shown: "true-color of photos" },
  { newest: null, wanted: {}, shown: "true-color of photos" },
  { newest: "2023-04-01T00:00:00Z", wanted: { preset: "true-color" }, shown: "true-color of photos" },
])("where what is listed first ends in $newest, an address with $wanted shows $shown", ({ newest, wanted, shown }) => {
  const until = (end: string | null) => ({
    extent: { spatial: { bbox: [[0, 0, 1, 1]] }, temporal: { interval: [["2010-01-01T00:00:00Z", end]] } },
  });
  const presets: Preset[] = [
    { ...NDVI, id: "true-color", collection: "photos", collections: ["photos"] },
    { ...NDVI, id: "stored-values", collection: "height", collections: ["height"] },
  ];
  const collections = [
    collection("height", [], until(newest)),
    collection("photos", [], until("2020-01-01T00:00:00Z")),
  ];
  const found = shownOf(presets, collections, wanted);
  expect(`${found?.preset.id} of ${found?.collection.id}`).toBe(shown);
});

test("a service without presets shows the first band of a collection", () => {
  expect(shownOf([], [UNSEEN], {})).toMatchObject({ preset: { id: "custom" }, custom: { bands: "v" } });
  expect(shownOf([], [], {})).toBeUndefined();
});
