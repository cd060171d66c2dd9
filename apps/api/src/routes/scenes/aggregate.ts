import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/accounts/hono";
import { aggregationEntry, aggregationsOf, countsDocument } from "@swath/catalog/documents";
import type { Extents } from "@swath/catalog/node";
import { collectionOf } from "@swath/engine/search";
import { AGGREGATION_NAMES, COUNT_INTERVALS, COUNT_PARAMETERS, parseCounts } from "@swath/query/aggregation";
import { type CollectionMatch, SCHEMA_VERSION } from "@swath/schema";
import { Aggregation, AggregationCollection, Link } from "@swath/stac";
import { sendDocument } from "@swath/web/answers";
import { CountBody, MAX_SEARCH_BYTES, NOT_COUNTED } from "../../bodies/search.ts";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { CACHE_DOCUMENT, CACHE_SEARCH, NO_STORE } from "../../http/answer/documents.ts";
import type { AppContext } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { SEARCH } from "../../http/request/route-access.ts";
import { checkIsThere } from "../../operations/collections.ts";
import { countFound, type SearchInput } from "../../operations/search.ts";
import type { SearchParts } from "../../operations/services.ts";
import { CollectionPath, contentLocation } from "./collections.ts";
import { MISSING_HEADER, missingHeaders } from "./missing-upstreams.ts";
import { csv } from "./parameters.ts";
import { FilterQuery, limitOf, searchCost } from "./search.ts";

const OF = "Items that were counted, where not all that match were: at most 20,000, of callers without a key 2,000.";
const countedOf = z.int().min(0).optional().openapi({ description: OF });

const CountsModel = AggregationCollection.extend({
  aggregations: z.array(Aggregation.extend({ "svc:counted_of": countedOf })),
  "svc:counted_of": countedOf,
  "svc:upstreams_missing": z.array(z.string()).min(1).optional().openapi({
    description: "Upstreams that did not answer: their items are not counted.",
  }),
}).meta({ id: "Counts", description: "Aggregations over the items that match." });

const AggregationsModel = z
  .object({
    aggregations: z.array(
      z.object({
        name: z.enum(AGGREGATION_NAMES as [string, ...string[]]),
        data_type: z.string(),
        frequency_distribution_data_type: z.string().optional(),
      }),
    ),
    links: z.array(Link),
  })
  .meta({ id: "Aggregations", description: "The aggregations that items can be counted by." });

const CountQuery = FilterQuery.omit(NOT_COUNTED).extend({
  aggregations: csv(`Names of aggregations, none by default: ${AGGREGATION_NAMES.join(", ")}.`),
  datetime_frequency_interval: z
    .string()
    .optional()
    .openapi({
      enum: [...COUNT_INTERVALS],
      default: "month",
      description: "Interval of `datetime_frequency`, in UTC.",
    }),
});

type Services = Pick<SearchParts, "catalog" | "registry"> & { readonly extents: Extents };

/** Counts of items: the STAC aggregation extension. */
export function registerAggregate(router: Router, services: Services): void {
  for (const place of ["/v1", "/v1/collections/{collectionId}"] as const) {
    registerNames(router, services, place);
    registerCounts(router, services, place);
  }
}

type Place = "/v1" | "/v1/collections/{collectionId}";

const NoPath = z.object({});

/** The parts of the specification that routes of all items and those of a collection do not share. */
function partsOf(place: Place) {
  const ofCollection = place !== "/v1";
  return {
    tag: "Catalog",
    params: (ofCollection ? CollectionPath : NoPath) as z.ZodType<{ collectionId?: string }>,
    name: ofCollection ? "Collection" : "",
    of: ofCollection ? "items of a collection" : "items",
  };
}

/** @throws {ProblemError} `not-found` for a collection that the upstream lacks. */
async function matchOf(services: Services, id: string | undefined): Promise<CollectionMatch | undefined> {
  if (id === undefined) return undefined;
  const match = collectionOf(services.registry, id);
  await checkIsThere(services, match.collection);
  return match;
}

