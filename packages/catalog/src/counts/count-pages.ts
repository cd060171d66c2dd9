import type { ItemQuery } from "@swath/query";
import type { CountRequest } from "@swath/query/aggregation";
import type { Catalog, CatalogOptions, ItemPage } from "../catalog.ts";
import { isUpstreamFault } from "../errors.ts";
import type { Counts } from "./counts.ts";
import { Tally } from "./tally.ts";

/** Items of one page: one response of an upstream. */
const PAGE = 250;
/** Most items that are counted. */
export const MAX_COUNTED = 20_000;
/** Fewer items left to be read than these: no page is asked for. */
const LEAST = 500;
/** Milliseconds after which no further page is asked for. */
const MAX_MS = 15_000;

/** Options of a count, besides those of a search: `maxItems` are those of all its pages together. */
export interface CountOptions extends CatalogOptions {
  /** Milliseconds since 1970. Default the clock. */
  readonly now?: (() => number) | undefined;
}

/**
 * Counts the items of a search by reading them, page by page: the first of them in its order, within 20,000 items and 15
 * seconds. Where the first page says how many match, the total is that.
 *
 * @throws {CatalogError} as `Catalog.search` does for the first page; the counts end where a later one fails.
 */
export async function countByPages(
  catalog: Pick<Catalog, "search">,
  query: ItemQuery,
  request: CountRequest,
  { maxItems = MAX_COUNTED, now = Date.now, ...options }: CountOptions = {},
): Promise<Counts> {
  const end = now() + MAX_MS;
  const tally = new Tally(request);
  const missing = new Set(options.without);
  let left = Math.min(maxItems, MAX_COUNTED);
  let [token, matched, isLacking]: [string | undefined, number | undefined, boolean] = [undefined, undefined, false];
  do {
    const asked = { ...query, limit: Math.min(PAGE, left), ...(token === undefined ? {} : { token }) };
    const isFirst = token === undefined;
    let read = 0;
    const onRead = (items: number): void => {
      read += items;
    };
    let page: ItemPage;
    try {
      page = await catalog.search(asked, { ...options, maxItems: left, onRead, without: [...missing] });
    } catch (error) {
      options.signal?.throwIfAborted();
      if (isFirst || !isUpstreamFault(error)) throw error;
      break;
    }
    for (const name of page.missing ?? []) missing.add(name);
    for (const item of page.items) tally.add(item);
    matched ??= page.numberMatched;
    isLacking ||= page.unreadable !== undefined;
    left -= Math.max(page.items.length, read, 1);
    token = page.next;
  } while (token !== undefined && left >= LEAST && now() < end);
  const counts = tally.counts(token === undefined && !isLacking, matched);
  return missing.size === 0 ? counts : { ...counts, missing: [...missing] };
}

/** Counts the items of a search: by the catalog where it counts itself, else page by page. */
export function countItems(
  catalog: Pick<Catalog, "search" | "count">,
  query: ItemQuery,
  request: CountRequest,
  options?: CountOptions,
): Promise<Counts> {
  return catalog.count?.(query, request, options) ?? countByPages(catalog, query, request, options);
}
