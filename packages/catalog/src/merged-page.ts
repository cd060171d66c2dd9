import type { ItemQuery, SortField } from "@swath/query";
import type { CatalogOptions, ItemPage, TokenPage } from "./catalog.ts";
import type { Item } from "./item.ts";
import { defined } from "./json.ts";
import {
  type CountedCursor,
  fromMergedToken,
  type Member,
  type MemberCursor,
  toMergedToken,
} from "./merged-cursors.ts";
import { fetchPage } from "./merged-fetch.ts";
import { compareValues, fullOrder, sortValues } from "./order.ts";
import { queryHash, tokenIfShort } from "./token.ts";

/** What one member has to give to a page. */
interface Fetched {
  readonly member: Member;
  readonly cursor: MemberCursor;
  readonly page: TokenPage;
  /** Whether the member has items beyond its page, in the direction of the walk. */
  readonly more: boolean;
  readonly count: number | undefined;
}

/**
 * One page of a search over several catalogs: a page of each from its own cursor, merged by the values that decide the
 * order. Items that are not taken are requested again with the next page.
 *
 * @throws {CatalogError} as the members do; `invalid-token` for a token of another search or of other members.
 */
export async function mergedPage(
  members: readonly Member[],
  query: ItemQuery,
  { maxItems, ...given }: CatalogOptions,
): Promise<ItemPage> {
  // what a page may read is shared by its members
  const options = maxItems === undefined ? given : { ...given, maxItems: Math.floor(maxItems / members.length) };
  const hash = queryHash(query);
  const position = query.token === undefined ? undefined : fromMergedToken(hash, members, query.token);
  const backwards = position?.direction === "prev";
  const fetched = await Promise.all(
    members.map(async (member, i): Promise<Fetched> => {
      const { cursor, count }: CountedCursor = position?.cursors[i] ?? { cursor: { kind: "start" }, count: undefined };
      const page = await fetchPage(member, cursor, backwards, query.limit, options);
      const more = (backwards ? page.prev : page.next) !== undefined;
      return { member, cursor, page, more, count: page.numberMatched ?? count };
    }),
  );
  const { items, counts } = take(fetched, fullOrder(query.sortby), query.limit, backwards);
  const taken = (i: number): number => counts[i] ?? 0;
  const isLeft = fetched.some(({ page, more }, i) => more || taken(i) < page.items.length);
  const onwards = isLeft
    ? await Promise.all(fetched.map((each, i) => cursorOnwards(each, taken(i), backwards, options)))
    : [];
  const behind = position === undefined ? [] : fetched.map((each) => cursorBehind(each, backwards));
  const tokenOf = (direction: "next" | "prev"): string | undefined => {
    const cursors = (direction === "next") === backwards ? behind : onwards;
    if (cursors.length === 0 || cursors.includes(undefined)) return undefined;
    const counted = (cursors as MemberCursor[]).map((cursor, i) => ({ cursor, count: fetched[i]?.count }));
    return toMergedToken(hash, members, { direction, cursors: counted });
  };
  const next = tokenOf("next");
  const prev = tokenIfShort(() => tokenOf("prev"));
  const sum = fetched.reduce((total, { count }) => total + (count ?? Number.NaN), 0);
  return { items, ...(Number.isNaN(sum) ? {} : { numberMatched: sum }), ...defined({ next, prev }) };
}

interface Taken {
  readonly items: readonly Item[];
  /** How many items of each member were taken. */
  readonly counts: readonly number[];
}

/**
 * The first items of all pages, or the last ones, in order. Ends early where a member's page ends that is not its last,
 * since what follows there may come before what the others have.
 */
function take(fetched: readonly Fetched[], order: readonly SortField[], limit: number, backwards: boolean): Taken {
  const rows = fetched.map(({ page }) => {
    const own = page.items.map((item) => ({ item, values: sortValues(item, order) }));
    return backwards ? own.reverse() : own;
  });
  const counts = fetched.map(() => 0);
  const items: Item[] = [];
  while (items.length < limit) {
    if (fetched.some(({ more }, i) => more && (counts[i] ?? 0) >= (rows[i]?.length ?? 0))) break;
    const heads = rows.flatMap((own, member) => {
      const head = own[counts[member] ?? 0];
      return head === undefined ? [] : [{ ...head, member }];
    });
    const [first, ...others] = heads;
    if (first === undefined) break;
    const best = others.reduce((a, b) => {
      const difference = compareValues(b.values, a.values, order);
      return (backwards ? -difference : difference) < 0 ? b : a;
    }, first);
    items.push(best.item);
    counts[best.member] = (counts[best.member] ?? 0) + 1;
  }
  return { items: backwards ? items.reverse() : items, counts };
}

/** Where the next page of a member starts: behind the items that were taken of its page. */
async function cursorOnwards(
  { member, cursor, page, more }: Fetched,
  taken: number,
  backwards: boolean,
  options: CatalogOptions,
): Promise<MemberCursor | undefined> {
  if (taken === 0) return cursor;
  if (taken === page.items.length) {
    const token = backwards ? page.prev : page.next;
    if (more) return token === undefined ? undefined : { kind: "token", token };
    if (backwards) return { kind: "start" };
    if (cursor.kind !== "token") return { kind: "end", from: undefined };
    return page.prev === undefined ? { kind: "closed" } : { kind: "end", from: cursor.token };
  }
  const token = backwards ? page.tokenAt(page.items.length - taken, "prev") : page.tokenAt(taken - 1, "next");
  if (token !== undefined) return { kind: "token", token };
  if (backwards) return undefined;
  // a catalog that names only the ends of its pages gets a request for a page that ends there
  const { next } = await fetchPage(member, cursor, false, taken, options);
  return next === undefined ? undefined : { kind: "token", token: next };
}

/** The same cursor for a walk in the other direction; `undefined` where the member cannot turn there. */
function cursorBehind({ cursor, page, more }: Fetched, backwards: boolean): MemberCursor | undefined {
  if (cursor.kind === "closed") return undefined;
  if (cursor.kind !== "token") return cursor;
  if (page.items.length === 0) return backwards && !more ? { kind: "start" } : undefined;
  const token = backwards ? page.tokenAt(page.items.length - 1, "next") : page.tokenAt(0, "prev");
  return token === undefined ? undefined : { kind: "token", token };
}
