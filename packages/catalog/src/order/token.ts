import { MAX_TOKEN_LENGTH } from "@swath/query";
import { CatalogError } from "../errors.ts";

/** A sort value of an item as a token carries it; `null` where the item has none. */
export type SortValue = string | number | boolean | null;

/** A value in a token: a sort value, or a list of such values. */
export type TokenValue = SortValue | readonly TokenValue[];

/** The position of a page: what follows (`next`) or precedes (`prev`) a place in the sort order, which `values` describe. */
export interface PagePosition {
  readonly direction: "next" | "prev";
  readonly values: readonly TokenValue[];
}

/** The kind of catalogue that made a token; another kind does not take it. */
export type TokenOwner = "archive" | "upstream" | "merged" | "virtual";

const VERSION = 1;

/**
 * A hash of everything that a token must not outlive: the search without its page size and token. 64 bits
 * (FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/) in base 36: it guards against mistakes, not against malice.
 */
export function queryHash(query: object): string {
  const { limit: _limit, token: _token, ...rest } = query as Record<string, unknown>;
  const text = stableJson(rest);
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  }
  return hash.toString(36);
}

/**
 * The opaque token: base64url of JSON. `fromToken(toToken(p))` equals `p`.
 *
 * @throws {CatalogError} `unavailable` for values that are too long, such as an upstream's own token of many kilobytes.
 */
export function toToken(owner: TokenOwner, hash: string, { direction, values }: PagePosition): string {
  const bytes = new TextEncoder().encode(JSON.stringify([VERSION, owner[0], hash, direction[0], values]));
  const token = btoa(String.fromCharCode(...bytes.slice(0, MAX_TOKEN_LENGTH)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  if (token.length <= MAX_TOKEN_LENGTH) return token;
  throw new CatalogError("unavailable", "The upstream's paging token is too long to go on from this page.");
}

/**
 * @param fits whether the values are of the kind that this catalogue writes.
 * @throws {CatalogError} `invalid-token` for text that is no token, is of another kind of catalogue, or belongs to a
 *   search with another hash.
 */
export function fromToken(
  owner: TokenOwner,
  hash: string,
  fits: (values: readonly TokenValue[]) => boolean,
  token: string,
): PagePosition {
  const parts = decoded(token);
  if (!Array.isArray(parts) || parts.length !== 5) throw invalid("The token is not one of this service.");
  const [version, by, of, direction, values]: unknown[] = parts;
  if (version !== VERSION || by !== owner[0]) throw invalid("The token is not one of this service.");
  if (of !== hash) throw invalid("The token belongs to a search with other parameters; start again without it.");
  if ((direction !== "n" && direction !== "p") || !isTokenValues(values) || !fits(values)) {
    throw invalid("The token is not one of this service.");
  }
  return { direction: direction === "n" ? "next" : "prev", values };
}

/** Lists in a token are nested no deeper than this: a page of a virtual collection holds a gap of each of its upstreams. */
const MAX_DEPTH = 7;

function isTokenValues(values: unknown, depth = 1): values is TokenValue[] {
  return (
    Array.isArray(values) &&
    depth <= MAX_DEPTH &&
    values.every((value) => isSortValue(value) || isTokenValues(value, depth + 1))
  );
}

export function isSortValue(value: unknown): value is SortValue {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function decoded(token: string): unknown {
  if (token.length > MAX_TOKEN_LENGTH || !/^[A-Za-z0-9_-]+$/.test(token)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(token.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function invalid(message: string): CatalogError {
  return new CatalogError("invalid-token", message);
}

/** JSON with object members in order of their names, so that equal values have equal text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === "bigint") return `${inner}n`;
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
