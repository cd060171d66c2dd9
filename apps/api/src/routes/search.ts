import { z } from "@hono/zod-openapi";
import { FILTER_CRS, FILTER_LANGUAGES } from "@swath/query";
import { SEARCH } from "../access/route-access.ts";
import type { AppContext } from "../http/context.ts";
import { CACHE_SEARCH, GEOJSON, NO_STORE } from "../http/documents.ts";
import { addRoute, type Router } from "../http/route.ts";
import { collectionOf } from "../operations/collections.ts";
import { searchItems } from "../operations/search.ts";
import { aliasFilter } from "../plan/search-scope.ts";
import { refTo } from "../schema-ref.ts";
import type { Services } from "../services.ts";
import { CollectionPath, contentLocation } from "./collections.ts";
import { type PageLinks, sendItemPage } from "./item-pages.ts";
import { ItemCollectionModel } from "./models.ts";
import { csv, text } from "./parameters.ts";

/** Largest body of a search. */
const MAX_SEARCH_BYTES = 1_048_576;

const common = {
  bbox: csv("West, south, east, north in degrees (CRS84); six numbers carry heights.", "number"),
  datetime: text("RFC 3339 instant or interval; dates alone allowed, an open end is `..`."),
  limit: z.string().optional().openapi({
    type: "integer",
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: "Items a page; more than 1,000 is taken as 1,000.",
  }),
  token: text("Paging token of a `next` or `prev` link."),
  sortby: csv("Fields, each with `+` or `-`; default `-datetime`, then id."),
  fields: csv("Members to return; `-` leaves one out."),
  query: text("STAC query extension as a JSON object."),
  ids: csv("Item ids."),
  intersects: text("GeoJSON geometry, instead of `bbox`."),
  collections: csv("Collection ids or aliases."),
};

const REFUSED = "CQL2 is not served; use `query`.";

/** The parameters of searches without CQL2. */
export const SearchQuery = z.strictObject({
  ...common,
  filter: text(REFUSED),
  "filter-lang": text(REFUSED),
  "filter-crs": text(REFUSED),
});

const FilterQuery = z.strictObject({
  ...common,
  filter: text("CQL2 filter on the queryables, AND all other conditions: text, or JSON where `filter-lang` says so."),
  "filter-lang": z
    .string()
    .optional()
    .openapi({ enum: [...FILTER_LANGUAGES], default: "cql2-text" }),
  "filter-crs": z
    .string()
    .optional()
    .openapi({ enum: [FILTER_CRS], default: FILTER_CRS }),
});

const names = z.union([z.array(z.string()), z.string()]).optional();

/** The members of a POST search. What they hold is read by `@swath/query`, which says more about a fault than a model can. */
const body = {
  collections: names.openapi({ description: "Collection ids or aliases." }),
  ids: names.openapi({ description: "Item ids." }),
  bbox: z.unknown().openapi({ type: "array", items: { type: "number" }, minItems: 4, maxItems: 6 }),
  intersects: z.unknown().openapi(refTo("GeoJsonGeometry", "GeoJSON geometry, instead of `bbox`.")),
  datetime: z.unknown().openapi({ type: "string" }),
  limit: z.unknown().openapi({ type: "integer", minimum: 1, maximum: 1000, default: 10 }),
  query: z.unknown().openapi(refTo("ItemFilter", "Conditions on properties: the STAC query extension.")),
  sortby: z.unknown().openapi({
    type: "array",
    items: {
      type: "object",
      required: ["field", "direction"],
      properties: { field: { type: "string" }, direction: { type: "string", enum: ["asc", "desc"] } },
    },
  }),
  fields: z.unknown().openapi({
    type: "object",
    properties: {
      include: { type: "array", items: { type: "string" } },
      exclude: { type: "array", items: { type: "string" } },
    },
  }),
  token: z.string().optional(),
};

export const SearchBody = z
  .strictObject({
    ...body,
    filter: z.unknown().openapi({ description: REFUSED }),
    "filter-lang": z.unknown().openapi({ description: REFUSED }),
    "filter-crs": z.unknown().openapi({ description: REFUSED }),
  })
  .partial()
  .meta({ id: "SearchBody" });

const FilterBody = z
  .strictObject({
    ...body,
    filter: z.unknown().openapi({ type: "object", description: "CQL2 JSON filter, AND all other conditions." }),
    "filter-lang": z.unknown().openapi({ type: "string", enum: ["cql2-json"], default: "cql2-json" }),
    "filter-crs": z.unknown().openapi({ type: "string", enum: [FILTER_CRS], default: FILTER_CRS }),
  })
  .partial()
  .meta({ id: "SearchBody" });

