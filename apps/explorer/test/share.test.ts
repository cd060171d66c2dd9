import { expect, test } from "vitest";
import type { Collection, Preset } from "../src/api/types.ts";
import { singleImageOf, tilesOf } from "../src/share/code/addresses.ts";
import { processBody } from "../src/share/code/file-code.ts";
import { mathGraph } from "../src/share/code/graph-math.ts";
import { processGraph } from "../src/share/code/openeo-code.ts";
import { codeText, markupText, readableJson, rText, shellText } from "../src/share/code/quote.ts";
import { needOf, SNIPPETS } from "../src/share/code/snippets.ts";
import { tokenFor } from "../src/share/map-token.ts";
import { type ShareSource, type ShareView, shareView } from "../src/share/share-view.ts";
import type { ViewState } from "../src/view/view.ts";

const COLLECTION: Collection = {
  id: "s2",
  bands: [
    { name: "B04", common_name: "red", gsd: 10, unit: "REFLECTANCE" },
    { name: "B8A", common_name: "nir08", gsd: 20, unit: "REFLECTANCE" },
  ] as unknown as NonNullable<Collection["bands"]>,
  extent: {
    spatial: { bbox: [[12, 45, 15, 46]] },
    temporal: { interval: [["2021-04-22T00:00:00Z", "2024-04-22T00:00:00Z"]] },
  },
  "svc:attribution": "Sentinel {years}",
  "svc:units": ["REFLECTANCE", "DN"],
};
const NDVI: Preset = {
  id: "ndvi",
  title: "NDVI",
  collection: "s2",
  bands: ["nir", "red"],
  expression: "(nir - red) / (nir + red)",
  mosaickingOrder: "leastCC",
  minzoom: 7,
  maxzoom: 14,
};
const VIEW: ViewState = {
  preset: "ndvi",
  collection: "s2",
  from: "2023-05-01",
  to: "2023-05-31",
  cloud: 20,
  tab: "scenes",
  opacity: 100,
};
const SOURCE: ShareSource = {
  server: "https://swath.example/",
  view: VIEW,
  preset: NDVI,
  collection: COLLECTION,
  shown: undefined,
  isSynthetic: false,
  seen: [12.2, 45.7, 12.3, 45.8],
  map: { zoom: 12, lat: 45.75, lon: 12.25 },
};
const viewWith = (view: Partial<ViewState>, source: Partial<ShareSource> = {}, token?: string): ShareView =>
  shareView({ ...SOURCE, ...source, view: { ...VIEW, ...view } }, token);
const codeOf = (id: string, view: ShareView): string => SNIPPETS.find((each) => each.id === id)?.code(view) ?? "";

test("a file is of the view's days, cloud ceiling and bands, in pixels that make it small", () => {
  expect(processBody(viewWith({}))).toEqual({
    input: {
      bounds: { bbox: [12.2, 45.7, 12.3, 45.8] },
      data: [
        {
          type: "s2",
          dataFilter: {
            timeRange: { from: "2023-05-01T00:00:00Z", to: "2023-05-31T23:59:59Z" },
            mosaickingOrder: "leastCC",
            maxCloudCoverage: 20,
          },
        },
      ],
    },
    expression: "(nir - red) / (nir + red)",
    // 11.1 km are 557 pixels of 20 m and 1113 of 10 m
    output: { resx: 20, resy: 20, crs: "EPSG:32633" },
  });
});

test("an area that is drawn stands for what the map shows, and a scene for days", () => {
  const corners = [
    [12, 45],
    [12.1, 45],
    [12.1, 45.1],
  ] as const;
  const view = viewWith({ area: { kind: "polygon", corners }, scene: "S2A_1" });
  expect(processBody(view)).toMatchObject({
    input: {
      bounds: { geometry: { type: "Polygon", coordinates: [[...corners, corners[0]]] } },
      data: [{ dataFilter: { ids: ["S2A_1"] } }],
    },
  });
  expect(viewWith({ area: { kind: "box", bbox: [12, 45, 12.01, 45.01] } })).toMatchObject({
    bbox: [12, 45, 12.01, 45.01],
    ring: undefined,
  });
});

test("of a map of the world, code asks for the middle", () => {
  const { bbox, epsg } = viewWith({}, { seen: [-180, -80, 180, 80] });
  expect(bbox).toEqual([-11.25, -11.25, 11.25, 11.25]);
  expect(epsg).toBe(3857);
});

test("addresses have a map token where there is one, else a word that stands for it, or none where a key goes along", () => {
  const query = "collection=s2&datetime=2023-05-01%2F2023-05-31";
  const path = `/tiles/ndvi/WebMercatorQuad/{z}/{x}/{y}.png?${query}`;
  expect(tilesOf(viewWith({}, {}, "abc"), "map")).toBe(`https://swath.example/v1/m/abc${path}`);
  expect(tilesOf(viewWith({}), "map")).toBe(`https://swath.example/v1/m/TOKEN${path}`);
  expect(tilesOf(viewWith({}), "key")).toBe(`https://swath.example/v1${path}`);
});

