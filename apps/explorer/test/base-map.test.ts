import type { StyleSpecification } from "maplibre-gl";
import { expect, test } from "vitest";
import { creditLine } from "../src/map/credit-line.ts";
import { baseStyle, readBaseStyle, textOf } from "../src/map/maplibre/base/base-style.ts";

const STYLE: StyleSpecification = {
  version: 8,
  glyphs: "https://fonts.example/{fontstack}/{range}.pbf",
  sources: { places: { type: "vector", url: "https://tiles.example/tiles.json" } },
  layers: [
    { id: "sea", type: "background" },
    { id: "names", type: "symbol", source: "places", "source-layer": "place" },
    { id: "land", type: "fill", source: "places", "source-layer": "land" },
  ],
};

test("labels of a style lie above the imagery, all else below, by names of their own", () => {
  const { glyphs, sources, below, labels } = baseStyle(STYLE);
  expect([glyphs, sources]).toEqual([STYLE.glyphs, { "base-places": STYLE.sources.places }]);
  expect(below).toEqual([
    { id: "base-sea", type: "background" },
    { id: "base-land", type: "fill", source: "base-places", "source-layer": "land" },
  ]);
  expect(labels).toEqual([{ id: "base-names", type: "symbol", source: "base-places", "source-layer": "place" }]);
});

test("an address of tiles is one layer of rasters", async () => {
  const url = "https://tiles.example/{z}/{x}/{y}.png";
  const { sources, below, labels } = await readBaseStyle({ url, origins: [] });
  expect(sources).toMatchObject({ "base-tiles": { type: "raster", tiles: [url] } });
  expect([below, labels]).toEqual([[{ id: "base-tiles", type: "raster", source: "base-tiles" }], []]);
});

test("the credit of the owner's base map takes the place of that of the land, and of the names where it has labels", () => {
  const state = { from: "2024-07-01", to: "2024-07-31" } as Parameters<typeof creditLine>[0];
  const collection = { id: "a", "svc:attribution": "Images {years}" } as Parameters<typeof creditLine>[1];
  const lineOf = (hasLabels: boolean): string =>
    creditLine(state, collection, undefined, {
      isSynthetic: false,
      hasNames: true,
      base: { credit: "© Maps", hasLabels },
    });
  expect([lineOf(true), lineOf(false)]).toEqual(["Images 2024 · © Maps", "Images 2024 · © Maps · Places: GeoNames"]);
});

test.each([
  ['<a href="https://maps.example">&copy; Maps</a> &amp; others', "© Maps & others"],
  ["&#169; Maps &unknown;", "© Maps &unknown;"],
  ['Maps <img src=x onerror="take()">', "Maps"],
  ["&lt;img src=x onerror=take()&gt;", "<img src=x onerror=take()>"],
])("the text of %s is %s", (markup, text) => {
  expect(textOf(markup)).toBe(text);
});
