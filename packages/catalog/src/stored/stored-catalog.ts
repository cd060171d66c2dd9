import type { ItemQuery } from "@swath/query";
import type { Extent, MergeableCatalog, TokenPage } from "../catalog.ts";
import type { Item } from "../item.ts";
import { compareValues, fullOrder } from "../order.ts";
import { fromToken, type PagePosition, queryHash, toToken } from "../token.ts";
import { ItemIndex } from "./item-index.ts";
import type { ItemStore } from "./item-store.ts";
import { MatchLists } from "./match-lists.ts";

/** A catalog of a store, whose items may change. */
export interface StoredCatalog extends MergeableCatalog {
  /** Reads the facts again: what follows sees the store's items of now. */
  refresh(): void;
  /** How many items there are. */
  readonly size: number;
  /** Bytes that the index takes, estimated; whole items are in the store. */
  readonly bytes: number;
  /** Ids of the collections that have items. */
  readonly collections: ReadonlySet<string>;
}

/** Match lists kept, four bytes an item each. */
const MATCHES_KEPT = 16;

/** One state of the store. */
interface Snapshot {
  readonly index: ItemIndex;
  readonly matches: MatchLists;
  readonly extents: Map<string, Extent>;
  readonly collections: ReadonlySet<string>;
}

/**
 * A catalog of items that are kept elsewhere: the whole query language, exact spatial tests and keyset paging over an index
 * of arrays; only the items of a page are read from the store.
 */
export function createStoredCatalog(store: ItemStore): StoredCatalog {
  const take = (): Snapshot => {
    const index = new ItemIndex(store);
    return {
      index,
      matches: new MatchLists(index.size, MATCHES_KEPT),
      extents: new Map(),
      collections: index.collections(),
    };
  };
  let snapshot = take();
  const search = (query: ItemQuery): TokenPage => page(store, snapshot, query);
  return {
    refresh: () => {
      snapshot = take();
    },
    get size() {
      return snapshot.index.size;
    },
    get bytes() {
      return snapshot.index.bytes + snapshot.matches.bytes;
    },
    get collections() {
      return snapshot.collections;
    },
    search: async (query, { signal } = {}) => {
      signal?.throwIfAborted();
      const { tokenAt: _, ...found } = search(query);
      return found;
    },
    searchWithTokens: async (query, { signal } = {}) => {
      signal?.throwIfAborted();
      return search(query);
    },
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

function page(store: ItemStore, { index, matches }: Snapshot, query: ItemQuery): TokenPage {
  const order = fullOrder(query.sortby);
  const hash = queryHash(query);
  const isOfOrder = (values: readonly unknown[]): boolean => values.length === order.length;
  const position = query.token === undefined ? undefined : fromToken("archive", hash, isOfOrder, query.token);
  const found = matches.get(hash, (array) => index.match(query, order, array));
  const valuesAt = (at: number) => index.sortValuesAt(found[at] as number, order);
  const precedes = (at: number, { values, direction }: PagePosition): boolean => {
    const compared = compareValues(valuesAt(at), values, order);
    return compared < 0 || (compared === 0 && direction === "next");
  };
  const [from, to] = bounds(found.length, query.limit, position, precedes);
  const token = (direction: "next" | "prev", at: number): string =>
    toToken("archive", hash, { direction, values: valuesAt(at) });
  const items: Item[] = [];
  for (const each of found.subarray(from, to)) {
    const item = store.item(index.keyAt(each));
    if (item !== undefined) items.push(item);
  }
  // the list is another search's afterwards
  const values = Array.from({ length: to - from }, (_, i) => valuesAt(from + i));
  return {
    items,
    numberMatched: found.length,
    ...(to < found.length && to > from ? { next: token("next", to - 1) } : {}),
    ...(from > 0 && to > from ? { prev: token("prev", from) } : {}),
    tokenAt: (at, direction) => toToken("archive", hash, { direction, values: values[at] ?? [] }),
  };
}

/** First and end of the page within the matches. */
function bounds(
  count: number,
  limit: number,
  position: PagePosition | undefined,
  precedes: (at: number, position: PagePosition) => boolean,
): [number, number] {
  if (position === undefined) return [0, Math.min(limit, count)];
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (precedes(middle, position)) low = middle + 1;
    else high = middle;
  }
  return position.direction === "next" ? [low, Math.min(low + limit, count)] : [Math.max(0, low - limit), low];
}
