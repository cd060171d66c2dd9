import { bboxShape, footprintShape, type Shape, shapeBbox, shapesIntersect, toShape } from "@swath/geometry";
import {
  compareInstants,
  findInstant,
  formatInstant,
  type Instant,
  type Interval,
  type ItemQuery,
  itemTime,
  matchesFilter,
  matchesInterval,
  type SortField,
} from "@swath/query";
import { type CollectionRegistry, defaultRegistry } from "@swath/schema";
import type { FallbackFile } from "@swath/schema/files";
import { fallbackOf } from "@swath/schema/upstreams";
import { LRUCache } from "lru-cache";
import type { Extent, MergeableCatalog, PlacedPage } from "../catalog.ts";
import { tallied } from "../counts/tally.ts";
import type { Item } from "../item/item.ts";
import { Acquisitions, acquisitionOf, isInTimes } from "../item/twins.ts";
import { jsonOf, textOf } from "../json.ts";
import { compareValues, fullOrder, sortValues } from "../order/order.ts";
import { type OrderedPlace, orderedPlace, START, toGap } from "../order/ordered-gap.ts";
import { searchByToken } from "../order/placed-page.ts";
import { queryHash, type SortValue, stableJson } from "../order/token.ts";
import { toServiceItem } from "../service-item/service-item.ts";

/** Options of an archive in memory. */
export interface ArchiveOptions {
  /** Items in the upstream's shape, of any of its collections. Items of collections that the registry does not have are left out. */
  readonly items: Iterable<unknown>;
  /** Default: the registry of the built-in collections. */
  readonly registry?: CollectionRegistry | undefined;
}

interface Entry {
  readonly item: Item;
  readonly collection: string;
  readonly footprint: Shape;
  /** Milliseconds since 1970, rounded down; NaN where the item has no `datetime`. */
  readonly time: number;
  /** The collection that fills gaps which it is of; absent for one of the first collections. */
  readonly fallback: FallbackFile | undefined;
}

/** All entries in one order. */
interface Sorted {
  readonly order: readonly SortField[];
  readonly entries: readonly Entry[];
  readonly values: readonly (readonly SortValue[])[];
}

/** Sorted views kept: each takes one number and one small array per item. */
const ORDERS_KEPT = 8;
/** Match lists kept, four bytes per match: a client that walks through the pages of a search filters once. */
const MATCHES_KEPT = 32;

/**
 * A catalogue held in memory: the whole query language, exact spatial tests, keyset paging. Its items never change.
 */
export function createArchiveCatalog(options: ArchiveOptions): MergeableCatalog {
  const { registry = defaultRegistry } = options;
  const entries = toEntries(options.items, registry);
  const inVain = fillersInVain(entries, registry);
  const byId = new Map(entries.map((entry) => [`${entry.collection}/${entry.item.id}`, entry.item]));
  const extents = new Map<string, Extent>();
  const orders = new LRUCache<string, Sorted>({ max: ORDERS_KEPT });
  const matches = new LRUCache<string, Uint32Array>({ max: MATCHES_KEPT });

  function sorted(order: readonly SortField[]): Sorted {
    const key = stableJson(order);
    const known = orders.get(key);
    if (known !== undefined) return known;
    const rows = entries.map((entry) => ({ entry, values: sortValues(entry.item, order) }));
    rows.sort((a, b) => compareValues(a.values, b.values, order));
    const made = { order, entries: rows.map((row) => row.entry), values: rows.map((row) => row.values) };
    orders.set(key, made);
    return made;
  }

  function matchesIn(view: Sorted, query: ItemQuery): Uint32Array {
    const hash = queryHash(query);
    const found = matches.get(hash) ?? matching(view.entries, query, inVain);
    matches.set(hash, found);
    return found;
  }

  const searchAt: MergeableCatalog["searchAt"] = async (query, place, { signal } = {}) => {
    signal?.throwIfAborted();
    const view = sorted(fullOrder(query.sortby));
    const at = place === undefined ? undefined : orderedPlace(place, view.order.length);
    return page(view, matchesIn(view, query), query.limit, at);
  };

  return {
    search: searchByToken("archive", searchAt),
    searchAt,
    count: async (query, request, { signal } = {}) => {
      const view = sorted(fullOrder(query.sortby));
      const found = matchesIn(view, query);
      return tallied(found.length, (i) => (view.entries[found[i] as number] as Entry).item, request, signal);
    },
    item: async (collection, id) => byId.get(`${collection}/${id}`),
    extent: async (collection) => {
      const known =
        extents.get(collection) ??
        extentOf(entries.filter((entry) => entry.collection === collection && !inVain.has(entry)));
      extents.set(collection, known);
      return known;
    },
    has: async (collection) => registry.find(collection) !== undefined,
    ping: async () => {},
  };
}

function toEntries(items: Iterable<unknown>, registry: CollectionRegistry): Entry[] {
  const entries = new Map<string, Entry>();
  for (const upstream of items) {
    const item = toServiceItem(upstream, registry);
    if (item?.collection === undefined) continue;
    const instant = typeof item.properties.datetime === "string" ? findInstant(item.properties.datetime) : undefined;
    const footprint = item.geometry == null ? { parts: [] } : footprintShape(item.geometry);
    entries.set(`${item.collection}/${item.id}`, {
      item,
      collection: item.collection,
      footprint,
      time: instant === undefined ? Number.NaN : milliseconds(instant),
      fallback: fallbackOfItem(upstream, item, registry),
    });
  }
  return [...entries.values()];
}