/** Address and headers of an answer about a collection, or about all. */
function placeOf(c: AppContext, match: CollectionMatch | undefined, id = "", part: string) {
  const v1 = `${c.get("baseUrl")}/v1`;
  if (match === undefined) return { href: `${v1}/${part}`, above: [], headers: {} };
  const { id: canonical, title } = match.collection;
  return {
    href: `${v1}/collections/${canonical}/${part}`,
    above: [{ rel: "collection", type: JSON_TYPE, href: `${v1}/collections/${canonical}`, title }],
    headers: contentLocation(c, id, `${canonical}/${part}`),
  };
}

function registerNames(router: Router, services: Services, place: Place): void {
  const { name, of, tag, params } = partsOf(place);
  addRoute(
    router,
    {
      method: "get",
      path: `${place}/aggregations`,
      operationId: `get${name}Aggregations`,
      tag,
      summary: `What ${of} can be counted by`,
      access: PUBLIC,
      etag: true,
      params,
      responses: { 200: { description: "Aggregations.", content: { [JSON_TYPE]: { schema: AggregationsModel } } } },
    },
    async (c, { params: { collectionId } }) => {
      const match = await matchOf(services, collectionId);
      const { href, above, headers } = placeOf(c, match, collectionId, "aggregations");
      const body = {
        aggregations: aggregationsOf(match?.collection).map(aggregationEntry),
        links: linksOf(c, href, above),
      };
      return sendDocument(c, body, { cacheControl: CACHE_DOCUMENT, version: SCHEMA_VERSION, headers });
    },
  );
}

function linksOf(c: AppContext, href: string, above: readonly Link[]): readonly Link[] {
  const root = { rel: "root", type: JSON_TYPE, href: `${c.get("baseUrl")}/v1`, title: "Landing page" };
  return [{ rel: "self", type: JSON_TYPE, href }, root, ...above];
}

function registerCounts(router: Router, services: Services, place: Place): void {
  const { name, of, tag, params } = partsOf(place);
  const shared = {
    path: `${place}/aggregate`,
    tag,
    summary: `Count ${of}`,
    access: SEARCH,
    cost: searchCost,
    params,
    problems: [404],
    responses: {
      200: { description: "Counts.", content: { [JSON_TYPE]: { schema: CountsModel } }, headers: MISSING_HEADER },
    },
  };
  const answer = async (
    c: AppContext,
    id: string | undefined,
    { parameters, from }: Pick<SearchInput, "parameters" | "from">,
  ): Promise<Response> => {
    const match = await matchOf(services, id);
    const [counted, conditions] = [true, false].map((isCount) =>
      Object.fromEntries(Object.entries(parameters).filter(([key]) => isCount === isCountParameter(key))),
    ) as [Record<string, unknown>, Record<string, unknown>];
    const request = parseCounts(counted, from, aggregationsOf(match?.collection));
    const input = {
      parameters: conditions,
      from,
      takesFilters: true,
      ...limitOf(c),
      ...(match && { collection: match }),
    };
    const counts = await countFound(services, input, request, { signal: c.get("signal") });
    const { href, above, headers } = placeOf(c, match, id, "aggregate");
    const links = linksOf(c, `${href}${new URL(c.req.url).search}`, above);
    const isKept = from === "query" && counts.missing === undefined;
    return c.json({ ...countsDocument(counts, request), links }, 200, {
      "Cache-Control": isKept ? CACHE_SEARCH : NO_STORE,
      ...headers,
      ...missingHeaders(counts.missing),
    });
  };
  addRoute(
    router,
    { ...shared, method: "get", operationId: `get${name}Counts`, query: CountQuery },
    (c, { params, query }) => answer(c, params.collectionId, { parameters: query, from: "query" }),
  );
  const body = { json: CountBody, maxBytes: MAX_SEARCH_BYTES };
  addRoute(
    router,
    { ...shared, method: "post", operationId: `post${name}Counts`, body },
    (c, { params, body: parameters }) => answer(c, params.collectionId, { parameters, from: "body" }),
  );
}

const isCountParameter = (key: string): boolean => COUNT_PARAMETERS.some((each) => each === key);
