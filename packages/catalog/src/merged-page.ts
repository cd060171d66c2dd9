import type { ItemQuery, SortField } from "@swath/query";
import type { CatalogOptions, Gap, Place, PlacedPage } from "./catalog.ts";
import type { Item } from "./item.ts";
import { defined } from "./json.ts";
import { type Member, type MemberGap, memberGaps, toMergedGap } from "./merged-cursors.ts";
import { compareValues, fullOrder } from "./order.ts";
import type { SortValue } from "./token.ts";

/** What one member has to give to a page. */
interface Fetched {
  readonly from: MemberGap;
  /** Absent where the member has nothing in the direction of the walk. */
  readonly page: PlacedPage | undefined;
  /** Whether the member has items beyond its page, in the direction of the walk. */
  readonly more: boolean;
}

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
 * @throws {CatalogError} as the members do; `invalid-token` for a place of other members.
 */
export async function mergedPage(
  members: readonly Member[],
  query: ItemQuery,
  place: Place | undefined,
  options: CatalogOptions,
): Promise<PlacedPage> {
  const backwards = place?.direction === "prev";
  const gaps = place === undefined ? undefined : memberGaps(members, place);
  const fetched = await Promise.all(
    members.map(async ({ catalog, query: own }, i): Promise<Fetched> => {
      const from = gaps?.[i] ?? { gap: undefined, count: undefined };
      // nothing is before the first item
      if (from.gap === undefined && backwards) return { from, page: undefined, more: false };
      const at = from.gap === undefined ? undefined : { gap: from.gap, direction: place?.direction ?? "next" };
      const page = await catalog.searchAt({ ...own, limit: query.limit }, at, options);
      return { from, page, more: backwards ? page.hasPrev : page.hasNext };
    }),
  );
  const taken = take(fetched, fullOrder(query.sortby), query.limit, backwards);
  const counts = members.map((_, i) => taken.filter(({ member }) => member === i).length);
  const isLeft = fetched.some(({ page, more }, i) => more || (counts[i] ?? 0) < (page?.items.length ?? 0));
  const items = backwards ? taken.toReversed() : taken;
  const gapAt = (index: number): Gap => {
    const passed = members.map((_, i) => items.slice(0, index).filter(({ member }) => member === i).length);
    const own = fetched.map((each, i) => {
      const gap = gapOf(each, passed[i] ?? 0, counts[i] ?? 0, backwards);
      return { gap, count: each.page?.numberMatched ?? each.from.count };
    });
    return toMergedGap(members, own);
  };
  const sum = fetched.reduce((total, { page, from }) => total + (page?.numberMatched ?? from.count ?? Number.NaN), 0);
  const unreadable = fetched.reduce((total, { page }) => total + (page?.unreadable ?? 0), 0);
  const hasBefore = fetched.some(({ from, page }) => from.gap !== undefined && page?.hasPrev === true);
  return {
    items: items.map(({ item }) => item),
    values: items.map(({ values }) => values),
    hasNext: backwards ? true : isLeft,
    hasPrev: backwards ? isLeft : hasBefore,
    gapAt,
    ...defined({
      numberMatched: Number.isNaN(sum) ? undefined : sum,
      unreadable: unreadable === 0 ? undefined : unreadable,
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

/**
 * A member's gap at a place in the merged page; `undefined` before its first item.
 *
 * @param passed items of the member before the place, of those that were taken.
 * @param count items of it that were taken.
 */
function gapOf({ from, page, more }: Fetched, passed: number, count: number, backwards: boolean): Gap | undefined {
  if (page === undefined) return from.gap;
  const { items, gapAt } = page;
  if (count === 0) return items.length === 0 && more ? gapAt(0) : from.gap;
  // of a page that was read backwards the last items were taken
  const index = backwards ? items.length - count + passed : passed;
  const isFirst = index === 0 && (backwards ? !more : from.gap === undefined);
  return isFirst ? undefined : gapAt(index);
}
