import type { CatalogOptions, TokenPage } from "./catalog.ts";
import type { Member, Place } from "./merged-place.ts";

const NOTHING: TokenPage = { items: [], tokenAt: () => undefined };
/** Pages read to find the end of a member again: it was one page away when the place was noted. */
const MAX_PAGES = 20;

type Ask = (token: string | undefined) => Promise<TokenPage>;

/** The member's items after the place, or those before it, at most `limit`. */
export async function fetchPage(
  { catalog, query }: Member,
  place: Place,
  backwards: boolean,
  limit: number,
  options: CatalogOptions,
): Promise<TokenPage> {
  const ask: Ask = (token) => {
    const { token: _, ...rest } = query;
    return catalog.searchWithTokens({ ...rest, limit, ...(token === undefined ? {} : { token }) }, options);
  };
  if (place.kind === "token") return ask(place.token);
  if (place.kind === "start") return backwards ? NOTHING : ask(undefined);
  return backwards ? lastPage(place.from, limit, ask) : NOTHING;
}

/** The last `limit` items of a member, of which a page that begins at `from` is near the end. */
async function lastPage(from: string | undefined, limit: number, ask: Ask): Promise<TokenPage> {
  let last = await ask(from);
  for (let i = 0; i < MAX_PAGES && last.next !== undefined; i++) {
    const following = await ask(last.next);
    if (following.items.length === 0) break;
    last = following;
  }
  return fillBefore(last, limit, ask);
}

/** The page, with items from before it up to `limit`, since the last page of a member may hold few. */
async function fillBefore(last: TokenPage, limit: number, ask: Ask): Promise<TokenPage> {
  if (last.items.length >= limit || last.prev === undefined) return last;
  const { prev, next: _, ...page } = last;
  const before = await ask(prev);
  const missing = Math.min(limit - page.items.length, before.items.length);
  const skipped = before.items.length - missing;
  const beyond = skipped > 0 ? before.tokenAt(skipped, "prev") : before.prev;
  return {
    ...page,
    items: [...before.items.slice(skipped), ...page.items],
    ...(beyond === undefined ? {} : { prev: beyond }),
    tokenAt: (index, direction) =>
      index < missing ? before.tokenAt(skipped + index, direction) : page.tokenAt(index - missing, direction),
  };
}
