import { z } from "@hono/zod-openapi";
import type { Extent } from "@swath/catalog";
import { ProblemError } from "@swath/problem";
import {
  type CollectionMatch,
  type CollectionSchema,
  collections,
  findCollection,
  PATH_ID,
  SCHEMA_VERSION,
  toAlias,
  toBand,
} from "@swath/schema";
import { PUBLIC } from "../access/route-access.ts";
import type { AppContext } from "../http/context.ts";
import { CACHE_DOCUMENT, GEOJSON, JSON_TYPE, sendDocument } from "../http/documents.ts";
import { addRoute, type Router } from "../http/route.ts";
import type { Services } from "../services.ts";
import { AUTH_SCHEMES, AUTHENTICATION_EXTENSION } from "./authentication.ts";
import { CollectionListModel, CollectionModel } from "./models.ts";

const COG = "image/tiff; application=geotiff; profile=cloud-optimized";
const EXTENSIONS = [
  "https://stac-extensions.github.io/eo/v2.0.0/schema.json",
  "https://stac-extensions.github.io/raster/v2.0.0/schema.json",
  AUTHENTICATION_EXTENSION,
];

export const CollectionPath = z.object({
  collectionId: z.string().openapi({
    pattern: PATH_ID.source,
    description: "Collection id or alias.",
    example: "sentinel-2-l2a",
  }),
});

/**
 * The collection of a path, by its id or an alias.
 *
 * @throws {ProblemError} `not-found` for an unknown name.
 */
export function collectionOf(name: string): CollectionMatch {
  const match = PATH_ID.test(name) ? findCollection(name) : undefined;
  if (match === undefined) throw new ProblemError("not-found", `No collection is called "${name}".`);
  return match;
}

/** `Content-Location` of the canonical address where an alias was used (RFC 9110 section 8.7). */
export function contentLocation(c: AppContext, requested: string, canonical: string): Record<string, string> {
  const id = canonical.split("/")[0];
  if (requested === id) return {};
  return { "Content-Location": `${c.get("baseUrl")}/v1/collections/${canonical}${new URL(c.req.url).search}` };
}

function itemAssets(collection: CollectionSchema): Record<string, unknown> {
  const entries = collection.bands.map((band) => [
    band.name,
    {
      type: COG,
      title: band.description,
      roles: band.kind === "class" || band.kind === "bits" ? ["data", "classification"] : ["data"],
      gsd: band.gsd,
      bands: [toBand(band)],
    },
  ]);
  return Object.fromEntries(entries);
}

/** A collection as it is served. */
export function collectionDocument(
  collection: CollectionSchema,
  extent: Extent,
  baseUrl: string,
): Record<string, unknown> {
  const v1 = `${baseUrl}/v1`;
  const self = `${v1}/collections/${collection.id}`;
  return {
    type: "Collection",
    stac_version: "1.1.0",
    stac_extensions: EXTENSIONS,
    id: collection.id,
    title: collection.title,
    description: collection.description,
    keywords: collection.keywords,
    license: collection.license,
    providers: collection.providers,
    extent,
    summaries: {
      platform: collection.platforms,
      constellation: [collection.constellation],
      instruments: collection.instruments,
      gsd: [...new Set(collection.bands.map((band) => band.gsd))].sort((a, b) => a - b),
      "eo:cloud_cover": { minimum: 0, maximum: 100 },
    },
    item_assets: itemAssets(collection),
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
    "svc:zoom": collection.zoom,
    "auth:schemes": AUTH_SCHEMES,
    links: [
      { rel: "self", type: JSON_TYPE, href: self },
      { rel: "root", type: JSON_TYPE, href: v1 },
      { rel: "parent", type: JSON_TYPE, href: v1 },
      { rel: "canonical", type: JSON_TYPE, href: self },
      { rel: "items", type: GEOJSON, href: `${self}/items`, "auth:refs": ["apiKey"] },
      { rel: "license", ...collection.licenseLink },
      { rel: "describedby", type: JSON_TYPE, href: `${v1}/schema`, title: "Schema v1, the band crosswalk" },
    ],
  };
}

export function registerCollections(router: Router, services: Services): void {
  const documentOf = async (collection: CollectionSchema, c: AppContext): Promise<Record<string, unknown>> =>
    collectionDocument(
      collection,
      await services.catalog.extent(collection.id, { signal: c.get("signal") }),
      c.get("baseUrl"),
    );
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/collections",
      operationId: "getCollections",
      tag: "Catalog",
      summary: "Collections",
      access: PUBLIC,
      etag: true,
      responses: {
        200: { description: "The live collections.", content: { [JSON_TYPE]: { schema: CollectionListModel } } },
      },
    },
    async (c) => {
      const baseUrl = c.get("baseUrl");
      const documents = await Promise.all(Object.values(collections).map((collection) => documentOf(collection, c)));
      const body = {
        collections: documents,
        links: [
          { rel: "self", type: JSON_TYPE, href: `${baseUrl}/v1/collections` },
          { rel: "root", type: JSON_TYPE, href: `${baseUrl}/v1` },
        ],
        numberMatched: documents.length,
        numberReturned: documents.length,
      };
      return sendDocument(c, body, { cacheControl: CACHE_DOCUMENT, version: SCHEMA_VERSION });
    },
  );
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/collections/{collectionId}",
      operationId: "getCollection",
      tag: "Catalog",
      summary: "One collection",
      access: PUBLIC,
      etag: true,
      params: CollectionPath,
      responses: { 200: { description: "The collection.", content: { [JSON_TYPE]: { schema: CollectionModel } } } },
    },
    async (c, { params }) => {
      const { collection } = collectionOf(params.collectionId);
      return sendDocument(c, await documentOf(collection, c), {
        cacheControl: CACHE_DOCUMENT,
        version: SCHEMA_VERSION,
        headers: contentLocation(c, params.collectionId, collection.id),
      });
    },
  );
}
