import type { ItemQuery, SortField } from "@swath/query";
import type { CatalogOptions, Gap, Place, PlacedPage } from "../catalog.ts";
import type { Item } from "../item/item.ts";
import { defined } from "../json.ts";
import { compareValues, fullOrder } from "../order/order.ts";
import { gapBeside } from "../order/ordered-gap.ts";
import type { SortValue } from "../order/token.ts";
import { type Member, memberGaps, toMergedGap } from "./merged-cursors.ts";
import { type Fetched, fetchMembers, type MemberLimits } from "./merged-fetch.ts";

/** An item that was taken, and the member that it is of. */
interface Taken {
  readonly item: Item;
  readonly values: readonly SortValue[];
  readonly member: number;
}

/**
 * One page of a search over several catalogs: a page of each from its own gap, merged by the values that decide the
 * order. Items that are not taken are requested again with the next page.
 *
 * A member that does not answer is missing from the page, which says so. It goes on beside the last item of the page, as
 * all do, so that it lacks from the walk what belongs between the items of that page, and nothing comes twice.
 *
 * @throws {CatalogError} as the members do where none answers; `invalid-token` for a place of other members.
 */
export async function mergedPage(
  members: readonly Member[],
  query: ItemQuery,
  place: Place | undefined,
  { maxItems, ...given }: CatalogOptions & MemberLimits,
): Promise<PlacedPage> {
  // the members share the items that a page may read
  const options = maxItems === undefined ? given : { ...given, maxItems: Math.floor(maxItems / members.length) };
  const backwards = place?.direction === "prev";
  const gaps = place === undefined ? undefined : memberGaps(members, place);
  const fetched = await fetchMembers(members, query.limit, { gaps, direction: place?.direction ?? "next" }, options);
  const taken = take(fetched, fullOrder(query.sortby), query.limit, backwards);
  const counts = members.map((_, i) => taken.filter(({ member }) => member === i).length);
  const isLeft = fetched.some(({ page, more }, i) => more || (counts[i] ?? 0) < (page?.items.length ?? 0));
  const items = backwards ? taken.toReversed() : taken;
  const gapAt: PlacedPage["gapAt"] = (index, towards) => {
    const passed = members.map((_, i) => items.slice(0, index).filter(({ member }) => member === i).length);
    const own = fetched.map((each, i) => {
      const gap = each.isMissing
        ? (gapAmong(items, index, towards) ?? each.from.gap)
        : gapOf(each, { passed: passed[i] ?? 0, count: counts[i] ?? 0, towards }, backwards);
      return { gap, count: each.page?.numberMatched ?? each.from.count };
    });
    return toMergedGap(members, own);
  };
  const sum = fetched.reduce((total, { page, from }) => total + (page?.numberMatched ?? from.count ?? Number.NaN), 0);
  const unreadable = fetched.reduce((total, { page }) => total + (page?.unreadable ?? 0), 0);
  const hasBefore = fetched.some(
    ({ from, page, isMissing }) => from.gap !== undefined && (isMissing || page?.hasPrev === true),
  );
  const missing = members.flatMap(({ name }, i) => (fetched[i]?.isMissing === true ? [name] : []));
  return {
    items: items.map(({ item }) => item),
    values: items.map(({ values }) => values),
    hasNext: backwards ? true : isLeft,
    hasPrev: backwards ? isLeft : hasBefore,
    gapAt,
    ...defined({
      numberMatched: Number.isNaN(sum) || missing.length > 0 ? undefined : sum,
      unreadable: unreadable === 0 ? undefined : unreadable,
      missing: missing.length === 0 ? undefined : missing,
    }),
  };
}

/**
 * The first items of all pages, or the last ones, in the direction of the walk. Ends early where a member's page ends that
 * is not its last, since what follows there may come before what the others have.
 */
function take(fetched: readonly Fetched[], order: readonly SortField[], limit: number, backwards: boolean): Taken[] {
  const rows = fetched.map(({ page }, member) => {
    const own = (page?.items ?? []).map((item, i): Taken => ({ item, values: page?.values[i] ?? [], member }));
    return backwards ? own.reverse() : own;
  });
  const counts = fetched.map(() => 0);
  const taken: Taken[] = [];
  while (taken.length < limit) {
    if (fetched.some(({ more }, i) => more && (counts[i] ?? 0) >= (rows[i]?.length ?? 0))) break;
    const [first, ...others] = rows.flatMap((own, member) => own[counts[member] ?? 0] ?? []);
    if (first === undefined) break;
    const best = others.reduce((a, b) => {
      const difference = compareValues(b.values, a.values, order);
      return (backwards ? -difference : difference) < 0 ? b : a;
    }, first);
    taken.push(best);
    counts[best.member] = (counts[best.member] ?? 0) + 1;
  }
  return taken;
}

/** The gap before the item at `index` of a page, beside the item that the walk leaves; `undefined` in a page of none. */
function gapAmong(items: readonly Taken[], index: number, towards: Place["direction"]): Gap | undefined {
  const [before, behind] = [items[index - 1], items[index]];
  if (before !== undefined && (towards === "next" || behind === undefined)) return gapBeside("after", before.values);
  return behind === undefined ? undefined : gapBeside("before", behind.values);
}

/**
 * A member's gap at a place in the merged page; `undefined` before its first item.
 *
 * @param passed items of the member before the place, of those that were taken.
 * @param count items of it that were taken.
 */
function gapOf(
  { from, page, more }: Fetched,
  { passed, count, towards }: { readonly passed: number; readonly count: number; readonly towards: Place["direction"] },
  backwards: boolean,
): Gap | undefined {
  if (page === undefined) return from.gap;
  const { items, gapAt } = page;
  if (count === 0) return items.length === 0 && more ? gapAt(0, towards) : from.gap;
  // the last items of a page that was read backwards were taken
  const index = backwards ? items.length - count + passed : passed;
  const isFirst = index === 0 && (backwards ? !more : from.gap === undefined);
  return isFirst ? undefined : gapAt(index, towards);
}