test("a single image is the scene shown alone, or the tile in the middle of the view", () => {
  // tile of 12.25° E, 45.75° N as mercantile has it
  expect(singleImageOf(viewWith({}, {}, "abc"))).toEqual({
    address: expect.stringContaining("/v1/m/abc/tiles/ndvi/WebMercatorQuad/12/2187/1461@2x.png?"),
    size: 512,
  });
  expect(singleImageOf(viewWith({ scene: "S2A_1" }, {}, "abc")).address).toContain(
    "/v1/m/abc/collections/s2/items/S2A_1/preview.jpeg?preset=ndvi&max_size=1024",
  );
});

test("a map token is put into addresses of the image that it was made for", () => {
  const made = [{ preset: "ndvi", collection: "s2", token: "abc" }];
  expect(tokenFor(made, { preset: "ndvi", collection: "s2" })).toBe("abc");
  expect(tokenFor(made, { preset: "ndvi", collection: "landsat" })).toBeUndefined();
});

test("code says what it needs: a key, a token, or with a token nothing", () => {
  const needs = (view: ShareView) =>
    Object.fromEntries(SNIPPETS.map((snippet) => [snippet.id, needOf(snippet, view) === undefined]));
  const [without, withToken] = [needs(viewWith({})), needs(viewWith({}, {}, "abc"))];
  expect(Object.values(without)).not.toContain(true);
  expect(Object.keys(withToken).filter((id) => withToken[id])).toEqual([
    ...["gdal", "qgis", "maplibre", "leaflet", "page", "swipe", "image", "tiles"],
  ]);
  for (const id of ["gdal", "qgis", "maplibre"]) expect(codeOf(id, viewWith({}, {}, "abc"))).not.toMatch(/key/i);
});

test("an expression that a link brings is text in every code: it ends no string, comment or script", () => {
  const evil = "red)\nimport os; # </script><script>alert(1)</script>";
  const custom = { expression: evil, rescale: "0,1" };
  const preset: Preset = { ...NDVI, id: "custom", title: evil, expression: evil };
  const view = viewWith({ preset: "custom", custom }, { preset }, "abc");
  for (const { id, code } of SNIPPETS) {
    const text = code(view);
    const isMarkup = ["maplibre", "leaflet", "page", "swipe", "image"].includes(id);
    expect([id, isMarkup && text.includes("<script>alert"), /^import os; #/m.test(text)]).toEqual([id, false, false]);
  }
});

test("a comparison of days is an element with both, where its image has a name", () => {
  const right = { from: "2023-06-16", to: "2023-06-16" };
  const isFor = (view: ShareView) => SNIPPETS.find(({ id }) => id === "swipe")?.isFor?.(view);
  expect(
    codeOf("swipe", viewWith({ right }, {}, "abc")),
  ).toBe(`<script type="module" src="https://swath.example/explore/embed.js"></script>
<swath-swipe
  map="https://swath.example/v1/m/abc"
  preset="ndvi"
  collection="s2"
  left="2023-05-01/2023-05-31"
  right="2023-06-16"
  center="12.25,45.75"
  zoom="12"
  label="NDVI"></swath-swipe>
`);
  expect([{}, { right }, { right, rightPreset: "true-color" }].map((view) => isFor(viewWith(view)))).toEqual([
    false,
    true,
    false,
  ]);
  expect(isFor(viewWith({ right, preset: "custom" }, { preset: { ...NDVI, id: "custom" } }))).toBe(false);
});

test("texts are quoted as shells, R, programs and pages read them", () => {
  expect(shellText("it's")).toBe("'it'\\''s'");
  expect(rText("it's \\n")).toBe("'it\\'s \\\\n'");
  expect(codeText('</script>"')).toBe('"\\u003c/script>\\""');
  expect(markupText('<a b="c&d">')).toBe("&lt;a b=&quot;c&amp;d&quot;&gt;");
});

test("readable JSON is the same value", () => {
  const value = {
    a: [1, 2, { b: "[ x, { y } ]" }],
    c: { d: Array.from({ length: 60 }, (_, i) => i) },
    e: "x".repeat(200),
  };
  expect(JSON.parse(readableJson(value))).toEqual(value);
  expect(readableJson({ bbox: [1, 2, 3, 4] })).toBe('{"bbox": [1, 2, 3, 4]}');
});

test("a graph loads the bands that the expression reads, of scenes under the ceiling of cloud, up to the day after", () => {
  const { load, save } = processGraph(viewWith({}));
  expect(load?.arguments).toMatchObject({
    id: "s2",
    temporal_extent: ["2023-05-01", "2023-06-01"],
    bands: ["B8A", "B04"],
    properties: { "eo:cloud_cover": { process_graph: { limit: { process_id: "lte", arguments: { y: 20 } } } } },
  });
  expect(save?.result).toBe(true);
});

test("band math becomes processes, or none where openEO has no word for it", () => {
  const names = { nir: "B8A", red: "B04" };
  expect(mathGraph("nir - 1", names, ["B8A"])).toEqual({
    n1: { process_id: "array_element", arguments: { data: { from_parameter: "data" }, index: 0 } },
    n2: { process_id: "subtract", arguments: { x: { from_node: "n1" }, y: 1 }, result: true },
  });
  expect(mathGraph("floor(nir)", names, ["B8A"])).toBeUndefined();
  expect(mathGraph("nir +", names, ["B8A"])).toBeUndefined();
});
