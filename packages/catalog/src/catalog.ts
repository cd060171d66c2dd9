import type { Bbox } from "@swath/geometry";
import type { ItemQuery } from "@swath/query";
import type { CountRequest } from "@swath/query/aggregation";
import type { Counts } from "./counts/counts.ts";
import type { Item } from "./item/item.ts";
import type { SortValue, TokenValue } from "./order/token.ts";

/** Options of every request to a catalogue. */
export interface CatalogOptions {
  readonly signal?: AbortSignal | undefined;
  /** Names of upstreams that a search of several leaves out, because they failed a moment ago: it lacks what they have. */
  readonly without?: readonly string[] | undefined;
  /** Most items of upstreams that are read for a page whose filter is applied here; at least 500. Default 20,000. */
  readonly maxItems?: number | undefined;
  /** Told of the items of an upstream that were read for a page, those included that are not in it. */
  readonly onRead?: ((items: number) => void) | undefined;
}

/** One page of a search, in the service's own vocabulary. */
export interface ItemPage {
  readonly items: readonly Item[];
  /** All matches, exact at any size; absent where it would cost more than the page. */
  readonly numberMatched?: number;
  /** Token of the page after this one; absent when there is nothing after it. */
  readonly next?: string;
  /** Token of the page before this one; absent when there is nothing before it. */
  readonly prev?: string;
  /** Items that an upstream failed to give, although it gives those before and after them: they are missing from the page. */
  readonly unreadable?: number;
  /** Names of upstreams that did not answer, at least one: the page lacks all of their items, and nothing is counted. */
  readonly missing?: readonly string[];
}

/** A place between two items of a search, as a catalog writes it for itself: data for a token. */
export type Gap = readonly TokenValue[];

/** The beginning of a page: behind a gap, or before it. */
export interface Place {
  readonly gap: Gap;
  readonly direction: "next" | "prev";
}

/** A page, and the gaps around its items, so that pages of several catalogs can be merged and walked both ways. */
export interface PlacedPage {
  readonly items: readonly Item[];
  /** The values that decide the order of each item, in the order of `fullOrder`. */
  readonly values: readonly (readonly SortValue[])[];
  readonly numberMatched?: number;
  /** Whether anything precedes the page, and follows it. */
  readonly hasPrev: boolean;
  readonly hasNext: boolean;
  /** Items that an upstream failed to give, which are left out of the page. */
  readonly unreadable?: number;
  /** Names of upstreams that did not answer, at least one: the page lacks all of their items, and nothing is counted. */
  readonly missing?: readonly string[];
  /**
   * Returns the gap before the item at `index`; for 0 the gap before the page, for `items.length` the gap behind it.
   *
   * @param towards where the walk goes on from there: items of an upstream that is missing lie in the gap, and are given then.
   */
  gapAt(index: number, towards: Place["direction"]): Gap;
}

/** A catalog whose pages can be merged with those of others. */
export interface MergeableCatalog extends Catalog {
  /**
   * As `search`, with a place instead of a token. A place is one of its own pages, or beside an item of another catalog
   * in the same order, as `gapBeside` makes it.
   */
  searchAt(query: ItemQuery, place: Place | undefined, options?: CatalogOptions): Promise<PlacedPage>;
}

/** The area and time of a collection's items: the `extent` of a STAC Collection. */
export interface Extent {
  readonly spatial: { readonly bbox: readonly Bbox[] };
  /** RFC 3339 in UTC; `null` is an open end. */
  readonly temporal: { readonly interval: readonly (readonly [string | null, string | null])[] };
}

/** The service's view of items, whatever keeps them. Collections are named by their canonical ids. */
export interface Catalog {
  /**
   * Items that match, in the requested sort order (newest first, then id), at most `query.limit`.
   *
   * @throws {CatalogError} `invalid-token`, `unavailable`, `timeout`, `rejected`, `too-many`.
   */
  search(query: ItemQuery, options?: CatalogOptions): Promise<ItemPage>;
  /**
   * Counts the items that match; order, limit and token play no part. Where they cannot all be counted, each count says of
   * how many it is. Absent: `countItems` counts by searches.
   *
   * @throws {CatalogError} `unavailable`, `timeout`, `rejected`.
   */
  count?(query: ItemQuery, request: CountRequest, options?: CatalogOptions): Promise<Counts>;
  /**
   * One item by its id; `undefined` where there is none.
   *
   * @throws {CatalogError} `unavailable`, `timeout`.
   */
  item(collection: string, id: string, options?: CatalogOptions): Promise<Item | undefined>;
  /**
   * Extent of a collection; `undefined` where there is no such collection. Both are cached for ten minutes.
   *
   * @throws {CatalogError} `unavailable`, `timeout`.
   */
  extent(collection: string, options?: CatalogOptions): Promise<Extent | undefined>;
  /**
   * Whether a collection is there: an upstream may lack one that its file names. Remembered for an hour where it is, for
   * ten minutes where it is not; an upstream that does not answer is asked again.
   *
   * @throws {CatalogError} `unavailable`, `timeout` where that could not be found out.
   */
  has(collection: string, options?: CatalogOptions): Promise<boolean>;
  /**
   * Checks whether the catalogue answers.
   *
   * @throws {CatalogError} `unavailable`, `timeout`.
   */
  ping(options?: CatalogOptions): Promise<void>;
}
