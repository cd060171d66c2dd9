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
 * A cursor among the items of one member: before its first item, at a token of its own, or behind its last item. Behind
 * the last there is no token, so the cursor remembers with which token a page began that reached the end; `closed` where
 * the member has no way back from there.
 */
export type MemberCursor =
  | { readonly kind: "start" }
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "end"; readonly from: string | undefined }
  | { readonly kind: "closed" };

/** A cursor, and how many items of the member match, for pages that do not query it. */
export interface CountedCursor {
  readonly cursor: MemberCursor;
  readonly count: number | undefined;
}

/** The position of a merged page in each member. */
export interface MergedPosition {
  readonly direction: "next" | "prev";
  readonly cursors: readonly CountedCursor[];
}

/** Values of a member in a token: name, kind, the member's own token, count. */
const WIDTH = 4;

/** The token of a merged page: the cursors of the members in their order. */
export function toMergedToken(
  hash: string,
  members: readonly Member[],
  { direction, cursors }: MergedPosition,
): string {
  const values = members.flatMap(({ name }, i): SortValue[] => {
    const { cursor, count } = cursors[i] ?? { cursor: { kind: "start" }, count: undefined };
    const token = cursor.kind === "token" ? cursor.token : cursor.kind === "end" ? cursor.from : undefined;
    return [name, cursor.kind, token ?? null, count ?? null];
  });
  return toToken("merged", hash, { direction, values });
}

/** @throws {CatalogError} `invalid-token` for a token of another search, or of other members. */
export function fromMergedToken(hash: string, members: readonly Member[], token: string): MergedPosition {
  const { direction, values } = fromToken("merged", hash, (all) => all.length === members.length * WIDTH, token);
  const cursors = members.map(({ name }, i): CountedCursor => {
    const [owner, kind, own, count] = values.slice(i * WIDTH, (i + 1) * WIDTH);
    const cursor = owner === name ? cursorOf(kind, own) : undefined;
    if (cursor === undefined) throw new CatalogError("invalid-token", "The token is not one of this service.");
    return { cursor, count: typeof count === "number" && Number.isSafeInteger(count) ? count : undefined };
  });
  return { direction, cursors };
}

function cursorOf(kind: SortValue | undefined, token: SortValue | undefined): MemberCursor | undefined {
  if (kind === "start" || kind === "closed") return { kind };
  if (kind === "token") return typeof token === "string" ? { kind, token } : undefined;
  return kind === "end" ? { kind, from: typeof token === "string" ? token : undefined } : undefined;
}
