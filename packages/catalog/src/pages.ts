import type { ItemQuery } from "@swath/query";
import type { Catalog, ItemPage } from "./catalog.ts";

/** Options for walking through pages. */
export interface PagesOptions {
  readonly signal?: AbortSignal | undefined;
  /** Items after which no further page is asked for; the last page may ask for fewer. Default: all. */
  readonly maxItems?: number;
  /** Names of upstreams that are not asked; those that fail on a page are added, and left out of the next ones. */
  readonly without?: Set<string>;
}

/**
 * The pages of a search, one after the other, until there is none or the caller stops. A page is asked for when the one before
 * it has been taken.
 *
 * @throws {CatalogError} as `Catalog.search`.
 */
export async function* pagesOf(
  catalog: Pick<Catalog, "search">,
  query: ItemQuery,
  { signal, maxItems = Number.POSITIVE_INFINITY, without = new Set() }: PagesOptions = {},
): AsyncGenerator<ItemPage, void, undefined> {
  let token = query.token;
  let left = maxItems;
  do {
    const limit = Math.min(query.limit, left);
    const asked = { ...query, limit, ...(token === undefined ? {} : { token }) };
    const page = await catalog.search(asked, { signal, without: [...without] });
    for (const name of page.missing ?? []) without.add(name);
    left -= page.items.length;
    token = page.next;
    yield page;
  } while (token !== undefined && left > 0);
}