/** The request's address with `token` put in or taken out. */
function addressWith(c: AppContext, token: string | undefined): string {
  const url = new URL(c.req.url);
  if (token === undefined) url.searchParams.delete("token");
  else url.searchParams.set("token", token);
  return `${c.get("baseUrl")}${url.pathname}${url.search}`;
}

const PAGE_TITLES = { next: "Next page", prev: "Previous page" } as const;

function linksForGet(c: AppContext): PageLinks {
  return {
    self: {
      rel: "self",
      type: GEOJSON,
      href: `${c.get("baseUrl")}${new URL(c.req.url).pathname}${new URL(c.req.url).search}`,
      title: "This page",
    },
    page: (rel, token) => ({
      rel,
      type: GEOJSON,
      method: "GET",
      href: addressWith(c, token),
      title: PAGE_TITLES[rel],
    }),
  };
}

function linksForPost(c: AppContext): PageLinks {
  const href = `${c.get("baseUrl")}/v1/search`;
  return {
    self: { rel: "self", type: GEOJSON, href, title: "Search" },
    page: (rel, token) => ({
      rel,
      type: GEOJSON,
      method: "POST",
      href,
      title: PAGE_TITLES[rel],
      body: { token },
      merge: true,
    }),
  };
}

/** Callers without a credential get at most so many items a page; a larger limit is taken as this. */
const ANONYMOUS_LIMIT = 100;

function limitOf(c: AppContext): { readonly maxLimit?: number } {
  return c.get("identity").credential === "anonymous" ? { maxLimit: ANONYMOUS_LIMIT } : {};
}

const responses = {
  200: { description: "One page of items.", content: { [GEOJSON]: { schema: ItemCollectionModel } } },
};

/** @param options.filters whether CQL2 is taken; without it a filter is refused with what to use instead. */
export function registerSearch(
  router: Router,
  services: Services,
  { filters }: { readonly filters: "cql2" | "refused" },
): void {
  const takesFilters = filters === "cql2";
  const Query = takesFilters ? FilterQuery : SearchQuery;
  const Body = takesFilters ? FilterBody : SearchBody;
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/search",
      operationId: "getSearch",
      tag: "Catalog",
      summary: "Search items",
      access: SEARCH,
      query: Query,
      problems: [404],
      responses,
    },
    async (c, { query: parameters }) => {
      const { page, fields } = await searchItems(
        services,
        { parameters, from: "query", ...limitOf(c), takesFilters },
        { signal: c.get("signal") },
      );
      return sendItemPage(c, page, {
        registry: services.registry,
        fields,
        links: linksForGet(c),
        cacheControl: CACHE_SEARCH,
      });
    },
  );
  addRoute(
    router,
    {
      method: "post",
      path: "/v1/search",
      operationId: "postSearch",
      tag: "Catalog",
      summary: "Search items",
      access: SEARCH,
      body: { json: Body, maxBytes: MAX_SEARCH_BYTES },
      problems: [404],
      responses,
    },
    async (c, { body: parameters }) => {
      const { page, fields } = await searchItems(
        services,
        { parameters, from: "body", ...limitOf(c), takesFilters },
        { signal: c.get("signal") },
      );
      return sendItemPage(c, page, {
        registry: services.registry,
        fields,
        links: linksForPost(c),
        cacheControl: NO_STORE,
      });
    },
  );
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/collections/{collectionId}/items",
      operationId: "getItems",
      tag: "Catalog",
      summary: "Items of a collection, newest first",
      access: SEARCH,
      params: CollectionPath,
      query: Query,
      responses,
    },
    async (c, { params, query: parameters }) => {
      const match = collectionOf(services.registry, params.collectionId);
      const { id, title } = match.collection;
      const input = { parameters, from: "query", collection: match, ...limitOf(c), takesFilters } as const;
      const { page, fields } = await searchItems(services, input, { signal: c.get("signal") });
      const href = `${c.get("baseUrl")}/v1/collections/${id}`;
      return sendItemPage(c, page, {
        registry: services.registry,
        fields,
        links: {
          ...linksForGet(c),
          above: [
            { rel: "collection", href, title },
            { rel: "parent", href, title },
          ],
        },
        cacheControl: CACHE_SEARCH,
        // an alias that restricts its collection lists other items than the canonical address does
        headers:
          aliasFilter(match, services.registry) === undefined
            ? contentLocation(c, params.collectionId, `${id}/items`)
            : {},
      });
    },
  );
}
