import { type Asked, get, query } from "./asked.ts";
import { CLOUDY, EAST, LANDSAT, NATIVE, WEST } from "./scenes.ts";

const FORMATS = ["png", "jpg", "webp"] as const;
const JULY = "datetime=2024-07-01/2024-07-31";

/** Each preset with a collection that is not its default. */
const PRESETS: Readonly<Record<string, readonly string[]>> = {
  "true-color": ["landsat-ot-l2", "optical-sr", "hls"],
  "false-color": ["landsat-ot-l2", "landsat-etm-l2"],
  ndvi: ["landsat-ot-l2", "optical-sr"],
  ndwi: ["landsat-ot-l2"],
  moisture: ["landsat-ot-l2"],
  hillshade: [],
  elevation: [],
  thermal: ["landsat-tm-l2"],
  "vv-vh": [],
};

const tile = (preset: string, set: string, at: string, format: string, parameters = ""): Asked =>
  get(`/v1/tiles/${preset}/${set}/${at}.${format}${parameters === "" ? "" : `?${parameters}`}`);

const tiles: readonly Asked[] = Object.entries(PRESETS).flatMap(([preset, others]) => [
  ...FORMATS.map((format) => tile(preset, "WebMercatorQuad", "9/275/182", format)),
  tile(preset, "WebMercatorQuad", "12/2203/1461", "png", JULY),
  tile(preset, "WorldCRS84Quad", "9/549/126", "png", JULY),
  ...others.map((collection) =>
    tile(preset, "WebMercatorQuad", "10/550/365", "png", `${query({ collection })}&datetime=2010-01-01/2024-12-31`),
  ),
]);

const item = (collection: string, id: string): string => `/v1/collections/${collection}/items/${id}/preview`;
const previews: readonly Asked[] = [
  ...FORMATS.map((format) => get(`${item("sentinel-2-l2a", WEST)}.${format}`)),
  get(`${item("sentinel-2-l2a", CLOUDY)}.png?max_size=64`),
  get(`${item("sentinel-2-l2a", NATIVE)}.png?max_size=1024`),
  get(`${item("sentinel-2-l2a", EAST)}.png?max_size=301`),
  get(`${item("landsat-ot-l2", LANDSAT)}.png`),
  get(`${item("S2L2A", WEST)}.jpg?max_size=128`),
];

const GET_TILE = {
  SERVICE: "WMTS",
  REQUEST: "GetTile",
  VERSION: "1.0.0",
  LAYER: "ndvi",
  STYLE: "default",
  FORMAT: "image/png",
  TILEMATRIXSET: "WebMercatorQuad",
  TILEMATRIX: "9",
  TILEROW: "182",
  TILECOL: "275",
  TIME: "2024-07-01/2024-07-31",
};
const wmts = (more: Readonly<Record<string, string>>): Asked => get(`/v1/wmts?${query({ ...GET_TILE, ...more })}`);
const maps: readonly Asked[] = [
  wmts({}),
  wmts({ LAYER: "true-color.landsat-ot-l2", FORMAT: "image/jpeg" }),
  wmts({ TILEMATRIXSET: "WorldCRS84Quad", TILECOL: "549", TILEROW: "126" }),
  wmts({ LAYER: "winter" }),
  wmts({ TILEMATRIX: "3", TILECOL: "1", TILEROW: "2" }),
  wmts({ REQUEST: "GetFeatureInfo" }),
  get("/v1/wmts/WMTSCapabilities.xml"),
  get("/v1/tiles/ndvi/WMTSCapabilities.xml"),
  ...Object.keys(PRESETS).map((preset) => get(`/v1/tiles/${preset}/WebMercatorQuad/tilejson.json`)),
  get(`/v1/tiles/ndvi/WorldCRS84Quad/tilejson.json?format=webp&collection=landsat-ot-l2&${JULY}`),
];

const lean: readonly Asked[] = [
  ...["true-color", "false-color", "ndvi"].flatMap((preset) => [
    get(`/v1/tiles/${preset}/WebMercatorQuad/9/275/182.png`, { profile: "lean" }),
    get(`/v1/tiles/${preset}/WebMercatorQuad/11/1101/730.webp?collection=landsat-ot-l2&${JULY}`, { profile: "lean" }),
  ]),
  get(`${item("sentinel-2-l2a", WEST)}.png`, { profile: "lean" }),
  get("/v1/tiles/ndvi/WebMercatorQuad/tilejson.json", { profile: "lean" }),
];

/** A caller without a key sees finished images alone. */
const others: readonly Asked[] = [
  get("/v1/tiles/true-color/WebMercatorQuad/9/275/182.png", { as: "nobody" }),
  get("/v1/tiles/true-color/WebMercatorQuad/9/276/182.png", { as: "nobody" }),
  get("/v1/tiles/true-color/WebMercatorQuad/9/275/182.png", { method: "HEAD" }),
];

export const IMAGES: readonly Asked[] = [...tiles, ...previews, ...maps, ...lean, ...others];

/** Images that are refused. */
export const REFUSED_IMAGES: readonly Asked[] = [
  "/v1/tiles/nothing/WebMercatorQuad/9/275/182.png",
  "/v1/tiles/ndvi/Nothing/9/275/182.png",
  "/v1/tiles/ndvi/WebMercatorQuad/3/1/2.png",
  "/v1/tiles/ndvi/WebMercatorQuad/9/275/999.png",
  "/v1/tiles/ndvi/WebMercatorQuad/9/2.5/182.png",
  "/v1/tiles/ndvi/WebMercatorQuad/9/275/182.gif",
  "/v1/tiles/ndvi/WebMercatorQuad/9/275/182.png?datetime=soon",
  "/v1/tiles/ndvi/WebMercatorQuad/9/275/182.png?collection=nothing",
  "/v1/tiles/ndvi/WebMercatorQuad/9/275/182.png?collection=dem",
  "/v1/tiles/ndvi/WebMercatorQuad/9/275/182.png?colour=blue",
  "/v1/tiles/ndvi/WebMercatorQuad/tilejson.json?format=gif",
  `${item("sentinel-2-l2a", WEST)}.png?max_size=63`,
  `${item("sentinel-2-l2a", WEST)}.png?size=64`,
  `${item("sentinel-2-l2a", "nothing")}.png`,
  `${item("landsat-ot-l2", WEST)}.png`,
].map((path) => get(path));
