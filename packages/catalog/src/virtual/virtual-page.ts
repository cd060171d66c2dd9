import type { Filter, ItemQuery } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import type { CatalogOptions, Gap, MergeableCatalog, Place, PlacedPage } from "../catalog.ts";
import { CatalogError } from "../errors.ts";
import type { Item } from "../item/item.ts";
import { itemKey } from "../item/processings.ts";
import { defined } from "../json.ts";
import { pageEnd } from "../order/page-end.ts";
import { isGap } from "../order/placed-page.ts";
import type { SortValue } from "../order/token.ts";
import { type Lookup, supersededItems } from "./superseded.ts";
import { toVirtualItem } from "./virtual-item.ts";

/** Pages of the members read for one page, where older processings drop out of them. */
const MAX_PAGES = 8;
/** Pages of them where the items that may be read are bounded: each may read its part. */
const BOUNDED_PAGES = 4;
/** Items of the members read at once: one response of an upstream. */
const CHUNK = 250;
/** Requests for other processings after which a page ends. */
const MAX_LOOKUPS = 64;

/** An item that stays, and where it stands in a page of the members. */
interface Kept {
  readonly item: Item;
  readonly values: readonly SortValue[];
  readonly page: PlacedPage;
  readonly index: number;
}

/** The beginning of a page of a virtual collection: in the pages of its members, after this many items of its own. */
interface VirtualGap {
  readonly gap: Gap | undefined;
  /** Items before it, where they were counted. */
  readonly before: number | undefined;
}

/**
 * One page of a search of a virtual collection: pages of its members, in the requested order, without the items of which
 * a newer processing exists. What is dropped is replaced from the pages that follow, so that pages are full and it is known
 * whether an item follows; where too many would have to be read for that, a page ends early with the place of what
 * follows: it costs as much as one page of the members at most, and a page of theirs that has ended early ends it too.
 *
 * Other processings are looked up without the conditions of the search: an older one does not come back because the
 * newer one does not match. A search by `ids` is answered as it was asked. An upstream that did not answer once is not
 * asked again for the same page.
 *
 * @throws {CatalogError} as the catalog of the members does; `invalid-token` for a place of another search.
 */
