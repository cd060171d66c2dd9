import type { CatalogOptions, TokenPage } from "./catalog.ts";
import type { Member, MemberCursor } from "./merged-cursors.ts";

const NOTHING: TokenPage = { items: [], tokenAt: () => undefined };
/** The longest page a search gives: what was one page away from the end is found again with one page. */
const LONGEST_PAGE = 1000;
/** Pages read to find the end of a member again, where items have arrived or a filter cut the first page short. */
const MAX_PAGES = 3;

type Ask = (token: string | undefined, limit: number) => Promise<TokenPage>;

/** The member's items after the cursor, or those before it, at most `limit`. */
export async function fetchPage(
  { catalog, query }: Member,
  cursor: MemberCursor,
  backwards: boolean,
  limit: number,
  options: CatalogOptions,
): Promise<TokenPage> {
  const ask: Ask = (token, size) => {
    const { token: _, ...rest } = query;
    return catalog.searchWithTokens({ ...rest, limit: size, ...(token === undefined ? {} : { token }) }, options);
  };
  if (cursor.kind === "token") return ask(cursor.token, limit);
  if (cursor.kind === "start") return backwards ? NOTHING : ask(undefined, limit);
  if (cursor.kind === "closed") return NOTHING;
  return backwards ? lastPage(cursor.from, limit, ask) : NOTHING;
}

/** The last `limit` items of a member, of which a page that begins at `from` is near the end. */
async function lastPage(from: string | undefined, limit: number, ask: Ask): Promise<TokenPage> {
  let last = await ask(from, LONGEST_PAGE);
  for (let pages = 1; pages < MAX_PAGES && last.next !== undefined; pages++) {
    const following = await ask(last.next, LONGEST_PAGE);
    if (following.items.length === 0) break;
    last = following;
  }
  const { next: _, ...page } = lastOf(last, limit);
  if (page.items.length >= limit || page.prev === undefined) return page;
  const before = lastOf(await ask(page.prev, limit), limit - page.items.length);
  const { prev: _prev, ...rest } = page;
  return {
    ...rest,
    items: [...before.items, ...page.items],
    ...(before.prev === undefined ? {} : { prev: before.prev }),
    tokenAt: (index, direction) =>
      index < before.items.length
        ? before.tokenAt(index, direction)
        : page.tokenAt(index - before.items.length, direction),
  };
}

/** The page without all but its last items. */
function lastOf(page: TokenPage, count: number): TokenPage {
  const skipped = page.items.length - count;
  if (skipped <= 0) return page;
  const { prev: _, ...rest } = page;
  const prev = page.tokenAt(skipped, "prev");
  return {
    ...rest,
    items: page.items.slice(skipped),
    ...(prev === undefined ? {} : { prev }),
    tokenAt: (index, direction) => page.tokenAt(skipped + index, direction),
  };
}
