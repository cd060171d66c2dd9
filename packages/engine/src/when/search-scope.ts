import { allOf, type Filter, type ItemQuery, parseQuery, QUERYABLES, type SearchNames, SORTABLES } from "@swath/query";
import type { CollectionMatch, CollectionRegistry } from "@swath/schema";

/** The properties that searches may name: the common ones, and those that collections add. */
export function searchNames(registry: CollectionRegistry): Required<SearchNames> {
  let names = namesByRegistry.get(registry);
  if (names === undefined) {
    names = {
      queryables: { ...QUERYABLES, ...registry.queryables() },
      sortables: [...SORTABLES, ...registry.sortFields()],
    };
    namesByRegistry.set(registry, names);
  }
  return names;
}

const namesByRegistry = new WeakMap<CollectionRegistry, Required<SearchNames>>();

export interface SearchScope {
  /** Canonical ids, each once; empty: all collections. */
  readonly collections: readonly string[];
  /** The restriction of aliases, such as "Landsat 8 only". */
  readonly filter?: Filter;
}

/** Returns the filter by which an alias restricts its collection; undefined for one that is only another name. */
export function aliasFilter({ alias }: CollectionMatch, registry: CollectionRegistry): Filter | undefined {
  if (alias?.query === undefined) return undefined;
  return parseQuery(alias.query, { in: "body", pointer: "/collections" }, searchNames(registry).queryables);
}

/**
 * Collections that a search names, with the restrictions that their aliases imply. A collection named twice, once
 * with a restriction and once without, is not restricted.
 */
export function searchScope(matches: readonly CollectionMatch[], registry: CollectionRegistry): SearchScope {
  const restrictions = new Map<string, Filter[] | "none">();
  for (const match of matches) {
    const { id } = match.collection;
    const known = restrictions.get(id);
    const own = aliasFilter(match, registry);
    if (own === undefined) restrictions.set(id, "none");
    else if (known !== "none") restrictions.set(id, [...(known ?? []), own]);
  }
  const collections = [...restrictions.keys()];
  if ([...restrictions.values()].every((each) => each === "none")) return { collections };
  const parts = collections.map((id): Filter => {
    const own: Filter = { op: "compare", operator: "eq", left: { property: "collection" }, right: { literal: id } };
    const filters = restrictions.get(id) ?? "none";
    return filters === "none" ? own : allOf(own, { op: "or", args: filters });
  });
  const only = restrictions.get(collections[0] ?? "");
  if (collections.length === 1 && Array.isArray(only)) {
    return { collections, filter: only.length === 1 ? (only[0] as Filter) : { op: "or", args: only } };
  }
  return { collections, filter: { op: "or", args: parts } };
}

/** A search of some collections by their names: their ids, and what their aliases restrict beside its own filter. */
export function scopedQuery(
  { filter, ...conditions }: ItemQuery,
  matches: readonly CollectionMatch[],
  registry: CollectionRegistry,
): ItemQuery {
  const scope = searchScope(matches, registry);
  const only = allOf(filter, scope.filter);
  return { ...conditions, collections: scope.collections, ...(only === undefined ? {} : { filter: only }) };
}
