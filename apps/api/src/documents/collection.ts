import type { Extent } from "@swath/catalog";
import { previewRecipe } from "@swath/engine/search";
import { type CollectionSchema, fileOfBand } from "@swath/schema";
import { toAlias, toBand } from "@swath/schema/models";
import { AUTHENTICATION_EXTENSION, type Authentication } from "./authentication.ts";
import { THUMBNAIL } from "./item.ts";
import { COG, GEOJSON, JSON_TYPE } from "./media-types.ts";
import type { DocumentLink } from "./profile-links.ts";
import { RENDER_EXTENSION, rendersOf } from "./renders.ts";

const EXTENSIONS = [
  "https://stac-extensions.github.io/eo/v2.0.0/schema.json",
  "https://stac-extensions.github.io/raster/v2.0.0/schema.json",
  AUTHENTICATION_EXTENSION,
];

const WEB_MAP_LINKS = "https://stac-extensions.github.io/web-map-links/v1.2.0/schema.json";

function itemAssets(collection: CollectionSchema): Record<string, unknown> {
  const assets = new Set(collection.bands.map((band) => fileOfBand(band).asset));
  const entries = [...assets].map((asset) => {
    const bands = collection.bands.filter((band) => fileOfBand(band).asset === asset);
    const isClassified = bands.some(({ kind }) => kind === "class" || kind === "bits");
    return [
      asset,
      {
        type: COG,
        title: bands.map(({ description }) => description).join(", "),
        roles: isClassified ? ["data", "classification"] : ["data"],
        gsd: Math.min(...bands.map(({ gsd }) => gsd)),
        bands: bands.map(toBand),
      },
    ];
  });
  return {
    ...Object.fromEntries(entries),
    ...(previewRecipe(collection) === undefined ? {} : { thumbnail: THUMBNAIL }),
  };
}

/** The range that cloud cover can have, where items say it: that of the definition, since an archive grows by the hour. */
function cloudCoverOf(collection: CollectionSchema): Record<string, unknown> {
  const hasCover = (collection.virtual?.members ?? [collection]).some(
    ({ upstream }) => upstream.absentProperties?.includes("eo:cloud_cover") !== true,
  );
  return hasCover ? { "eo:cloud_cover": { minimum: 0, maximum: 100 } } : {};
}

/** The zooms of a collection's tiles; `scenes` is the lowest one at which scenes are read, where there are tiles below it. */
function zoomsOf({ zoom }: CollectionSchema, lowest: number): Record<string, number> {
  return zoom.min <= lowest ? { ...zoom } : { min: lowest, scenes: zoom.min, max: zoom.max };
}

/** The service that serves a collection. */
export interface CollectionSite {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly authentication: Authentication;
  /** Lowest zoom of tiles, where it is lower than that at which scenes are read. */
  readonly lowestZoom?: number;
}

/**
 * A collection as it is served.
 *
 * @param more links that a profile adds.
 */
export function collectionDocument(
  collection: CollectionSchema,
  extent: Extent,
  { baseUrl, authentication, lowestZoom = Infinity }: CollectionSite,
  more: readonly DocumentLink[] = [],
): Record<string, unknown> {
  const v1 = `${baseUrl}/v1`;
  const self = `${v1}/collections/${collection.id}`;
  const { virtual } = collection;
  // of profiles that draw more than lean v1
  const hasMaps = more.some(({ rel }) => rel === "wmts");
  const renders = hasMaps ? rendersOf(collection) : {};
  const hasRenders = Object.keys(renders).length > 0;
  const gsd = (virtual?.members ?? [collection]).flatMap(({ bands }) => bands.map((band) => band.gsd));
  return {
    type: "Collection",
    stac_version: "1.1.0",
    stac_extensions: [...EXTENSIONS, ...(hasMaps ? [WEB_MAP_LINKS] : []), ...(hasRenders ? [RENDER_EXTENSION] : [])],
    id: collection.id,
    title: collection.title,
    description: collection.description,
    keywords: collection.keywords,
    license: collection.license,
    providers: collection.providers,
    extent,
    summaries: {
      ...(collection.platforms.length === 0 ? {} : { platform: collection.platforms }),
      ...(collection.constellation === undefined ? {} : { constellation: [collection.constellation] }),
      ...(collection.instruments.length === 0 ? {} : { instruments: collection.instruments }),
      gsd: [...new Set(gsd)].sort((a, b) => a - b),
      ...cloudCoverOf(collection),
    },
    item_assets: itemAssets(collection),
    ...(hasRenders ? { renders } : {}),
    bands: collection.bands.map(toBand),
    "svc:aliases": collection.aliases.map(toAlias),
    "svc:attribution": collection.attribution,
    "svc:units": collection.units,
    "svc:default_units": collection.defaultUnits,
    "svc:harmonize_levels": collection.harmonizeLevels,
    "svc:default_harmonize": collection.defaultHarmonize,
    "svc:pseudo_bands": collection.pseudoBands,
    "svc:mask_source": collection.maskSource,
    "svc:mask_capabilities": collection.maskCapabilities,
    ...(virtual === undefined
      ? {}
      : {
          "svc:virtual": true,
          "svc:members": virtual.members.map(({ id }) => id),
          "svc:bands_common": virtual.bands.map(({ name }) => name),
        }),
    "svc:zoom": zoomsOf(collection, lowestZoom),
    "auth:schemes": authentication.schemes,
    links: [
      { rel: "self", type: JSON_TYPE, href: self, title: collection.title },
      { rel: "root", type: JSON_TYPE, href: v1, title: "Landing page" },
      { rel: "parent", type: JSON_TYPE, href: v1, title: "Landing page" },
      { rel: "canonical", type: JSON_TYPE, href: self, title: collection.title },
      { rel: "items", type: GEOJSON, href: `${self}/items`, title: "Items", "auth:refs": authentication.refs },
      { rel: "license", ...collection.licenseLink },
      ...(virtual?.members ?? []).map(({ id, title }) => ({
        rel: "derived_from",
        type: JSON_TYPE,
        href: `${v1}/collections/${id}`,
        title,
      })),
      { rel: "describedby", type: JSON_TYPE, href: `${v1}/schema`, title: "Schema v1, the band crosswalk" },
      ...more,
    ],
  };
}
