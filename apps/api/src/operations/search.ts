import { CatalogError, type Counts, countItems, type ItemPage } from "@swath/catalog";
import type { PageTokens } from "@swath/catalog/node";
import { scopedQuery, searchNames, unknownCollection } from "@swath/engine/search";
import {
  FILTER_PARAMETERS,
  type Fields,
  type InputLocation,
  type ItemQuery,
  parseSearch,
  QueryError,
  SEARCH_PARAMETERS,
  type Search,
} from "@swath/query";
import type { CountRequest } from "@swath/query/aggregation";
import type { CollectionMatch, CollectionRegistry } from "@swath/schema";
import { ProblemError } from "../errors/problems.ts";
import type { SearchParts } from "./services.ts";

export interface SearchInput {
  /** Parameters as they came: text in a query, JSON values in a body. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The part of the request that they came from, which decides their syntax and the pointers of errors. */
  readonly from: InputLocation["in"];
  /** The collection of the path, which the search is restricted to. */
  readonly collection?: CollectionMatch;
  /** Whether CQL2 filters are taken. */
  readonly takesFilters?: boolean;
  /** Most items per page: a larger `limit` is taken as this. Default: what the grammar allows. */
  readonly maxLimit?: number;
  /** Most items that a page reads of upstreams. Default: what the catalog allows. */
  readonly maxItems?: number;
  /** Asked for once the parameters and the token are taken, before the search: what it throws is the answer. */
  readonly admit?: () => Promise<void>;
}

export interface SearchResult {
  readonly page: ItemPage;
  /** Members of items to return; `undefined`: all. */
  readonly fields: Fields | undefined;
}

/**
 * Searches items.
 *
 * @throws {QueryError} or {ProblemError} with what is wrong with the parameters; {CatalogError}
 */
export async function searchItems(
  { catalog, registry, pageTokens }: SearchParts,
  input: SearchInput,
  { signal }: { readonly signal: AbortSignal },
): Promise<SearchResult> {
  const { query: asked, fields } = readSearch(input, registry, SEARCH_PARAMETERS);
  const query = { ...asked, limit: Math.min(asked.limit, input.maxLimit ?? asked.limit) };
  try {
    const { token } = query;
    const own = token === undefined ? query : { ...query, token: pageTokens.read(token) };
    await input.admit?.();
    const page = await catalog.search(own, { signal, maxItems: input.maxItems });
    return { page: signedPage(page, pageTokens), fields };
  } catch (error) {
    const member = error instanceof CatalogError ? MEMBERS[error.code] : undefined;
    if (!(error instanceof CatalogError) || member === undefined) throw error;
    const isBody = input.from === "body";
    const [code, pointer] = isBody
      ? (["invalid-body", `/${member}`] as const)
      : (["invalid-parameter", member] as const);
    throw new QueryError(code, pointer, error.message, { cause: error });
  }
}

/** Conditions of a search; its other parameters are of pages and of what they show. */
const CONDITIONS = ["collections", "ids", "bbox", "intersects", "datetime", "query"] as const;

/**
 * Counts items.
 *
 * @throws as {@link searchItems}.
 */
export function countFound(
  { catalog, registry }: Pick<SearchParts, "catalog" | "registry">,
  input: Omit<SearchInput, "maxLimit">,
  request: CountRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<Counts> {
  const query: ItemQuery = readSearch(input, registry, CONDITIONS).query;
  return countItems(catalog, query, request, { signal, maxItems: input.maxItems });
}

/** The page with signed tokens. One that is too long to be sent back cannot be gone on from, and need not be gone back from. */
function signedPage({ next, prev, ...page }: ItemPage, tokens: PageTokens): ItemPage {
  const [signedNext, signedPrev] = [next, prev].map((token) => (token === undefined ? undefined : tokens.sign(token)));
  if (next !== undefined && signedNext === undefined) {
    throw new CatalogError("unavailable", "The upstream's paging token is too long to go on from this page.");
  }
  return {
    ...page,
    ...(signedNext === undefined ? {} : { next: signedNext }),
    ...(signedPrev === undefined ? {} : { prev: signedPrev }),
  };
}

/** The member that is at fault where a catalog cannot answer a search. */
const MEMBERS: Readonly<Partial<Record<CatalogError["code"], string>>> = {
  "invalid-token": "token",
  "too-many": "sortby",
};

/** The search that parameters ask for, with collections resolved and the restrictions of aliases added. */
function readSearch(
  { parameters, from, collection: path, takesFilters }: SearchInput,
  registry: CollectionRegistry,
  taken: readonly (typeof SEARCH_PARAMETERS)[number][],
): Search {
  const names = takesFilters === true ? [...taken, ...FILTER_PARAMETERS] : taken;
  const { query, ...rest } = parseSearch(parameters, from, names, searchNames(registry));
  const place: InputLocation = { in: from, pointer: from === "body" ? "/collections" : "collections" };
  if (path !== undefined) requireSameCollection(query.collections, path.collection.id, registry);
  const matches =
    path === undefined ? query.collections.map((name, i) => matchCollection(registry, name, place, i)) : [path];
  requireOneSource(matches, place);
  return { ...rest, query: scopedQuery(query, matches, registry) };
}

function matchCollection(registry: CollectionRegistry, name: string, place: InputLocation, i: number): CollectionMatch {
  const match = registry.find(name);
  if (match !== undefined) return match;
  const detail = unknownCollection(name, registry);
  const pointer = place.in === "body" ? `${place.pointer}/${i}` : place.pointer;
  throw new ProblemError("unknown-collection", detail, { errors: [{ pointer, detail }] });
}

/** An item would be found twice: as one of its own collection and as one of the virtual collection. */
function requireOneSource(matches: readonly CollectionMatch[], place: InputLocation): void {
  const ids = new Set(matches.map(({ collection }) => collection.id));
  for (const { id, virtual } of new Set(matches.map(({ collection }) => collection))) {
    const member = virtual?.members.find((each) => ids.has(each.id));
    if (member === undefined) continue;
    const detail = `${id} has the items of ${member.id}: expected one of them, got both.`;
    const code = place.in === "body" ? "invalid-body" : "invalid-parameter";
    throw new ProblemError(code, detail, { errors: [{ pointer: place.pointer, detail }] });
  }
}

/** pystac-client sends the path's collection as `collections` too; another collection is a contradiction. */
function requireSameCollection(names: readonly string[], id: string, registry: CollectionRegistry): void {
  const others = names.filter((name) => registry.find(name)?.collection.id !== id);
  if (others.length === 0) return;
  const detail = `Expected the collection of the path, "${id}", got "${others.join(",")}".`;
  throw new ProblemError("invalid-parameter", detail, { errors: [{ pointer: "collections", detail }] });
}
