import {
  allOf,
  type Filter,
  filterProperties,
  formatBbox,
  formatDatetime,
  type ItemQuery,
  toCql2Json,
} from "@swath/query";
import type { AggregationName, CountRequest } from "@swath/query/aggregation";
import type { CollectionRegistry, CollectionSchema } from "@swath/schema";
import { upstreamCollections } from "@swath/schema/upstreams";
import type { AggregationAnswer } from "@swath/stac";
import type { Catalog } from "../catalog.ts";
import { type CountOptions, countByPages, MAX_COUNTED } from "../counts/count-pages.ts";
import { type Count, type Counts, noCounts, sumOfCounts } from "../counts/counts.ts";
import { CLOUD_COVER } from "../names/queried-as.ts";
import type { UpstreamClient } from "./abilities/upstream-client.ts";
import type { Abilities } from "./abilities/upstream-conformance.ts";
import { areaRequests } from "./filter/upstream-area.ts";
import { toUpstreamFilter } from "./filter/upstream-filter.ts";
import { isWholeSecond } from "./plan/upstream-bound.ts";
import { hasField } from "./plan/upstream-order.ts";
import type { UpstreamMemory } from "./plan/upstream-search.ts";
import { askedInterval, readAggregation, totalOf } from "./upstream-aggregation.ts";
import { timesOf } from "./upstream-sources.ts";

/** An upstream that is asked for counts. */
export interface CountContext {
  readonly client: UpstreamClient;
  readonly own: CollectionRegistry;
  readonly abilities: Abilities;
  readonly memory: UpstreamMemory;
  /** The names by which the upstream has collections, by the names of their files. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Whether it has failed on the area of the search. */
  readonly isRefused: boolean;
  readonly search: Catalog["search"];
  readonly now: () => number;
}

/** Longest query of an address: Earth Search refuses addresses over some 5,400 characters. */
const MAX_QUERY = 4000;

/**
 * Counts items of an upstream: it is asked collection by collection where it counts and evaluates all conditions; what it
 * cannot say exactly is counted page by page.
 *
 * @throws {CatalogError}
 */
export async function upstreamCounts(
  query: ItemQuery,
  request: CountRequest,
  context: CountContext,
  { maxItems = MAX_COUNTED, ...options }: CountOptions,
): Promise<Counts> {
  const asked = query.collections.length === 0 ? context.own.ids : query.collections;
  const collections = [...new Set(asked.flatMap((id) => context.own.find(id)?.collection ?? []))];
  if (collections.length === 0 || request.names.length === 0) return noCounts(request);
  const answers = await Promise.all(
    collections.map((collection) => askedCounts(collection, query, request, context, options.signal)),
  );
  // collections that lack the same counts are read together
  const groups = new Map<string, { readonly names: AggregationName[]; readonly ids: string[] }>();
  for (const [i, { id }] of collections.entries()) {
    const names = request.names.filter((name) => answers[i]?.has(name) !== true);
    if (names.length === 0) continue;
    const group = groups.get(names.join()) ?? { names, ids: [] };
    groups.set(names.join(), group);
    group.ids.push(id);
  }
  const share = { ...options, now: context.now, maxItems: Math.floor(maxItems / Math.max(1, groups.size)) };
  const paged = await Promise.all(
    [...groups.values()].map(({ names, ids }) =>
      countByPages(context, { ...query, collections: ids }, { ...request, names }, share),
    ),
  );
  return sumOfCounts([...answers.map((counts) => ({ counts })), ...paged], request);
}

type Signal = AbortSignal | undefined;
type Known = ReadonlyMap<AggregationName, Count>;
const NOTHING_KNOWN: Known = new Map();

/** The counts of a collection that its upstream gives exactly. */
async function askedCounts(
  collection: CollectionSchema,
  query: ItemQuery,
  request: CountRequest,
  context: CountContext,
  signal: Signal,
): Promise<Known> {
  const hasCover = request.names.includes("cloud_cover_frequency");
  const others = request.names.filter((name) => name !== "cloud_cover_frequency");
  const [all, covered] = await Promise.all([
    others.length === 0 ? NOTHING_KNOWN : ask(collection, query, { ...request, names: others }, context, signal),
    hasCover
      ? askCover(collection, query, { ...request, names: ["cloud_cover_frequency"] }, context, signal)
      : NOTHING_KNOWN,
  ]);
  return new Map([...all, ...covered]);
}

/** Items without a cloud cover are in no range, as are those with one that is none. */
function askCover(
  collection: CollectionSchema,
  query: ItemQuery,
  request: CountRequest,
  context: CountContext,
  signal: Signal,
): Promise<Known> {
  if (!hasField(collection, "eo:cloud_cover")) return Promise.resolve(noCounts(request).counts);
  return ask(collection, withCover(query), request, context, signal);
}

