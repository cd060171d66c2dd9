import { type Asked, get, post } from "./asked.ts";
import { BEFORE_OFFSET, CLOUDY, EAST, FIELDS, LANDSAT as LANDSAT_ITEM, SEAM, WEST } from "./scenes.ts";

const STAC = "/legacy/stac";
const TILES = "/legacy/tiles";
const S2 = "sentinel-2-c1-l2a";
const LANDSAT = "landsat-c2-l2";
const at = (collection: string, item: string): string => `${TILES}/collections/${collection}/items/${item}`;
const NDVI = `assets=nir&assets=red&expression=${encodeURIComponent("(b1-b2)/(b1+b2-2000)")}&rescale=-0.2,0.8&colormap_name=rdylgn`;

const tiles: readonly Asked[] = [
  `${at(S2, WEST)}/tiles/WebMercatorQuad/9/275/182.png?assets=visual`,
  `${at(S2, WEST)}/tiles/WebMercatorQuad/9/275/182@2x.webp?assets=nir&assets=red&assets=green&rescale=1000,5000`,
  `${at(S2, WEST)}/tiles/WebMercatorQuad/11/1101/730.png?${NDVI}`,
  `${at(S2, WEST)}/tiles/WebMercatorQuad/12/2203/1460.jpg?assets=red&rescale=0,5000&resampling=bilinear`,
  `${at(LANDSAT, LANDSAT_ITEM)}/tiles/WebMercatorQuad/9/275/182.png?assets=red&assets=green&assets=blue&rescale=7273,18182`,
  `${TILES}/collections/${S2}/tiles/WebMercatorQuad/9/275/182.png?assets=visual&ids=${WEST},${EAST}`,
  `${TILES}/collections/${S2}/tiles/WebMercatorQuad/10/550/365.png?${NDVI}&ids=${CLOUDY},${WEST}`,
  `${at(S2, WEST)}/WebMercatorQuad/tilejson.json?assets=visual`,
  `${TILES}/collections/${S2}/WebMercatorQuad/tilejson.json?assets=visual&ids=${WEST}`,
  `${TILES}/healthz`,
  // refused
  `${at(S2, "nothing")}/tiles/WebMercatorQuad/9/275/182.png?assets=visual`,
  `${at(S2, WEST)}/tiles/WebMercatorQuad/9/1/1.png?assets=visual`,
  `${at(S2, WEST)}/tiles/WebMercatorQuad/9/275/182.png?assets=purple`,
  `${at(S2, WEST)}/tiles/WebMercatorQuad/9/275/182.gif?assets=visual`,
  `${at(S2, WEST)}/tiles/WebMercatorQuad/9/275/182.png`,
  `${at(S2, WEST)}/tiles/WebMercatorQuad/9/275/182.png?assets=red&expression=b9&rescale=0,1`,
  `${TILES}/nothing`,
].map((path) => get(path));

const search = (name: string, body: object): Asked => post(`${STAC}/search`, name, body);
const stac: readonly Asked[] = [
  search("clear scenes", {
    collections: [S2],
    bbox: FIELDS,
    query: { "eo:cloud_cover": { lt: 20 } },
    limit: 2,
  }),
  search("by ids", { collections: [LANDSAT], ids: [LANDSAT_ITEM] }),
  search("a bbox of three numbers", { bbox: [1, 2, 3] }),
  get(`${STAC}/collections/${S2}`),
  get(`${STAC}/collections/${S2}/items/${WEST}`),
  get(`${STAC}/collections/${S2}/items/nothing`),
];

const one = { collection: S2, item: WEST, bbox: FIELDS, bands: ["red", "nir"], resolution: 40 };
const { resolution: _, ...sized } = one;
const { item: __, ...many } = one;
const DOWNLOADS: Readonly<Record<string, object>> = {
  "one scene": one,
  "in degrees": { ...sized, crs: "EPSG:4326", resolution_deg: 0.0008 },
  "in Mercator by size": { ...sized, crs: "EPSG:3857", size: { width: 150 } },
  "offset removed and clamped": { ...one, harmonize: "offset_removed", clamp: true },
  reflectance: { ...one, units: "REFLECTANCE" },
  "before the offset": { ...one, item: BEFORE_OFFSET, harmonize: "offset_removed" },
  "a file for each band": { ...one, output: "per_band", bands: ["red", "scl"] },
  "a mosaic as given": { ...many, items: [EAST, WEST], order: "as_given", bbox: SEAM },
  "a window": { ...many, datetime: "2024-07-01/2024-07-31", bbox: SEAM },
  "with a preview": { ...one, preview: { width: 128 } },
  Landsat: {
    collection: LANDSAT,
    item: LANDSAT_ITEM,
    bbox: FIELDS,
    bands: ["red", "lwir11"],
    resolution: 60,
    units: "REFLECTANCE",
  },
};
const REFUSED: Readonly<Record<string, object>> = {
  "an unknown item": { ...one, item: "nothing" },
  "an unknown band": { ...one, bands: ["purple"] },
  "an unknown collection": { ...one, collection: "sentinel-9" },
  "item and window": { ...one, datetime: "2024-07-01/2024-07-31" },
  "two sizes": { ...one, size: 100 },
  "another CRS": { ...one, crs: "EPSG:27700" },
  "too many pixels": { ...one, resolution: 0.5 },
  "a box elsewhere": { ...one, bbox: [100, 10, 101, 11] },
  "a box backwards": { ...one, bbox: [13.3, 45.5, 13.2, 45.4] },
  "no scenes in the window": { ...many, datetime: "2001-01-01/2001-02-01" },
  "units that are none": { ...one, units: "furlongs" },
  "a preview that is too wide": { ...one, preview: { width: 5000 } },
};

export const LEGACY: readonly Asked[] = [
  ...tiles,
  ...stac,
  ...Object.entries({ ...DOWNLOADS, ...REFUSED }).map(([name, body]) => post(`${TILES}/downloads`, name, body)),
  post(`${TILES}/downloads/jobs`, "one scene", one),
  post(`${TILES}/downloads/jobs`, "an unknown item", { ...one, item: "nothing" }),
];
