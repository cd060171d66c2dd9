import type { UpstreamItem, UpstreamLink } from "../items/upstream-item.ts";
import {
  type AssetPlan,
  DEM_ASSETS,
  HLS_L30_ASSETS,
  HLS_S30_ASSETS,
  LANDSAT_ASSETS,
  LANDSAT_REFLECTANCE,
  LANDSAT_TEMPERATURE,
  landsatAssets,
  SENTINEL_1_ASSETS,
  SENTINEL_1_NODATA,
  SENTINEL_2_ASSETS,
} from "../scenes/assets.ts";
import { bucketPath } from "../scenes/paths.ts";
import {
  DEM_COLLECTION,
  HLS_L30_COLLECTION,
  HLS_S30_COLLECTION,
  LANDSAT_COLLECTION,
  SENTINEL_1_COLLECTION,
  SENTINEL_2_COLLECTION,
} from "../scenes/scenes.ts";

/** The classes that Earth Search v1 names (recorded 2025-07-31): `query`, `sort` and `fields`, no `filter`. */
export const UPSTREAM_CONFORMANCE: readonly string[] = [
  "https://api.stacspec.org/v1.0.0/core",
  "https://api.stacspec.org/v1.0.0/collections",
  "https://api.stacspec.org/v1.0.0/ogcapi-features",
  "https://api.stacspec.org/v1.0.0/item-search",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#fields",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#sort",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#query",
  "https://api.stacspec.org/v1.0.0/item-search#fields",
  "https://api.stacspec.org/v1.0.0/item-search#sort",
  "https://api.stacspec.org/v1.0.0/item-search#query",
  "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
  "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30",
  "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
];

const JSON_TYPE = "application/json";
const GEOJSON = "application/geo+json";
const TIFF = "image/tiff; application=geotiff; profile=cloud-optimized";

export function landingPage(baseUrl: string, collections: readonly string[]): object {
  const links: UpstreamLink[] = [
    { rel: "self", type: JSON_TYPE, href: baseUrl },
    { rel: "root", type: JSON_TYPE, href: baseUrl },
    { rel: "conformance", type: JSON_TYPE, href: `${baseUrl}/conformance` },
    { rel: "data", type: JSON_TYPE, href: `${baseUrl}/collections` },
    { rel: "search", type: GEOJSON, href: `${baseUrl}/search`, method: "GET" },
    { rel: "search", type: GEOJSON, href: `${baseUrl}/search`, method: "POST" },
    ...collections.map((id) => ({ rel: "child", type: GEOJSON, href: `${baseUrl}/collections/${id}` })),
  ];
  return {
    stac_version: "1.0.0",
    type: "Catalog",
    id: "swath-sandbox",
    title: "Swath sandbox",
    description:
      "A synthetic archive of Sentinel-2, Landsat, HLS, Sentinel-1 and elevation behind an API that answers as Earth Search v1",
    links,
    conformsTo: UPSTREAM_CONFORMANCE,
  };
}

const TITLES: Readonly<Record<string, readonly [string, string]>> = {
  [SENTINEL_2_COLLECTION]: [
    "Sentinel-2 Collection 1 Level-2A",
    "Synthetic scenes in the shape of Sentinel-2 Collection 1 Level-2A, Multispectral Instrument (MSI)",
  ],
  [LANDSAT_COLLECTION]: [
    "Landsat Collection 2 Level-2",
    "Synthetic scenes in the shape of Landsat Collection 2 Level-2: Landsat 8 and 9, and a few of Landsat 5 and 7",
  ],
  [HLS_L30_COLLECTION]: ["HLS Landsat v2.0", "Synthetic granules in the shape of HLSL30"],
  [HLS_S30_COLLECTION]: ["HLS Sentinel-2 v2.0", "Synthetic granules in the shape of HLSS30"],
  [SENTINEL_1_COLLECTION]: ["Sentinel-1 RTC", "Synthetic terrain-corrected backscatter"],
  [DEM_COLLECTION]: ["Copernicus DEM GLO-30", "Heights of the made-up country in the shape of the Copernicus DEM"],
};

const ASSETS: Readonly<Record<string, readonly AssetPlan[]>> = {
  [SENTINEL_2_COLLECTION]: SENTINEL_2_ASSETS,
  [LANDSAT_COLLECTION]: [
    ...LANDSAT_ASSETS,
    ...landsatAssets("landsat-7").filter(({ key }) => !LANDSAT_ASSETS.some((plan) => plan.key === key)),
  ],
  [HLS_L30_COLLECTION]: HLS_L30_ASSETS,
  [HLS_S30_COLLECTION]: HLS_S30_ASSETS,
  [SENTINEL_1_COLLECTION]: SENTINEL_1_ASSETS,
  [DEM_COLLECTION]: DEM_ASSETS,
};

/**
 * The collection document; extent and platforms are those of `items`. The documents of CMR-STAC, for HLS, name no
 * assets of items.
 */