function withCover(query: ItemQuery): ItemQuery {
  const cover: Filter = {
    op: "between",
    operand: { property: "eo:cloud_cover" },
    lower: { literal: CLOUD_COVER.least },
    upper: { literal: CLOUD_COVER.most },
  };
  if (query.filter === undefined) return { ...query, filter: cover };
  // a condition of the cover is sent with the ends of its range already
  if (filterProperties(query.filter).has("eo:cloud_cover")) return query;
  return { ...query, filter: allOf(query.filter, cover) };
}

async function ask(
  collection: CollectionSchema,
  query: ItemQuery,
  request: CountRequest,
  context: CountContext,
  signal: Signal,
): Promise<Known> {
  const { abilities, client, memory } = context;
  const conditions = conditionsOf(collection, query, context);
  if (conditions === "none") return noCounts(request).counts;
  if (conditions === undefined || abilities.aggregates === undefined) return NOTHING_KNOWN;
  const parameters = {
    ...conditions.parameters,
    aggregations: [...new Set<AggregationName>(["total_count", ...request.names])].join(),
    ...(request.names.includes("datetime_frequency")
      ? { datetime_frequency_interval: askedInterval(request.interval) }
      : {}),
  };
  if (new URLSearchParams(parameters).toString().length > MAX_QUERY) return NOTHING_KNOWN;
  let answer: AggregationAnswer;
  let matched: number | undefined;
  try {
    [answer, matched] = await Promise.all([
      client.aggregate(parameters, signal),
      conditions.isNamed ? undefined : matchedBy(conditions.body, client, signal),
    ]);
  } catch {
    signal?.throwIfAborted();
    // its search may work all the same
    return NOTHING_KNOWN;
  }
  const total = totalOf(answer);
  if (total === undefined || (!conditions.isNamed && total !== matched)) return NOTHING_KNOWN;
  const reading = { collection, interval: request.interval, memory };
  const found = request.names.flatMap((name) => {
    const count = readAggregation(name, answer, total, reading);
    return count === undefined ? [] : [[name, count] as const];
  });
  return new Map(found);
}

/** The number of items that a search finds at the upstream. */
async function matchedBy(
  body: Readonly<Record<string, unknown>>,
  client: UpstreamClient,
  signal: Signal,
): Promise<number | undefined> {
  const { matched } = await client.search({ ...body, limit: 1 }, { signal, hasToken: false, retries: 0 });
  return matched;
}

interface Conditions {
  readonly body: Readonly<Record<string, unknown>>;
  /** The same as parameters of an address. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the upstream says that its counts heed them all; else its search is asked for the same number. */
  readonly isNamed: boolean;
}

/** The search as an upstream evaluates it exactly; `none` where nothing can match; `undefined` where it cannot. */
function conditionsOf(
  collection: CollectionSchema,
  query: ItemQuery,
  { own, abilities, names, isRefused }: CountContext,
): Conditions | "none" | undefined {
  const { kind, aggregates } = abilities;
  const { upstream } = collection;
  const narrowed = toUpstreamFilter(query.filter, [collection], own.collections, abilities);
  if (narrowed.collections.length === 0 || query.ids?.length === 0) return "none";
  if (aggregates === undefined || query.ids !== undefined || narrowed.ids !== undefined || isRefused) return undefined;
  if (narrowed.local !== undefined || narrowed.holdsOthers) return undefined;
  const { datetime } = query;
  // which of their items are there in vain is known of the items alone
  if ((upstream.fallbacks ?? []).some((fallback) => timesOf(fallback, datetime).length > 0)) return undefined;
  if (datetime !== undefined && (kind.conditions.time !== "datetime" || !isWholeSecond(datetime))) return undefined;
  const areas = areaRequests(query, kind.area);
  if (areas.requests.length !== 1 || !areas.isExact) return undefined;
  const { bbox, intersects } = areas.requests[0] ?? {};
  const wanted = upstreamCollections(upstream).flatMap((each) => names.get(each) ?? []);
  if (wanted.length === 0) return "none";
  const hasQuery = Object.keys(narrowed.query).length > 0;
  const filter = narrowed.cql2 === undefined ? undefined : toCql2Json(narrowed.cql2);
  const time = datetime === undefined ? undefined : formatDatetime(datetime);
  return {
    body: {
      collections: wanted,
      ...(bbox === undefined ? {} : { bbox }),
      ...(intersects === undefined ? {} : { intersects }),
      ...(time === undefined ? {} : { datetime: time }),
      ...(hasQuery ? { query: narrowed.query } : {}),
      ...(filter === undefined ? {} : { filter, "filter-lang": "cql2-json" }),
    },
    parameters: {
      collections: wanted.join(),
      ...(bbox === undefined ? {} : { bbox: formatBbox(bbox) }),
      ...(intersects === undefined ? {} : { intersects: JSON.stringify(intersects) }),
      ...(time === undefined ? {} : { datetime: time }),
      ...(hasQuery ? { query: JSON.stringify(narrowed.query) } : {}),
      ...(filter === undefined ? {} : { filter: JSON.stringify(filter), "filter-lang": "cql2-json" }),
    },
    isNamed: (!hasQuery || aggregates.query) && (filter === undefined || aggregates.filter),
  };
}
