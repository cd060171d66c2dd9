import type { ItemQuery } from "@swath/query";
import type { Extent, MergeableCatalog, Place, PlacedPage } from "../../catalog.ts";
import { tallied } from "../../counts/tally.ts";
import { compareValues, fullOrder } from "../../order/order.ts";
import { type OrderedPlace, orderedPlace, START, toGap } from "../../order/ordered-gap.ts";
import { searchByToken } from "../../order/placed-page.ts";
import { queryHash, type SortValue } from "../../order/token.ts";
import { ItemIndex } from "./item-index.ts";
import type { ItemStore } from "./item-store.ts";
import { MatchLists } from "./match-lists.ts";

/** A catalog of a store, whose items may change. */
export interface StoredCatalog extends MergeableCatalog {
  /**
   * Reads the facts again, while others have their turn: what is asked meanwhile sees the items of before, what follows those of
   * now.
   */
  refresh(): Promise<void>;
  /** The number of items. */
  readonly size: number;
  /** Bytes that the index takes, estimated; whole items are in the store. */
  readonly bytes: number;
  /** Ids of the collections that have items. */
  readonly collections: ReadonlySet<string>;
}

/** Match lists kept, each takes four bytes per item. */
const MATCHES_KEPT = 16;

/** One state of the store. */
interface Snapshot {
  readonly index: ItemIndex;
  readonly matches: MatchLists;
  readonly extents: Map<string, Extent>;
}

function snapshotOf(index: ItemIndex): Snapshot {
  return { index, matches: new MatchLists(index.size, MATCHES_KEPT), extents: new Map() };
}

/**
 * A catalog of items that are kept elsewhere: the whole query language, exact spatial tests and keyset paging over an index
 * of arrays; only the items of a page are read from the store.
 */
export function createStoredCatalog(store: ItemStore): StoredCatalog {
  let snapshot = snapshotOf(ItemIndex.of(store));
  let refreshed: Promise<void> = Promise.resolve();
  const refresh = async (): Promise<void> => {
    const steps = ItemIndex.steps(store);
    for (;;) {
      const step = steps.next();
      if (step.done === true) {
        snapshot = snapshotOf(step.value);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  };
  const searchAt: MergeableCatalog["searchAt"] = async (query, place, { signal } = {}) => {
    signal?.throwIfAborted();
    return page(store, snapshot, query, place);
  };
  return {
    refresh: () => {
      // one after the other, so that the last one has read the latest items
      refreshed = refreshed.catch(() => {}).then(refresh);
      return refreshed;
    },
    get size() {
      return snapshot.index.size;
    },
    get bytes() {
      return snapshot.index.bytes + snapshot.matches.bytes;
    },
    get collections() {
      return snapshot.index.collections;
    },
    search: searchByToken("archive", searchAt),
    searchAt,
    count: async (query, request, { signal } = {}) => {
      const { index, matches } = snapshot;
      const order = fullOrder(query.sortby);
      // the list is written over by the searches of others while it is counted
      const found = matches.get(queryHash(query), (array) => index.match(query, order, array)).slice();
      return tallied(found.length, (i) => index.countedAt(found[i] as number), request, signal);
    },
    has: async (collection) => snapshot.index.collections.has(collection),
    item: async (collection, id) => {
      const position = snapshot.index.find(collection, id);
      return position === undefined ? undefined : store.item(snapshot.index.keyAt(position));
    },
    extent: async (collection) => {
      const { extents, index } = snapshot;
      const known = extents.get(collection) ?? index.extent(collection);
      extents.set(collection, known);
      return known;
    },
    ping: async () => {},
  };
}

function page(store: ItemStore, { index, matches }: Snapshot, query: ItemQuery, place: Place | undefined): PlacedPage {
  const order = fullOrder(query.sortby);
  const at = place === undefined ? undefined : orderedPlace(place, order.length);
  const found = matches.get(queryHash(query), (array) => index.match(query, order, array));
  const valuesAt = (i: number) => index.sortValuesAt(found[i] as number, order);
  const first =
    at === undefined ? 0 : countBefore(found.length, at, (i, values) => compareValues(valuesAt(i), values, order));
  const isBack = at?.direction === "prev";
  const [from, to] = isBack ? [Math.max(0, first - query.limit), first] : [first, first + query.limit];
  const shown = found.subarray(from, Math.min(to, found.length));
  const rows = Array.from(shown, (position) => ({ position, item: store.item(index.keyAt(position)) }));
  const read = rows.flatMap(({ position, item }) => (item === undefined ? [] : [{ position, item }]));
  const values = read.map(({ position }) => index.sortValuesAt(position, order));
  return {
    items: read.map(({ item }) => item),
    values,
    numberMatched: found.length,
    hasPrev: from > 0,
    hasNext: from + shown.length < found.length,
    gapAt: (i) => {
      const [near, far] = [values[i], values[i - 1]];
      if (near !== undefined) return toGap({ side: "before", values: near });
      if (far !== undefined) return toGap({ side: "after", values: far });
      return toGap(at?.gap ?? START);
    },
  };
}

/** Counts the matches before a gap. */
function countBefore(
  count: number,
  { gap }: OrderedPlace,
  compare: (i: number, values: readonly SortValue[]) => number,
): number {
  if (gap.side === "start") return 0;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const compared = compare(middle, gap.values);
    if (compared < 0 || (compared === 0 && gap.side === "after")) low = middle + 1;
    else high = middle;
  }
  return low;
}