function fallbackOfItem(document: unknown, item: Item, registry: CollectionRegistry): FallbackFile | undefined {
  const collection = textOf(jsonOf(document).collection);
  const upstream = registry.find(item.collection)?.collection.upstream;
  return collection === undefined || upstream === undefined ? undefined : fallbackOf(upstream, collection);
}

/**
 * Items of collections that fill gaps where there is none: an earlier collection has their acquisition, or they lie outside
 * of the times that are looked at. A search finds them by their ids alone.
 */
function fillersInVain(entries: readonly Entry[], registry: CollectionRegistry): ReadonlySet<Entry> {
  const inVain = new Set<Entry>();
  for (const { id, upstream } of registry.collections) {
    const { fallbacks = [] } = upstream;
    if (fallbacks.length === 0) continue;
    const own = entries.filter(({ collection }) => collection === id);
    for (const [i, fallback] of fallbacks.entries()) {
      const earlier = new Acquisitions();
      const isEarlier = (entry: Entry): boolean =>
        entry.fallback === undefined || (fallbacks.indexOf(entry.fallback) < i && !inVain.has(entry));
      for (const entry of own.filter(isEarlier)) {
        const acquisition = acquisitionOf(entry.item, fallback.tile);
        if (acquisition !== undefined) earlier.add(acquisition);
      }
      for (const entry of own.filter((each) => each.fallback === fallback)) {
        const acquisition = acquisitionOf(entry.item, fallback.tile);
        const hasTwin = acquisition !== undefined && earlier.has(acquisition);
        if (hasTwin || !isInTimes(fallback, entry.item)) inVain.add(entry);
      }
    }
  }
  return inVain;
}

function milliseconds(instant: Instant): number {
  return Number(instant.nanoseconds / 1_000_000n);
}

/** Positions in `entries` of those that match, ascending. */
function matching(entries: readonly Entry[], query: ItemQuery, inVain: ReadonlySet<Entry>): Uint32Array {
  const collections = new Set(query.collections);
  const ids = query.ids === undefined ? undefined : new Set(query.ids);
  const isInTime = query.datetime === undefined ? undefined : timeTest(query.datetime);
  const shape = query.bbox !== undefined ? bboxShape(query.bbox) : query.intersects && toShape(query.intersects);
  const { filter } = query;
  const found: number[] = [];
  entries.forEach((entry, i) => {
    if (collections.size > 0 && !collections.has(entry.collection)) return;
    if (ids !== undefined ? !ids.has(entry.item.id) : inVain.has(entry)) return;
    if (isInTime !== undefined && !isInTime(entry)) return;
    if (shape !== undefined && !shapesIntersect(entry.footprint, shape)) return;
    if (filter !== undefined && !matchesFilter(filter, entry.item)) return;
    found.push(i);
  });
  return Uint32Array.from(found);
}

/** Milliseconds decide where they can; within a second of an end the exact rule for digits decides. */
function timeTest(interval: Interval): (entry: Entry) => boolean {
  const start = interval.start === undefined ? -Infinity : milliseconds(interval.start);
  const end = interval.end === undefined ? Infinity : milliseconds(interval.end);
  return ({ item, time }) => {
    if (time > start + 1000 && time < end - 1000) return true;
    if (time < start - 1000 || time > end + 1000) return false;
    return matchesInterval(interval, item.properties) === true;
  };
}

function page(view: Sorted, found: Uint32Array, limit: number, place: OrderedPlace | undefined): PlacedPage {
  const [from, to] = bounds(view, found, limit, place);
  const values = Array.from(found.subarray(from, to), (i) => view.values[i] as readonly SortValue[]);
  return {
    items: Array.from(found.subarray(from, to), (i) => (view.entries[i] as Entry).item),
    values,
    numberMatched: found.length,
    hasPrev: from > 0,
    hasNext: to < found.length,
    gapAt: (index) => {
      const [near, far] = [values[index], values[index - 1]];
      if (near !== undefined) return toGap({ side: "before", values: near });
      if (far !== undefined) return toGap({ side: "after", values: far });
      return toGap(place?.gap ?? START);
    },
  };
}

/** First and end of the page within the matches. */
function bounds(view: Sorted, found: Uint32Array, limit: number, place: OrderedPlace | undefined): [number, number] {
  const at = place === undefined ? 0 : positionOf(view, found, place);
  return place?.direction === "prev" ? [Math.max(0, at - limit), at] : [at, Math.min(at + limit, found.length)];
}

/** Counts the matches before a gap. */
function positionOf(view: Sorted, found: Uint32Array, { gap }: OrderedPlace): number {
  if (gap.side === "start") return 0;
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareValues(view.values[found[middle] as number] ?? [], gap.values, view.order);
    if (order < 0 || (order === 0 && gap.side === "after")) low = middle + 1;
    else high = middle;
  }
  return low;
}

function extentOf(entries: readonly Entry[]): Extent {
  // a stretch of time counts from its start to its end
  const times = entries
    .flatMap(({ item: { properties } }) => [itemTime(properties), properties.datetime ?? properties.end_datetime])
    .flatMap((time) => (typeof time === "string" ? (findInstant(time) ?? []) : []))
    .sort(compareInstants)
    .map(formatInstant);
  const parts = entries.flatMap((entry) => entry.footprint.parts);
  return {
    spatial: { bbox: [shapeBbox({ parts }) ?? [-180, -90, 180, 90]] },
    temporal: { interval: [[times[0] ?? null, times.at(-1) ?? null]] },
  };
}
