import type { Catalog, Gap, ItemPage, MergeableCatalog, Place, PlacedPage } from "../catalog.ts";
import { defined } from "../json.ts";
import { START, toGap } from "./ordered-gap.ts";
import { fromToken, queryHash, type TokenOwner, type TokenValue, toToken } from "./token.ts";

/** Searches by tokens in a catalog that is searched by places. */
export function searchByToken(owner: TokenOwner, searchAt: MergeableCatalog["searchAt"]): Catalog["search"] {
  return async (query, options = {}) => {
    const { token, ...search } = query;
    const hash = queryHash(search);
    return toItemPage(owner, hash, await searchAt(search, placeOf(owner, hash, token), options));
  };
}

/** @throws {CatalogError} `invalid-token` for a token of another search, or of another kind of catalog. */
export function placeOf(owner: TokenOwner, hash: string, token: string | undefined): Place | undefined {
  if (token === undefined) return undefined;
  const { direction, values } = fromToken(owner, hash, (all) => all.length > 0, token);
  return { direction, gap: values };
}

/** Whether a value of a token is the gap of a catalog. */
export function isGap(value: TokenValue | undefined): value is Gap {
  return Array.isArray(value);
}

/** The page with tokens. */
export function toItemPage(owner: TokenOwner, hash: string, page: PlacedPage): ItemPage {
  const { items, numberMatched, hasNext, hasPrev, unreadable, missing } = page;
  const tokenOf = (direction: "next" | "prev"): string =>
    toToken(owner, hash, { direction, values: page.gapAt(direction === "next" ? items.length : 0, direction) });
  return {
    items,
    ...defined({
      numberMatched,
      next: hasNext ? tokenOf("next") : undefined,
      prev: hasPrev ? tokenOf("prev") : undefined,
      unreadable,
      missing,
    }),
  };
}

/** A page of nothing: nothing matches. */
export const NOTHING: PlacedPage = {
  items: [],
  values: [],
  numberMatched: 0,
  hasPrev: false,
  hasNext: false,
  gapAt: () => toGap(START),
};
