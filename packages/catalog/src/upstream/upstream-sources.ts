import {
  allOf,
  compareInstants,
  findInstant,
  formatInstant,
  type Interval,
  type ItemQuery,
  type SortField,
  toCql2Json,
} from "@swath/query";
import type { CollectionRegistry, CollectionSchema } from "@swath/schema";
import type { FallbackFile } from "@swath/schema/files";
import { upstreamCollections } from "@swath/schema/upstreams";
import type { Item } from "../item/item.ts";
import { type Json, textOf } from "../json.ts";
import { fullOrder, sortValues } from "../order/order.ts";
import type { OrderedSource } from "../order/ordered-source.ts";
import { type AreaRequests, areaRequests, boxRequests, type SearchedArea } from "./filter/upstream-area.ts";
import { toUpstreamFilter, type UpstreamFilter } from "./filter/upstream-filter.ts";
import { itemMatcher } from "./item-matcher.ts";
import { type Conditions, isWholeSecond, bodyOf as toBody } from "./plan/upstream-bound.ts";
import { hasField, isCollectionField, toUpstreamOrder } from "./plan/upstream-order.ts";
import { type Part, partsOf } from "./plan/upstream-parts.ts";
import type { Read, UpstreamSearch } from "./plan/upstream-search.ts";
import { UpstreamReader } from "./read/upstream-reader.ts";

/** The inputs from which the sources of a search at one upstream are made. */
export interface SourceContext
  extends Pick<UpstreamSearch, "client" | "abilities" | "memory" | "signal" | "spentMs" | "now" | "looksIntoFaults"> {
  /** The collections of the upstream. */
  readonly own: CollectionRegistry;
  /** The service's form of its items. */
  readonly toItem: (document: unknown) => Item | undefined;
  /** The names by which the upstream has its collections; those that it lacks are left out. */
  readonly namesOf: (collection: CollectionSchema, wanted: readonly string[]) => readonly string[];
  /** Whether areas are asked for by their boxes, because the upstream failed on them. */
  readonly byBoxes: boolean;
  /** Returns those of a collection's fallbacks, the collections that fill gaps, that are searched as well. */
  readonly fallbacksOf: (collection: CollectionSchema) => readonly FallbackFile[];
  /** A source of a collection that fills gaps, without what it has in vain. */
  readonly withoutTwins: (source: OrderedSource, fallback: FallbackFile, owner: CollectionSchema) => OrderedSource;
}

/** A source of a collection that fills gaps. */
export interface FillingSource {
  /** Its search at the upstream, with what it has in vain. */
  readonly body: Json;
  /** Without what it has in vain. */
  readonly source: OrderedSource;
}

/** The sources that together hold every match of a search. */
export interface SourcePlan {
  readonly order: readonly SortField[];
  readonly sources: readonly OrderedSource[];
  /** Whether the count of the upstream is that of the search, apart from what fills gaps. */
  readonly isCounted: boolean;
  /** The sources of collections that fill gaps, whose items the count lacks. */
  readonly fillings: readonly FillingSource[];
  /** Whether items of the answers are dropped here. */
  readonly isFiltered: boolean;
  /** Whether the area was sent as it is, so that its boxes can be tried in its place. */
  readonly hasArea: boolean;
}

/**
 * The sources of a search. Where all items of a part have the same value in the field that decides next, it is searched
 * apart: collections, platforms, constellations, items that have no value. So an upstream is asked only for orders that it
 * has, and items without a value come last in both directions whatever it does with them.
 */
export function planSources(query: ItemQuery, context: SourceContext): SourcePlan {
  const { own, abilities } = context;
  const asked = query.collections.length === 0 ? own.ids : query.collections;
  const collections = [...new Set(asked.flatMap((id) => own.find(id)?.collection ?? []))];
  const order = fullOrder(query.sortby);
  const parts = partsOf(collections, order, query, abilities);
  const search: Search = { query, order, matches: itemMatcher(query), context };
  const made = parts.map((part) => ({ part, ...sourcesOf(part, search) }));
  const counted = abilities.kind.paging.counts ? made.find(({ part, isExact }) => part.isWhole && isExact) : undefined;
  return {
    order,
    sources: made.flatMap(({ sources }) => sources),
    isCounted: counted !== undefined,
    fillings: counted?.fillings ?? [],
    isFiltered: made.some(({ isExact }) => !isExact),
    hasArea: made.some(({ hasArea }) => hasArea),
  };
}

interface PartSources {
  readonly sources: readonly OrderedSource[];
  readonly fillings: readonly FillingSource[];
  readonly isExact: boolean;
  readonly hasArea: boolean;
}

