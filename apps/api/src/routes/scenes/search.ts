import { z } from "@hono/zod-openapi";
import { toUnits, type Units } from "@swath/accounts";
import type { Extents } from "@swath/catalog/node";
import { aliasFilter, collectionOf, SEARCH_UNITS } from "@swath/engine/search";
import { FILTER_REFUSED, FilterBody, MAX_SEARCH_BYTES, SearchBody } from "../../bodies/search.ts";
import {
  ItemCollectionModel,
  MarkedItemCollection,
  PAGE_TITLES,
  type PageLinks,
  postSearchLinks,
} from "../../documents/item-page.ts";
import { GEOJSON } from "../../documents/media-types.ts";
import { CACHE_SEARCH, NO_STORE } from "../../http/answer/documents.ts";
import type { AppContext } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { SEARCH } from "../../http/request/route-access.ts";
import { checkIsThere } from "../../operations/collections.ts";
import { searchItems } from "../../operations/search.ts";
import type { SearchParts } from "../../operations/services.ts";
import { CollectionPath, contentLocation } from "./collections.ts";
import { sendItemPage } from "./item-pages.ts";
import { MISSING_HEADER } from "./missing-upstreams.ts";
import { csv, filterParameters, text } from "./parameters.ts";

export const searchCost = (): Units => toUnits(SEARCH_UNITS);

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

/** The parameters of searches without CQL2. */
export const SearchQuery = z.strictObject({
  ...common,
  filter: text(FILTER_REFUSED),
  "filter-lang": text(FILTER_REFUSED),
  "filter-crs": text(FILTER_REFUSED),
});

/** The parameters of searches with CQL2. */
export const FilterQuery = z.strictObject({
  ...common,
  ...filterParameters("the queryables"),
});

/** The request's address with `token` put in or taken out. */
function addressWith(c: AppContext, token: string | undefined): string {
  const url = new URL(c.req.url);
  if (token === undefined) url.searchParams.delete("token");
  else url.searchParams.set("token", token);
  return `${c.get("baseUrl")}${url.pathname}${url.search}`;
}

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

/** Most items per page for callers without a key or token; a larger limit is taken as this. */
const ANONYMOUS_LIMIT = 100;
/** Most items of upstreams that a page of theirs reads, where most of them do not match. */
const ANONYMOUS_ITEMS = 2000;

export function limitOf(c: AppContext): { readonly maxLimit?: number; readonly maxItems?: number } {
  if (c.get("identity").credential !== "anonymous") return {};
  return { maxLimit: ANONYMOUS_LIMIT, maxItems: ANONYMOUS_ITEMS };
}

/**
 * @param options.filters whether CQL2 is taken; without it a filter is refused with what to use instead.
 * @param options.isMarked whether a page says what upstreams failed on.
 */
export function registerSearch(
  router: Router,
  services: SearchParts & { readonly extents: Extents },
  { filters, isMarked }: { readonly filters: "cql2" | "refused"; readonly isMarked: boolean },
): void {
  const schema = isMarked ? MarkedItemCollection : ItemCollectionModel;
  const content = { [GEOJSON]: { schema } };
  const headers = isMarked ? { headers: MISSING_HEADER } : {};
  const responses = { 200: { description: "One page of items.", content, ...headers } };
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
      cost: searchCost,
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
        isMarked,
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
      cost: searchCost,
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
        links: postSearchLinks(c.get("baseUrl")),
        cacheControl: NO_STORE,
        isMarked,
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
      cost: searchCost,
      params: CollectionPath,
      query: Query,
      responses,
    },
    async (c, { params, query: parameters }) => {
      const match = collectionOf(services.registry, params.collectionId);
      const { id, title } = match.collection;
      const admit = (): Promise<void> => checkIsThere(services, match.collection);
      const input = { parameters, from: "query", collection: match, ...limitOf(c), takesFilters, admit } as const;
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
        isMarked,
        // an alias that restricts its collection lists other items than the canonical address does
        headers:
          aliasFilter(match, services.registry) === undefined
            ? contentLocation(c, params.collectionId, `${id}/items`)
            : {},
      });
    },
  );
}
