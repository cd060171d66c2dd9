import { expect, test } from "vitest";
import type { Api } from "../src/api/api.ts";
import type { Item, Preset } from "../src/api/types.ts";
import { parseCorners } from "../src/draw/parse-corners.ts";
import { canStretch, stretched } from "../src/layers/stretch-request.ts";
import { creditLine } from "../src/map/credit-line.ts";
import { imageryOf, touches } from "../src/map/imagery-of.ts";
import { collectionGroups } from "../src/panel/collection-groups.ts";
import { customOf } from "../src/panel/custom-of.ts";
import { mosaicOrder } from "../src/scenes/mosaic-order.ts";
import { daysAround, nearestScene } from "../src/scenes/nearest.ts";
import { findPlaces, type PlaceRow, parsePoint } from "../src/search/find-places.ts";
import { Notices } from "../src/state/notices.ts";
import { isWide, openingPlace } from "../src/state/opening-place.ts";
import { headline } from "../src/values/headline.ts";
import { viewOfPreset } from "../src/view/change-view.ts";
import { isDateless } from "../src/view/days.ts";

const PRESET: Preset = {
  id: "ndvi",
  title: "NDVI",
  collection: "s2",
  bands: ["nir", "red"],
  defaultWindow: "P90D",
  minzoom: 7,
  maxzoom: 14,
};
const ELEVATION: Preset = {
  id: "elevation",
  title: "Elevation",
  collection: "dem",
  collections: ["dem"],
  bands: ["data"],
  minzoom: 4,
  maxzoom: 12,
};
const extent = (start: string, end: string, bbox = [12, 45, 15, 46]) => ({
  spatial: { bbox: [bbox] },
  temporal: { interval: [[start, end]] },
});
const S2 = { id: "s2", extent: extent("2021-03-19T09:59:38Z", "2026-11-25T10:07:41Z"), "svc:units": ["REFLECTANCE"] };
const DEM = { id: "dem", extent: extent("2021-04-22T00:00:00Z", "2021-04-22T00:00:00Z"), "svc:units": ["METERS"] };
const item = (id: string, datetime: string, cloud?: number): Item => ({
  id,
  collection: "s2",
  bbox: [13, 45, 14, 46],
  geometry: { type: "Polygon", coordinates: [] },
  properties: { datetime, ...(cloud === undefined ? {} : { "eo:cloud_cover": cloud }) },
  assets: {},
});

test("of scenes that overlap the mosaic shows the least cloudy one, the newest where all are alike, or the order that the preset has", () => {
  const items = [
    item("cloudy", "2024-07-03T10:00:00Z", 60),
    item("old", "2024-07-01T10:00:00Z", 5),
    item("new", "2024-07-02T10:00:00Z", 5),
    item("unknown", "2024-07-09T10:00:00Z"),
  ];
  const ids = (preset: Preset): string[] => mosaicOrder(items, preset).map(({ id }) => id);
  expect(ids(PRESET)).toEqual(["new", "old", "cloudy", "unknown"]);
  expect(ids({ ...PRESET, mosaickingOrder: "mostRecent" })).toEqual(["unknown", "cloudy", "new", "old"]);
  expect(ids({ ...PRESET, mosaickingOrder: "leastRecent" })).toEqual(["old", "new", "cloudy", "unknown"]);
});

test("elevation is shown whatever days are chosen, and the days stay", () => {
  const state = { collection: "s2", from: "2024-07-01", to: "2024-07-31" };
  expect(viewOfPreset(state, ELEVATION, "s2", [S2, DEM], Date.now())).toEqual({
    preset: "elevation",
    collection: "dem",
    cloud: 100,
  });
  expect(isDateless(state, ELEVATION, DEM.extent.temporal.interval[0] ?? [])).toBe(true);
  expect(isDateless({ from: "2021-04-01", to: "2021-05-01" }, ELEVATION, DEM.extent.temporal.interval[0] ?? [])).toBe(
    false,
  );
  expect(isDateless(state, PRESET, DEM.extent.temporal.interval[0] ?? [])).toBe(false);
});

test("a collection that has nothing in the chosen days is shown in days of its own", () => {
  const state = { collection: "dem", from: "1999-01-01", to: "1999-02-01" };
  expect(viewOfPreset(state, PRESET, "s2", [S2, DEM], Date.parse("2026-11-27"))).toEqual({
    preset: "ndvi",
    collection: "s2",
    from: "2026-08-29",
    to: "2026-11-27",
  });
});

test.each([
  [
    "13, 45\n14, 45\n14, 46",
    [
      [13, 45],
      [14, 45],
      [14, 46],
    ],
  ],
  [
    "13 45; 14 45; 14 46; 13 45",
    [
      [13, 45],
      [14, 45],
      [14, 46],
    ],
  ],
  ["13, 45\n14, 45", "A polygon has three corners or more."],
  ["13, 45\n14\n14, 46", '"14" is no pair of longitude and latitude, such as 13.75, 45.55.'],
  ["13, 45\n14, 95\n14, 46", "14, 95 is not on the Earth."],
  ["13, 45, 7\n14, 45\n14, 46", '"13, 45, 7" is no pair of longitude and latitude, such as 13.75, 45.55.'],
  ["1 1\n".repeat(501), "A polygon has at most 500 corners here; these are 501."],
])("typed corners %j are read, or what is wrong is said", (text, expected) => {
  expect(parseCorners(text)).toEqual(expected);
});

