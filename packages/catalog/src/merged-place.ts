import type { ItemQuery } from "@swath/query";
import type { MergeableCatalog } from "./catalog.ts";
import { CatalogError } from "./errors.ts";
import { fromToken, type SortValue, toToken } from "./token.ts";

/** A catalog with its part of a search. */
export interface Member {
  readonly name: string;
  readonly catalog: MergeableCatalog;
  /** The search on the member's own collections; its token is not used. */
  readonly query: ItemQuery;
}

/**
 * A place among the items of one member: before its first item, at a token of its own, or behind its last item. Behind
 * the last there is no token, so the place remembers with which token a page began that reached the end.
 */
export type Place =
  | { readonly kind: "start" }
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "end"; readonly from: string | undefined };

/** A place, and how many items of the member match, for pages that do not ask it. */
export interface CountedPlace {
  readonly place: Place;
  readonly count: number | undefined;
}

/** Where a merged page stands in each member. */
export interface MergedPosition {
  readonly direction: "next" | "prev";
  readonly places: readonly CountedPlace[];
}

/** Values of a member in a token: name, kind, the member's own token, count. */
const WIDTH = 4;

/** The token of a merged page: the places of the members in their order. */
export function toMergedToken(hash: string, members: readonly Member[], { direction, places }: MergedPosition): string {
  const values = members.flatMap(({ name }, i): SortValue[] => {
    const { place, count } = places[i] ?? { place: { kind: "start" }, count: undefined };
    const token = place.kind === "token" ? place.token : place.kind === "end" ? place.from : undefined;
    return [name, place.kind, token ?? null, count ?? null];
  });
  return toToken("merged", hash, { direction, values });
}

/** @throws {CatalogError} `invalid-token` for a token of another search, or of other members. */
export function fromMergedToken(hash: string, members: readonly Member[], token: string): MergedPosition {
  const { direction, values } = fromToken("merged", hash, (all) => all.length === members.length * WIDTH, token);
  const places = members.map(({ name }, i): CountedPlace => {
    const [owner, kind, own, count] = values.slice(i * WIDTH, (i + 1) * WIDTH);
    const place = owner === name ? placeOf(kind, own) : undefined;
    if (place === undefined) throw new CatalogError("invalid-token", "The token is not one of this service.");
    return { place, count: typeof count === "number" && Number.isSafeInteger(count) ? count : undefined };
  });
  return { direction, places };
}

function placeOf(kind: SortValue | undefined, token: SortValue | undefined): Place | undefined {
  if (kind === "start") return { kind };
  if (kind === "token") return typeof token === "string" ? { kind, token } : undefined;
  return kind === "end" ? { kind, from: typeof token === "string" ? token : undefined } : undefined;
}