export function collectionDocument(baseUrl: string, id: string, items: readonly UpstreamItem[]): object {
  const [title, description] = TITLES[id] ?? [id, id];
  const url = `${baseUrl}/collections/${id}`;
  const times = items.map(({ properties }) => properties.datetime).sort();
  const links: UpstreamLink[] = [
    { rel: "self", type: JSON_TYPE, href: url },
    { rel: "license", href: "https://opensource.org/license/mit", title: "MIT" },
    { rel: "parent", type: JSON_TYPE, href: baseUrl },
    { rel: "root", type: JSON_TYPE, href: baseUrl },
    { rel: "items", type: GEOJSON, href: `${url}/items` },
  ];
  const plans = ASSETS[id] ?? [];
  return {
    type: "Collection",
    id,
    title,
    description,
    stac_version: "1.0.0",
    links,
    stac_extensions: [
      "https://stac-extensions.github.io/item-assets/v1.0.0/schema.json",
      "https://stac-extensions.github.io/raster/v1.1.0/schema.json",
      "https://stac-extensions.github.io/eo/v1.0.0/schema.json",
    ],
    ...(id.startsWith("HLS")
      ? {}
      : { item_assets: Object.fromEntries(plans.map((plan) => [plan.key, itemAsset(plan)])) }),
    extent: {
      spatial: { bbox: [extentOf(items)] },
      temporal: { interval: [[times[0] ?? null, times.at(-1) ?? null]] },
    },
    license: "MIT",
    keywords: ["synthetic", "reflectance"],
    providers: [{ name: "Swath", roles: ["producer", "host"], url: "https://github.com/swath-imagery/swath" }],
    summaries: {
      platform: [...new Set(items.flatMap(({ properties }) => properties.platform ?? []))].sort(),
      instruments: [
        ...new Set(items.flatMap(({ properties }) => (properties.instruments as string[] | undefined) ?? [])),
      ],
      "eo:bands": plans.flatMap(({ eo }) => (eo === undefined ? [] : [eo])),
    },
  };
}

/** Describes the stored values of a file as the upstream does. */
function bandOf(plan: AssetPlan): object {
  switch (plan.kind) {
    case "temperature":
      return { nodata: 0, data_type: "uint16", ...LANDSAT_TEMPERATURE };
    case "reflectance":
      return {
        nodata: 0,
        data_type: "uint16",
        ...(plan.band.startsWith("SR_") ? LANDSAT_REFLECTANCE : { scale: 0.0001, offset: -0.1 }),
      };
    case "qa_radsat":
      return { data_type: "uint16" };
    case "qa_pixel":
      return { nodata: 1, data_type: "uint16" };
    case "backscatter":
      return { nodata: SENTINEL_1_NODATA, data_type: "float32" };
    case "elevation":
      return { data_type: "float32", unit: "meter" };
    case "aot":
    case "wvp":
      return { nodata: 0, data_type: "uint16" };
    default:
      return { nodata: 0, data_type: "uint8" };
  }
}

function itemAsset(plan: AssetPlan): object {
  const band = bandOf(plan);
  return {
    type: TIFF,
    title: plan.title,
    ...(plan.eo === undefined ? {} : { "eo:bands": [plan.eo] }),
    "raster:bands": plan.kind === "visual" ? [band, band, band] : [band],
    roles: plan.kind === "reflectance" ? ["data", "reflectance"] : ["data"],
  };
}

function extentOf(items: readonly UpstreamItem[]): number[] {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const { bbox } of items) {
    const [w = 0, s = 0, e = 0, n = 0] = bbox;
    // an item across the antimeridian widens the extent to the whole circle
    west = Math.min(west, w > e ? -180 : w);
    east = Math.max(east, w > e ? 180 : e);
    south = Math.min(south, s);
    north = Math.max(north, n);
  }
  return items.length === 0 ? [-180, -90, 180, 90] : [west, south, east, north];
}

/** An item as it is sent: with links, and asset hrefs absolute: at this server, or where its upstream has files in S3. */
export function publishItem(baseUrl: string, item: UpstreamItem): UpstreamItem {
  const collection = `${baseUrl}/collections/${item.collection}`;
  return {
    ...item,
    links: [
      { rel: "self", type: GEOJSON, href: `${collection}/items/${item.id}` },
      { rel: "parent", type: JSON_TYPE, href: collection },
      { rel: "collection", type: JSON_TYPE, href: collection },
      { rel: "root", type: JSON_TYPE, href: baseUrl },
      ...item.links,
    ],
    assets: Object.fromEntries(
      Object.entries(item.assets).map(([key, asset]) => {
        const absolute = /^[a-z][a-z0-9+.-]*:/i.test(asset.href);
        const object = bucketPath(asset.href);
        const href = object === undefined ? `${baseUrl}/${asset.href}` : `s3://${object}`;
        return [key, absolute ? asset : { ...asset, href }];
      }),
    ),
  };
}
