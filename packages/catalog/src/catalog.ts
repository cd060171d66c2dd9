import type { Bbox, ItemQuery } from "@swath/query";
import type { Item } from "./item.ts";

/** What every question to a catalogue takes. */
export interface CatalogOptions {
  readonly signal?: AbortSignal | undefined;
  /** Most items of upstreams that are read for a page whose filter is applied here; at least 500. Default 20,000. */
  readonly maxItems?: number | undefined;
}

/** One page of a search, in the service's own vocabulary. */
export interface ItemPage {
  readonly items: readonly Item[];
  /** All matches, exact at any size; absent where it would cost more than the page. */
  readonly numberMatched?: number;
  /** Token of the page after this one; absent when there is nothing after it. */
  readonly next?: string;
  /** Token of the page before this one. */
  readonly prev?: string;
}

/** A page with a token for each of its items, so that pages of several catalogs can be merged. */
export interface TokenPage extends ItemPage {
  /**
   * Token of the page that begins after the item at `index` (`next`), or that ends before it (`prev`). `undefined` where
   * the catalog can only name the ends of its pages.
   */
  tokenAt(index: number, direction: "next" | "prev"): string | undefined;
}

/** A catalog whose pages can be merged with those of others. */
export interface MergeableCatalog extends Catalog {
  /** As `search`. */
  searchWithTokens(query: ItemQuery, options?: CatalogOptions): Promise<TokenPage>;
}

/** Where and when a collection has items: the `extent` of a STAC Collection. */
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
   * @throws {CatalogError} `invalid-token`, `unavailable`, `timeout`, `rejected`.
   */
  search(query: ItemQuery, options?: CatalogOptions): Promise<ItemPage>;
  /**
   * One item by its id; `undefined` where there is none.
   *
   * @throws {CatalogError} `unavailable`, `timeout`.
   */
  item(collection: string, id: string, options?: CatalogOptions): Promise<Item | undefined>;
  /**
   * Extent of a collection, cached for ten minutes.
   *
   * @throws {CatalogError} `unavailable`, `timeout`.
   */
  extent(collection: string, options?: CatalogOptions): Promise<Extent>;
  /**
   * Checks whether the catalogue answers.
   *
   * @throws {CatalogError} `unavailable`, `timeout`.
   */
  ping(options?: CatalogOptions): Promise<void>;
}