test.each([
  { before: "2024-06-20T10:00:00Z", after: "2024-08-20T10:00:00Z", nearest: "before" },
  { before: "2024-01-20T10:00:00Z", after: "2024-08-20T10:00:00Z", nearest: "after" },
  { before: undefined, after: "2024-08-20T10:00:00Z", nearest: "after" },
  { before: undefined, after: undefined, nearest: undefined },
])(
  "where days have no scene, the one nearest to them is offered: $before or $after",
  async ({ before, after, nearest }) => {
    const asked: unknown[] = [];
    const api = {
      search: (body: { sortby: { direction: string }[] }) => {
        asked.push(body);
        const isAfter = body.sortby[0]?.direction === "asc";
        const datetime = isAfter ? after : before;
        return Promise.resolve({
          links: [],
          features: datetime === undefined ? [] : [item(isAfter ? "after" : "before", datetime)],
        });
      },
    } as unknown as Api;
    const state = { collection: "s2", from: "2024-07-01", to: "2024-07-31", cloud: 20 };
    const found = await nearestScene(api, state, [13, 45, 14, 46], new AbortController().signal);
    expect(found?.id).toBe(nearest);
    expect(asked).toEqual([
      expect.objectContaining({
        datetime: "../2024-07-01T00:00:00Z",
        limit: 1,
        query: { "eo:cloud_cover": { lte: 20 } },
      }),
      expect.objectContaining({ datetime: "2024-07-31T23:59:59Z/..", limit: 1 }),
    ]);
  },
);

test("the offered days are as many as were chosen, and have the scene", () => {
  const chosen = { from: "2024-07-01", to: "2024-07-31" };
  expect(daysAround(item("a", "2024-06-20T10:00:00Z"), chosen)).toEqual({ from: "2024-05-21", to: "2024-06-20" });
  expect(daysAround(item("b", "2024-08-20T10:00:00Z"), chosen)).toEqual({ from: "2024-08-20", to: "2024-09-19" });
});

test("imagery is WebP where the preset has it, and waits for the item of a scene", () => {
  const state = {
    preset: "ndvi",
    collection: "s2",
    from: "2024-07-01",
    to: "2024-07-31",
    cloud: 100,
    tab: "scenes",
    opacity: 100,
  } as const;
  const tiles = (preset: Preset): string | undefined => imageryOf("http://x/", state, preset, S2, undefined)?.tiles;
  expect(tiles(PRESET)).toBe(
    "http://x/v1/tiles/ndvi/WebMercatorQuad/{z}/{x}/{y}.webp?collection=s2&datetime=2024-07-01%2F2024-07-31",
  );
  expect(tiles({ ...PRESET, formats: ["png"] })).toContain("{y}.png?");
  expect(imageryOf("http://x/", { ...state, scene: "a" }, PRESET, S2, undefined)).toBeUndefined();
  const near = imageryOf("http://x/", state, PRESET, S2, undefined);
  const all = imageryOf("http://x/", state, PRESET, { ...S2, "svc:zoom": { min: 0, scenes: 7, max: 14 } }, undefined);
  expect(all).toEqual({ ...near, tiles: `${near?.tiles}#{z},${near?.minzoom},${state.to.slice(0, 7)}`, minzoom: 0 });
});

test("the map of a wide collection does not open in its middle", () => {
  const world = { ...S2, extent: extent("2015-01-01T00:00:00Z", "2026-11-25T00:00:00Z", [-180, -90, 180, 90]) };
  expect([isWide(S2), isWide(world)]).toEqual([false, true]);
  expect(openingPlace(S2)).toEqual({ zoom: 9, lat: 45.5, lon: 13.5 });
  const small = {
    "svc:zoom": { min: 0, max: 18 },
    extent: extent("2024-05-01", "2024-05-01", [15, 45, 15.002, 45.001]),
  };
  expect(openingPlace(small)).toMatchObject({ zoom: 17 });
  expect(openingPlace({ ...small, "svc:zoom": { min: 0, max: 14 } })).toMatchObject({ zoom: 14 });
  expect(touches([13, 45, 14, 46], [14, 45, 15, 46])).toBe(false);
  expect(touches([13, 45, 14.1, 46], [14, 45, 15, 46])).toBe(true);
});

test("the credit of a synthetic archive says so", () => {
  const state = { from: "2024-07-01", to: "2025-01-31" } as never;
  const collection = { ...S2, "svc:attribution": "Copernicus data {years}" };
  expect(creditLine(state, collection, undefined, { isSynthetic: false, hasNames: true })).toBe(
    "Copernicus data 2024–2025 · Land: Natural Earth · Places: GeoNames",
  );
  expect(creditLine(state, collection, undefined, { isSynthetic: true, hasNames: false })).toMatch(
    /^Synthetic images of an invented country in the form of: Copernicus/,
  );
});

