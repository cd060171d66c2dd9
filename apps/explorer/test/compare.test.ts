import type { StyleSpecification } from "maplibre-gl";
import { expect, test } from "vitest";
import type { Collection, Preset } from "../src/api/types.ts";
import { creditLine } from "../src/map/credit-line.ts";
import { secondStyle } from "../src/map/maplibre/second-style.ts";
import { frameSize, framesOf, indexOf, thinned } from "../src/timeline/frames.ts";
import { linesOf } from "../src/timeline/stamp.ts";
import { animatedWebp } from "../src/timeline/webp.ts";
import { rightSide, sideText, yearBefore } from "../src/view/right-side.ts";
import type { ViewState } from "../src/view/view.ts";

const preset = (id: string, collection: string, more: Partial<Preset> = {}): Preset => ({
  id,
  title: id.toUpperCase(),
  collection,
  bands: [],
  defaultWindow: "P90D",
  minzoom: 7,
  maxzoom: 14,
  ...more,
});
const collection = (id: string, credit: string): Collection => ({
  id,
  extent: {
    spatial: { bbox: [[12, 45, 15, 46]] },
    temporal: { interval: [["2021-04-22T00:00:00Z", "2021-04-22T00:00:00Z"]] },
  },
  "svc:attribution": credit,
});
const NDVI = preset("ndvi", "s2");
const TRUE_COLOR = preset("true-color", "s2");
const { defaultWindow: _, ...dateless } = preset("elevation", "dem", { collections: ["dem"] });
const ELEVATION: Preset = dateless;
const S2 = { ...collection("s2", "Sentinel {years}") };
const DEM = collection("dem", "Copernicus DEM");
const VIEW: ViewState = {
  preset: "ndvi",
  collection: "s2",
  from: "2023-05-06",
  to: "2023-05-06",
  cloud: 100,
  tab: "scenes",
  opacity: 100,
  scene: "A",
};
const LEFT = { preset: NDVI, collection: S2, presets: [NDVI, TRUE_COLOR, ELEVATION], collections: [S2, DEM] };
const NOW = Date.parse("2026-11-27");

test("what is compared is the view's own image on other days, as a mosaic, where nothing else is chosen", () => {
  expect(rightSide(VIEW, LEFT, NOW)).toBeUndefined();
  const right = { from: "2021-04-22", to: "2021-04-23" };
  expect(rightSide({ ...VIEW, right }, LEFT, NOW)).toMatchObject({
    preset: NDVI,
    collection: S2,
    view: { preset: "ndvi", collection: "s2", scene: undefined, ...right },
  });
});

test("an image that the collection does not have is of its own collection, elevation of all its days", () => {
  const side = rightSide({ ...VIEW, right: VIEW, rightPreset: "elevation" }, LEFT, NOW);
  expect(side).toMatchObject({ collection: DEM, isDateless: true, view: { from: "2021-04-22", to: "2026-11-27" } });
  expect(rightSide({ ...VIEW, right: VIEW, rightPreset: "none such" }, LEFT, NOW)?.preset).toBe(NDVI);
});

test("the credit has the years and the archives of both images", () => {
  const other = (of: Collection, year: string) => ({
    collection: of,
    view: { from: `${year}-05-16`, to: `${year}-05-16` },
  });
  const credit = (of: Collection, year: string): string =>
    creditLine(VIEW, S2, undefined, { isSynthetic: false, hasNames: false, other: other(of, year) });
  expect(credit(S2, "2022")).toMatch(/^Sentinel 2022–2023 · Land/);
  expect(credit(DEM, "2021")).toMatch(/^Sentinel 2023 · Copernicus DEM · Land/);
});

test("an image is named by its preset and its days", () => {
  expect(sideText(NDVI, { from: "2023-05-06", to: "2023-05-06" })).toBe("NDVI, 2023-05-06");
  expect(sideText(NDVI, { from: "2023-05-06", to: "2023-05-16" })).toBe("NDVI, 2023-05-06 to 2023-05-16");
  expect([yearBefore("2023-05-16"), yearBefore("2024-02-29")]).toEqual(["2022-05-16", "2023-02-28"]);
});