const NONE: PartSources = { sources: [], fillings: [], isExact: true, hasArea: false };

interface Search {
  readonly query: ItemQuery;
  readonly order: readonly SortField[];
  readonly matches: (item: Item) => boolean;
  readonly context: SourceContext;
}

/** A part of a search in what its upstream understands. */
interface AskedPart extends Search {
  readonly part: Part;
  readonly narrowed: UpstreamFilter;
  /** Absent: any. */
  readonly ids: readonly string[] | undefined;
  readonly fallbacks: readonly Filling[];
  /** Whether answers hold more than what is searched. */
  readonly isFiltered: boolean;
}

function sourcesOf(part: Part, search: Search): PartSources {
  const { query, context } = search;
  const filter = allOf(query.filter, ...part.pieces);
  const narrowed = toUpstreamFilter(filter, part.collections, context.own.collections, context.abilities);
  const ids = query.ids === undefined ? narrowed.ids : common(query.ids, narrowed.ids);
  // no id is asked for: upstreams read an empty list as no condition
  if (narrowed.collections.length === 0 || ids?.length === 0) return NONE;
  const areas = areasOf(query, narrowed, context);
  const isExact = narrowed.local === undefined && !narrowed.holdsOthers && isTimeExact(query, context) && areas.isExact;
  const fallbacks = fillingsOf(narrowed.collections, query, context);
  const asked: AskedPart = { ...search, part, narrowed, ids, fallbacks, isFiltered: !isExact };
  const made = areas.requests.map((area) => ({ own: ownSources(asked, area), fillings: fillingSources(asked, area) }));
  return {
    sources: made.flatMap(({ own, fillings }) => [...own, ...fillings.map(({ source }) => source)]),
    fillings: made.flatMap(({ fillings }) => fillings),
    isExact: isExact && made.length === 1,
    hasArea: areas.requests.some(({ intersects }) => intersects !== undefined),
  };
}

function areasOf(query: ItemQuery, narrowed: UpstreamFilter, { byBoxes, abilities }: SourceContext): AreaRequests {
  const given = query.bbox === undefined && query.intersects === undefined ? { intersects: narrowed.area } : query;
  return (byBoxes ? boxRequests : areaRequests)(given, abilities.kind.area);
}

/** Whether an upstream takes the searched time as it is. */
const isTimeExact = ({ datetime }: ItemQuery, { abilities }: SourceContext): boolean =>
  datetime === undefined || (abilities.kind.conditions.time === "datetime" && isWholeSecond(datetime));

/** The collections of a part in an area: one source, none where the upstream has none of them. */
function ownSources(asked: AskedPart, area: SearchedArea): OrderedSource[] {
  const { part, narrowed, ids, fallbacks, query, context } = asked;
  const own = narrowed.collections.flatMap((each) => context.namesOf(each, upstreamCollections(each.upstream)));
  // items that are asked for by their ids are asked for once, whatever collection has them
  const filling = ids === undefined ? [] : fallbacks.map(({ fallback }) => fallback.collection);
  const names = [...new Set([...own, ...filling])];
  if (names.length === 0) return [];
  return [toSource(asked, conditionsOf(asked, names, query.datetime, area), undefined, part.isWhole)];
}

/** The collections that fill gaps of those of a part, in an area. */
function fillingSources(asked: AskedPart, area: SearchedArea): FillingSource[] {
  if (asked.ids !== undefined) return [];
  const decides = asked.order[asked.part.constants.length];
  return asked.fallbacks.map(({ owner, fallback, interval }) => {
    const conditions = conditionsOf(asked, [fallback.collection], interval, area);
    const source = toSource(asked, conditions, fallback, false);
    const placed = decides?.field === "datetime" ? { ...source, leads: leadsOf(interval, decides) } : source;
    return { body: toBody(conditions), source: asked.context.withoutTwins(placed, fallback, owner) };
  });
}

function conditionsOf(
  { ids, narrowed }: AskedPart,
  names: readonly string[],
  datetime: Interval | undefined,
  { bbox, intersects }: SearchedArea,
): Conditions {
  const area = { ...(bbox === undefined ? {} : { bbox }), ...(intersects === undefined ? {} : { intersects }) };
  return { body: bodyOf(names, ids, area, narrowed), datetime };
}

