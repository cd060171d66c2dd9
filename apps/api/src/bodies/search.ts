import { z } from "@hono/zod-openapi";
import { FILTER_CRS } from "@swath/query";
import { AGGREGATION_NAMES, COUNT_INTERVALS } from "@swath/query/aggregation";
import { refTo } from "./schema-ref.ts";

/** Largest body of a search. */
export const MAX_SEARCH_BYTES = 1_048_576;

/** The message for a filter where none is taken. */
export const FILTER_REFUSED = "CQL2 is not served; use `query`.";

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

/** The body of a search without CQL2. */
export const SearchBody = z
  .strictObject({
    ...body,
    filter: z.unknown().openapi({ description: FILTER_REFUSED }),
    "filter-lang": z.unknown().openapi({ description: FILTER_REFUSED }),
    "filter-crs": z.unknown().openapi({ description: FILTER_REFUSED }),
  })
  .partial()
  .meta({ id: "SearchBody" });

/** The body of a search that takes CQL2. */
export const FilterBody = z
  .strictObject({
    ...body,
    filter: z.unknown().openapi({ type: "object", description: "CQL2 JSON filter, AND all other conditions." }),
    "filter-lang": z.unknown().openapi({ type: "string", enum: ["cql2-json"], default: "cql2-json" }),
    "filter-crs": z.unknown().openapi({ type: "string", enum: [FILTER_CRS], default: FILTER_CRS }),
  })
  .partial()
  .meta({ id: "SearchBody" });

/** The members of a search that say nothing of which items are counted. */
export const NOT_COUNTED = { limit: true, token: true, sortby: true, fields: true } as const;

/** The body of a request for counts: the conditions of a search, and what is counted. */
export const CountBody = FilterBody.omit(NOT_COUNTED)
  .extend({
    aggregations: names.openapi({
      type: "array",
      items: { type: "string", enum: [...AGGREGATION_NAMES] },
      description: "Names of aggregations; none by default.",
    }),
    datetime_frequency_interval: z
      .unknown()
      .optional()
      .openapi({ type: "string", enum: [...COUNT_INTERVALS], default: "month" }),
  })
  .meta({ id: "CountBody" });