const STYLE = {
  version: 8,
  sources: {
    land: { type: "geojson", data: "x" },
    "imagery-4": { type: "raster", tiles: ["old"] },
    "overlay-area": { type: "geojson", data: "y" },
  },
  layers: [
    { id: "sea", type: "background" },
    { id: "land", type: "fill", source: "land" },
    { id: "imagery-4", type: "raster", source: "imagery-4", paint: { "raster-opacity": 0.6 } },
    { id: "overlay-area-0", type: "line", source: "overlay-area" },
  ],
} as StyleSpecification;
const IMAGERY = { tiles: "http://x/{z}", minzoom: 7, maxzoom: 14, bounds: [12, 45, 15, 46] } as const;

test("a second map has the layers of the first, with other imagery in the place of its own", () => {
  const style = secondStyle(STYLE, { id: "second-1", imagery: IMAGERY }, () => true);
  expect(style.layers.map(({ id }) => id)).toEqual(["sea", "land", "second-1", "overlay-area-0"]);
  expect(style.layers[2]).toMatchObject({ paint: { "raster-opacity": 0.6 } });
  expect(Object.keys(style.sources)).toEqual(["land", "overlay-area", "second-1"]);
  expect(style.sources["second-1"]).toMatchObject({ tiles: ["imagery://http://x/{z}"], minzoom: 7, maxzoom: 14 });
  const kept = secondStyle(STYLE, undefined, (id) => !id.startsWith("overlay"));
  expect([kept.layers.map(({ id }) => id), Object.keys(kept.sources)]).toEqual([["sea", "land"], ["land"]]);
});

const day = (date: string, cloud?: number) => ({
  day: date,
  scenes: 1,
  platforms: [],
  ...(cloud === undefined ? {} : { cloud }),
});

test("frames are the days that are clear enough, the oldest first; days that say nothing of clouds are", () => {
  const days = [day("2023-05-26", 3), day("2023-05-16", 80), day("2023-05-06")];
  const frames = framesOf(days, 20);
  expect(frames.map((each) => each.day)).toEqual(["2023-05-06", "2023-05-26"]);
  expect(["2023-05-06", "2023-05-10", "2024-01-01", undefined].map((each) => indexOf(frames, each))).toEqual([
    0, 1, 1, 0,
  ]);
});

test("of many days some are saved, evenly chosen, with the first and the last", () => {
  expect(thinned([1, 2, 3], 3)).toEqual([1, 2, 3]);
  expect(thinned([0, 1, 2, 3, 4, 5, 6, 7, 8], 3)).toEqual([0, 4, 8]);
});

test.each([
  { width: 920, height: 800, expected: { width: 920, height: 800 } },
  { width: 2401, height: 1200, expected: { width: 960, height: 480 } },
  { width: 391, height: 2, expected: { width: 392, height: 2 } },
])(
  "a frame of a map of $width × $height pixels is even and has an edge of 960 at most",
  ({ width, height, expected }) => {
    expect(frameSize(width, height)).toEqual(expected);
  },
);

test("a credit line is broken between words where it is too long", () => {
  const lines = linesOf("Contains modified Copernicus Sentinel data", 20, (text) => text.length);
  expect(lines).toEqual(["Contains modified", "Copernicus Sentinel", "data"]);
});

test("what is no WebP file, or holds no image, is refused", () => {
  const size = { width: 1, height: 1, duration: 500 };
  expect(() => animatedWebp([new Uint8Array(3)], size)).toThrow("Expected a WebP file.");
  const empty = new TextEncoder().encode("RIFF\x04\x00\x00\x00WEBP");
  expect(() => animatedWebp([empty], size)).toThrow("Expected an image");
});