export async function virtualPage(
  catalog: MergeableCatalog,
  collection: CollectionSchema,
  query: ItemQuery,
  place: Place | undefined,
  { now, signal, maxItems, onRead, without = [] }: CatalogOptions & { readonly now: () => number },
): Promise<PlacedPage> {
  const missing = new Set(without);
  const mustEnd = pageEnd(now, true);
  const options = {
    signal,
    onRead,
    ...(maxItems === undefined ? {} : { maxItems: Math.floor(maxItems / BOUNDED_PAGES) }),
  };
  const maxPages = maxItems === undefined ? MAX_PAGES + query.limit / CHUNK : BOUNDED_PAGES;
  const direction = place?.direction ?? "next";
  const backwards = direction === "prev";
  const from = place === undefined ? { gap: undefined, before: 0 } : virtualGap(place);
  const members = (collection.virtual?.members ?? []).map(({ id }) => id);
  const own = memberQuery(query, collection, members);
  const keepsAll = query.ids !== undefined;
  const lookup: Lookup = { catalog, collection, signal, missing, requests: 0 };
  const kept: Kept[] = [];
  let [gap, passed, pages, unreadable] = [from.gap, 0, 0, 0];
  let last: PlacedPage;
  let isCut: boolean;
  let more: boolean;
  do {
    const limit = Math.min(query.limit + 1 - kept.length, keepsAll ? query.limit + 1 : CHUNK);
    const at = gap === undefined ? undefined : { gap, direction };
    last = await catalog.searchAt({ ...own, limit }, at, { ...options, without: [...missing] });
    for (const name of last.missing ?? []) missing.add(name);
    const stays = await staying(last, members, keepsAll ? undefined : lookup);
    const found = last.items.flatMap((item, index): Kept[] =>
      stays(item) ? [{ item, values: last.values[index] ?? [], page: last, index }] : [],
    );
    kept.push(...(backwards ? found.reverse() : found));
    passed += last.items.length;
    pages += 1;
    unreadable += last.unreadable ?? 0;
    // a filter that is applied by the members has used up what one page may cost
    isCut = last.items.length < limit;
    more = backwards ? last.hasPrev : last.hasNext;
    gap = last.gapAt(backwards ? 0 : last.items.length, direction);
  } while (
    more &&
    kept.length <= query.limit &&
    !isCut &&
    !mustEnd({ answers: pages, passed }) &&
    pages < maxPages &&
    lookup.requests < MAX_LOOKUPS
  );
  const hasFurther = kept.length > query.limit || more;
  const taken = kept.slice(0, query.limit);
  const items = backwards ? taken.reverse() : taken;
  const far = kept.length > query.limit ? undefined : gap;
  const isStart = backwards && !hasFurther;
  const isLacking = unreadable > 0 || missing.size > 0;
  const first = isLacking ? undefined : firstOf(from, backwards, isStart, items.length);
  const gapAt = (index: number, towards: Place["direction"]): VirtualGap => {
    const before = first === undefined ? undefined : first + index;
    if (index === 0 && isStart) return { gap: undefined, before: 0 };
    if (far !== undefined && index === (backwards ? 0 : items.length)) return { gap: far, before };
    const [previous, next] = [items[index - 1], items[index]];
    if (previous !== undefined && !(backwards && next !== undefined)) {
      return { gap: previous.page.gapAt(previous.index + 1, towards), before };
    }
    return next === undefined ? { ...from, before } : { gap: next.page.gapAt(next.index, towards), before };
  };
  // how many processings are older is known of all items only at the end of a walk from the first one on
  const numberMatched = !hasFurther && !backwards && first !== undefined ? first + items.length : undefined;
  return {
    items: items.map(({ item }) => (members.includes(item.collection) ? toVirtualItem(item, collection) : item)),
    values: items.map(({ values }) => values),
    hasNext: backwards ? true : hasFurther,
    hasPrev: backwards ? hasFurther : from.gap !== undefined && from.before !== 0,
    gapAt: (index, towards) => toGap(gapAt(index, towards)),
    ...defined({
      numberMatched,
      unreadable: unreadable === 0 ? undefined : unreadable,
      missing: missing.size === 0 ? undefined : [...missing],
    }),
  };
}

/** Items before a page that lacks nothing, where they were counted. */
function firstOf({ before }: VirtualGap, backwards: boolean, isStart: boolean, count: number): number | undefined {
  if (isStart) return 0;
  if (!backwards) return before;
  return before === undefined ? undefined : Math.max(0, before - count);
}

function toGap({ gap, before }: VirtualGap): Gap {
  return [gap ?? [], before ?? null];
}

/** @throws {CatalogError} `invalid-token` for the place of another catalog. */
function virtualGap({ gap: [gap, before, ...others] }: Place): VirtualGap {
  if (!isGap(gap) || others.length > 0)
    throw new CatalogError("invalid-token", "The token is not one of this service.");
  return { gap: gap.length === 0 ? undefined : gap, before: typeof before === "number" ? before : undefined };
}

/** Whether an item of a page stays: no newer processing of it exists. */
async function staying(
  page: PlacedPage,
  members: readonly string[],
  lookup: Lookup | undefined,
): Promise<(item: Item) => boolean> {
  if (lookup === undefined) return () => true;
  const superseded = await supersededItems(
    lookup,
    page.items.filter((item) => members.includes(item.collection)),
  );
  return (item) => !superseded.has(itemKey(item));
}

/** The search of the members: what it says of their collection is meant of the virtual one. */
function memberQuery(query: ItemQuery, collection: CollectionSchema, members: readonly string[]): ItemQuery {
  const others = query.collections.filter((id) => id !== collection.id);
  const { filter } = query;
  if (filter === undefined || others.length > 0) return { ...query, collections: [...members, ...others] };
  return { ...query, collections: [...members, ...others], filter: ofVirtual(filter, collection.id) };
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