test("a problem leaves when all is well again, and words stay", () => {
  const notices = new Notices();
  notices.report({ title: "Too many requests" });
  notices.recover();
  expect(notices.current.value).toBeUndefined();
  notices.say("Zoom in to see scenes.");
  notices.recover();
  expect(notices.current.value).toEqual({ kind: "words", text: "Zoom in to see scenes." });
});

test("the value beside a point is NDVI, else the first band with its unit", () => {
  const bands = [
    { name: "B04", common_name: "red" },
    { name: "B08", common_name: "nir" },
  ];
  const at = [13, 45] as const;
  expect(headline({ kind: "values", at, bands, values: [0.1, 0.4], scenes: undefined })).toBe("NDVI 0.600");
  expect(
    headline({ kind: "values", at, bands: [{ name: "data", unit: "METERS" }], values: [812.34], scenes: undefined }),
  ).toBe("data 812.3 m");
  expect(headline({ kind: "no scene", at })).toBe("no scene");
});

test.each([
  ["45.55, 13.77", { lat: 45.55, lon: 13.77 }],
  ["33.5 S 70.6 W", { lat: -33.5, lon: -70.6 }],
  ["45.55° N; 13.77° E", { lat: 45.55, lon: 13.77 }],
  ["45°33′N 13°46′12″E", { lat: 45.55, lon: 13.77 }],
  ["33° 30' S, 70° 36' 18\" W", { lat: -33.5, lon: -70.605 }],
  ["-0.5, -70.6", { lat: -0.5, lon: -70.6 }],
  ["95, 13", undefined],
  ["Ljubljana", undefined],
])("%s is read as a point: %o", (text, expected) => {
  expect(parsePoint(text)?.view).toEqual(expected === undefined ? undefined : { zoom: 10, ...expected });
});

test("a place is found by the beginning of its name first, without accents, large ones first", () => {
  const rows: PlaceRow[] = [
    ["Großmalmö", "DE", 1000, 5000],
    ["Malmö", "SE", 1300, 5560],
    ["Malmesbury", "ZA", 1870, -3350],
  ];
  expect(findPlaces("malm", rows).map(({ title }) => title)).toEqual([
    "Malmö, Sweden",
    "Malmesbury, South Africa",
    "Großmalmö, Germany",
  ]);
  expect(findPlaces("Malmo", rows)[0]?.view).toEqual({ zoom: 10, lat: 55.6, lon: 13 });
  expect(findPlaces("m", rows)).toEqual([]);
});

test("a stretch is from the 2nd to the 98th percentile, for one value or for each colour", () => {
  const statistics = (...ends: (readonly [number | null, number | null])[]) =>
    ({
      data: [
        {
          outputs: Object.fromEntries(
            ends.map(([low, high], i) => [`b${i}`, { stats: { percentiles: { "98.0": high, "2.0": low } } }]),
          ),
        },
      ],
    }) as never;
  const index: Preset = { ...PRESET, expression: "(nir - red) / (nir + red)" };
  expect(stretched(index, "rdylgn", statistics([0.123456, 0.8]))).toEqual({
    expression: index.expression,
    rescale: "0.1235,0.8",
    colormap: "rdylgn",
  });
  const color: Preset = { ...PRESET, bands: ["red", "green", "blue"] };
  expect(stretched(color, undefined, statistics([0, 0.2], [0.01, 0.3], [0.02, 0.4]))).toEqual({
    bands: "red,green,blue",
    rescale: "0,0.2,0.01,0.3,0.02,0.4",
  });
  expect(stretched(index, undefined, statistics([null, null]))).toBeUndefined();
  expect(stretched(index, undefined, statistics([0.5, 0.5]))).toBeUndefined();
  expect([canStretch(index), canStretch({ ...index, expression: "a;b;c" })]).toEqual([true, false]);
});

test("many collections are in groups by mission, and found by any word of their description", () => {
  const named = (id: string, description = "") => ({ ...S2, id, description });
  const all = [
    named("sentinel-2-l2a"),
    named("sentinel-1-rtc", "radar"),
    named("dem", "heights"),
    named("landsat-8"),
    named("landsat-9"),
    named("modis"),
  ];
  const ids = (text: string) =>
    collectionGroups(all, text, named("modis")).map(([group, members]) => [group, members.map(({ id }) => id)]);
  expect(ids("")).toEqual([
    ["Sentinel", ["sentinel-2-l2a", "sentinel-1-rtc"]],
    ["Landsat", ["landsat-8", "landsat-9"]],
    ["Others", ["dem", "modis"]],
  ]);
  expect(ids("radar")).toEqual([["Others", ["sentinel-1-rtc", "modis"]]]);
});

test.each([
  ["nir, red , green", { bands: "nir,red,green" }],
  ["B08", { bands: "B08" }],
  ["(nir - red) / (nir + red)", { expression: "(nir - red) / (nir + red)" }],
  ["nir*2;red;green", { expression: "nir*2;red;green" }],
])("what is typed, %s, is %o", (text, expected) => {
  expect(customOf(text, " ", "")).toEqual(expected);
});