function toSource(
  asked: AskedPart,
  conditions: Conditions,
  fallback: FallbackFile | undefined,
  isWhole: boolean,
): OrderedSource {
  const { part, order, narrowed, isFiltered, context } = asked;
  const { constants } = part;
  const { abilities, memory } = context;
  const known = constants.length;
  const sort = toUpstreamOrder(order, known, narrowed.collections, abilities, memory.untrusted);
  const read = reader(asked, fallback);
  const search: UpstreamSearch = { ...context, conditions, order, known, sort, read, isFiltered, isWhole };
  return {
    constants,
    hasValue: true,
    follows: sort.follows,
    isTotal: sort.isTotal,
    open: (place, direction, step) => new UpstreamReader(search, place, direction, step),
  };
}

/** The service's form of an upstream's items, and whether they belong to a part and to a collection that fills gaps. */
function reader(
  { part: { constants, collections }, order, matches, context: { toItem } }: AskedPart,
  fallback: FallbackFile | undefined,
): (document: Json) => Read | undefined {
  return (document) => {
    const item = toItem(document);
    if (item === undefined) return undefined;
    const own = sortValues(item, order);
    const owner = collections.find(({ id }) => id === item.collection);
    const isOwn =
      owner !== undefined && (fallback === undefined || textOf(document.collection) === fallback.collection);
    const isFitting = constants.every((value, i) => {
      const field = order[i]?.field ?? "";
      // a field that the collection lacks has no value in its items, whatever they hold
      const isNone = value === null && owner !== undefined && !hasField(owner, field);
      return isNone || own[i] === value || isCollectionField(field);
    });
    const isSought = matches(item);
    return {
      item,
      values: [...constants, ...own.slice(constants.length)],
      isMatch: isOwn && isFitting && isSought,
      isRefused: owner === undefined || !isSought,
    };
  };
}

interface Filling {
  readonly owner: CollectionSchema;
  readonly fallback: FallbackFile;
  /** The part of the searched time in which it is looked at. */
  readonly interval: Interval | undefined;
}

function fillingsOf(
  collections: readonly CollectionSchema[],
  query: ItemQuery,
  { fallbacksOf, namesOf }: SourceContext,
): Filling[] {
  return collections.flatMap((owner) =>
    fallbacksOf(owner).flatMap((fallback): Filling[] => {
      if (namesOf(owner, [fallback.collection]).length === 0) return [];
      return timesOf(fallback, query.datetime).map((interval) => ({ owner, fallback, interval }));
    }),
  );
}

/** The parts of a searched time in which a collection that fills gaps is looked at: an end is not part of its interval. */
export function timesOf({ times }: FallbackFile, searched: Interval | undefined): (Interval | undefined)[] {
  if (times === undefined) return [searched];
  return times.flatMap(
    ([start, end]) => overlapOf(searched, { start: findInstant(start), end: millisecondBefore(end) }) ?? [],
  );
}

/** Upstreams keep no more than milliseconds of a time. */
function millisecondBefore(time: string): Interval["end"] {
  const instant = findInstant(time);
  return instant && { nanoseconds: instant.nanoseconds - 1_000_000n, digits: 3 };
}

function overlapOf(
  asked: Interval = {},
  given: { readonly start: Interval["start"] | undefined; readonly end: Interval["end"] | undefined },
): Interval | undefined {
  const start = [asked.start, given.start]
    .flatMap((each) => each ?? [])
    .sort(compareInstants)
    .at(-1);
  const end = [asked.end, given.end].flatMap((each) => each ?? []).sort(compareInstants)[0];
  if (start !== undefined && end !== undefined && compareInstants(start, end) > 0) return undefined;
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

/** The first times of an interval in both directions of an order by time. */
function leadsOf({ start, end }: Interval = {}, sort: SortField | undefined): OrderedSource["leads"] {
  const [first, last] = [start, end].map((each) => each && formatInstant({ nanoseconds: each.nanoseconds, digits: 9 }));
  if (first === undefined || last === undefined) return undefined;
  return sort?.direction === "asc" ? { next: first, prev: last } : { next: last, prev: first };
}

function bodyOf(
  names: readonly string[],
  ids: readonly string[] | undefined,
  area: object,
  narrowed: UpstreamFilter,
): Json {
  const { query, cql2 } = narrowed;
  return {
    collections: names,
    ...(ids === undefined ? {} : { ids }),
    ...area,
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(cql2 === undefined ? {} : { filter: toCql2Json(cql2), "filter-lang": "cql2-json" }),
  };
}

/** The ids of both lists. */
function common(asked: readonly string[], implied: readonly string[] | undefined): readonly string[] {
  return implied === undefined ? asked : asked.filter((id) => implied.includes(id));
}
