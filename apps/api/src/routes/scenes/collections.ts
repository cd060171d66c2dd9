import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/accounts/hono";
import type { Extent } from "@swath/catalog";
import { parseCollectionSearch } from "@swath/catalog/documents";
import type { Extents, PageTokens } from "@swath/catalog/node";
import { collectionOf } from "@swath/engine/search";
import { applyFields } from "@swath/query";
import { type CollectionRegistry, type CollectionSchema, PATH_ID, SCHEMA_VERSION } from "@swath/schema";
import { sendDocument } from "@swath/web/answers";
import { collectionDocument } from "../../documents/collection.ts";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { CollectionListModel, CollectionModel, CollectionPartsModel } from "../../documents/models.ts";
import type { ProfileLinks } from "../../documents/profile-links.ts";
import { CACHE_DOCUMENT, CACHE_FALLBACK } from "../../http/answer/documents.ts";
import type { AppContext } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { existing, searchCollections } from "../../operations/collections.ts";
import type { HealthParts, ImageParts } from "../../operations/services.ts";
import { csv, filterParameters, text } from "./parameters.ts";

export const CollectionPath = z.object({
  collectionId: z.string().openapi({
    pattern: PATH_ID.source,
    description: "Collection id or alias.",
    example: "sentinel-2-l2a",
  }),
});

const CollectionsQuery = z.strictObject({
  bbox: csv("West, south, east, north in degrees (CRS84): collections that touch this box.", "number"),
  datetime: text("RFC 3339 instant or interval: collections with items of this time."),
  limit: z.string().optional().openapi({
    type: "integer",
    minimum: 1,
    maximum: 1000,
    description: "Collections a page; all by default.",
  }),
  q: csv("Words or phrases, of which one has to be in the id, title, description or keywords."),
  token: text("Paging token of a `next` link."),
});

const FilteredCollectionsQuery = CollectionsQuery.extend({
  ...filterParameters(
    "id, title, description, keywords, license, constellation, platform, instruments, start_datetime, end_datetime, geometry",
  ),
  sortby: csv("Fields, each with `+` or `-`: those of filters but the geometry."),
  fields: csv("Members to return; `-` leaves one out."),
});

/** `Content-Location` of the canonical address where an alias was used (RFC 9110 section 8.7). */
export function contentLocation(c: AppContext, requested: string, canonical: string): Record<string, string> {
  const id = canonical.split("/")[0];
  if (requested === id) return {};
  return { "Content-Location": `${c.get("baseUrl")}/v1/collections/${canonical}${new URL(c.req.url).search}` };
}

/** The services that the routes of collections use. */
export interface CollectionServices {
  readonly registry: CollectionRegistry;
  readonly extents: Extents;
  readonly pageTokens: PageTokens;
  readonly fileAccess?: HealthParts["fileAccess"];
  readonly lowZooms?: ImageParts["lowZooms"];
}

/** @param filters whether collections are filtered and sorted, and their documents cut. */
export function registerCollections(
  router: Router,
  services: CollectionServices,
  more: ProfileLinks,
  filters: "cql2" | "refused",
): void {
  const describe = (collection: CollectionSchema, extent: Extent, c: AppContext): Record<string, unknown> => {
    const baseUrl = c.get("baseUrl");
    const site = {
      baseUrl,
      authentication: c.get("authentication")(),
      ...(services.lowZooms === undefined ? {} : { lowestZoom: 0 }),
    };
    const document = collectionDocument(collection, extent, site, more.collection?.(collection, `${baseUrl}/v1`));
    const access = services.fileAccess?.of(collection);
    return access === undefined ? document : { ...document, "svc:access": access };
  };
  const [query, schema] =
    filters === "cql2"
      ? ([FilteredCollectionsQuery, CollectionPartsModel] as const)
      : ([CollectionsQuery, CollectionListModel] as const);
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/collections",
      operationId: "getCollections",
      tag: "Catalog",
      summary: "Collections",
      description: "All live collections, or those that touch a box and a time and hold one of some words.",
      access: PUBLIC,
      etag: true,
      query,
      responses: {
        200: { description: "The live collections.", content: { [JSON_TYPE]: { schema } } },
      },
    },
    async (c, { query: { token, ...parameters } }) => {
      const baseUrl = c.get("baseUrl");
      const asked = parseCollectionSearch(parameters);
      const { found, numberMatched, next } = await searchCollections(services, asked, token, {
        signal: c.get("signal"),
      });
      const address = new URL(c.req.url);
      const { search } = address;
      if (next !== undefined) address.searchParams.set("token", next);
      const documents = found.map(({ collection, extent }) => {
        const document = describe(collection, extent, c);
        return asked.fields === undefined ? document : applyFields(document, asked.fields);
      });
      const body = {
        collections: documents,
        links: [
          { rel: "self", type: JSON_TYPE, href: `${baseUrl}/v1/collections${search}`, title: "These collections" },
          { rel: "root", type: JSON_TYPE, href: `${baseUrl}/v1`, title: "Landing page" },
          ...(next === undefined
            ? []
            : [
                {
                  rel: "next",
                  type: JSON_TYPE,
                  href: `${baseUrl}/v1/collections${address.search}`,
                  title: "Next page",
                },
              ]),
        ],
        numberMatched,
        numberReturned: documents.length,
      };
      const cacheControl = found.every(({ isCurrent }) => isCurrent) ? CACHE_DOCUMENT : CACHE_FALLBACK;
      return sendDocument(c, body, { cacheControl, version: SCHEMA_VERSION });
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
      const { collection } = collectionOf(services.registry, params.collectionId);
      const { extent, isCurrent } = await existing(services.extents, collection, { signal: c.get("signal") });
      return sendDocument(c, describe(collection, extent, c), {
        cacheControl: isCurrent ? CACHE_DOCUMENT : CACHE_FALLBACK,
        version: SCHEMA_VERSION,
        headers: contentLocation(c, params.collectionId, collection.id),
      });
    },
  );
}
