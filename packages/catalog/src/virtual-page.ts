import type { Filter, ItemQuery } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import type { Catalog, CatalogOptions, ItemPage } from "./catalog.ts";
import type { Item } from "./item.ts";
import { pageEnd } from "./page-end.ts";
import { itemKey } from "./processings.ts";
import { type Lookup, supersededItems } from "./superseded.ts";
import { fromToken, queryHash, toToken } from "./token.ts";
import { toVirtualItem } from "./virtual-item.ts";

/** Pages of the members read for one page, where older processings drop out of them. */
const MAX_PAGES = 8;
/** Items of the members read at once: one response of an upstream. */
const CHUNK = 250;
/** Requests for other processings after which a page ends. */
const MAX_LOOKUPS = 64;

/**
 * One page of a search of a virtual collection: pages of its members, in the requested order, without the items of which
 * a newer processing exists. What is dropped is replaced from the pages that follow, so that pages are full; where too
 * many would have to be read for that, a page ends early with the token of what follows: it costs as much as one page of
 * the members at most, and a page of theirs that has ended early ends it too.
 *
 * Other processings are looked up without the conditions of the search: an older one does not come back because the
 * newer one does not match. A search by `ids` is answered as it was asked.
 *
 * @throws {CatalogError} as the catalog of the members does; `invalid-token` for a token of another search.
 */
export async function virtualPage(
  catalog: Catalog,
  collection: CollectionSchema,
  query: ItemQuery,
  { now, ...options }: CatalogOptions & { readonly now: () => number },
): Promise<ItemPage> {
  const mustEnd = pageEnd(now, true, options.maxItems);
  const { token: given, ...asked } = query;
  const hash = queryHash(query);
  const position = given === undefined ? undefined : fromToken("virtual", hash, isMemberToken, given);
  const backwards = position?.direction === "prev";
  const members = (collection.virtual?.members ?? []).map(({ id }) => id);
  const others = query.collections.filter((id) => id !== collection.id);
  const filter =
    query.filter === undefined || others.length > 0 ? query.filter : ofVirtual(query.filter, collection.id);
  const own = { ...asked, collections: [...members, ...others], ...(filter === undefined ? {} : { filter }) };
  const keepsAll = query.ids !== undefined && query.ids.length > 0;

  const lookup: Lookup = { catalog, collection, options, requests: 0 };
  const pages: ItemPage[] = [];
  let items: Item[] = [];
  let token = position?.values[0] as string | undefined;
  let passed = 0;
  let isCut = false;
  do {
    const limit = Math.min(query.limit - items.length, keepsAll ? query.limit : CHUNK);
    const page = await catalog.search({ ...own, limit, ...(token === undefined ? {} : { token }) }, options);
    const mine = page.items.filter((item) => members.includes(item.collection));
    const superseded = keepsAll ? undefined : await supersededItems(lookup, mine);
    const kept = page.items.filter((item) => superseded?.has(itemKey(item)) !== true);
    items = backwards ? [...kept, ...items] : [...items, ...kept];
    pages.push(page);
    passed += page.items.length;
    // a filter that is applied by the members has used up what one page may cost
    isCut = page.items.length < limit;
    token = backwards ? page.prev : page.next;
  } while (
    token !== undefined &&
    items.length < query.limit &&
    !isCut &&
    !mustEnd({ answers: pages.length, passed }) &&
    pages.length < MAX_PAGES + query.limit / CHUNK &&
    lookup.requests < MAX_LOOKUPS
  );

  const [near, far] = [pages[0], pages.at(-1)];
  const next = backwards ? near?.next : far?.next;
  const prev = backwards ? far?.prev : near?.prev;
  const tokenOf = (direction: "next" | "prev", memberToken: string | undefined): { [K in "next" | "prev"]?: string } =>
    memberToken === undefined ? {} : { [direction]: toToken("virtual", hash, { direction, values: [memberToken] }) };
  return {
    items: items.map((item) => (members.includes(item.collection) ? toVirtualItem(item, collection) : item)),
    // how many processings are older is known of all items only where they are all here
    ...(next === undefined && prev === undefined ? { numberMatched: items.length } : {}),
    ...tokenOf("next", next),
    ...tokenOf("prev", prev),
  };
}

function isMemberToken(values: readonly unknown[]): boolean {
  return values.length === 1 && typeof values[0] === "string";
}

/** A filter for the items of members: what it says of their collection is meant of the virtual one. */
function ofVirtual(filter: Filter, id: string): Filter {
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== "object" || value === null) return value;
    if ("property" in value && value.property === "collection" && !("op" in value)) return { literal: id };
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner)]));
  };
  return replaced(filter) as Filter;
}
