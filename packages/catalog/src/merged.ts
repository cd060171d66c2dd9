import type { ItemQuery } from "@swath/query";
import { type CollectionRegistry, type CollectionSchema, defaultRegistry } from "@swath/schema";
import type { MergeableCatalog } from "./catalog.ts";
import { CatalogError } from "./errors.ts";
import type { Member } from "./merged-cursors.ts";
import { mergedPage } from "./merged-page.ts";
import { NOTHING, searchByToken } from "./placed-page.ts";

/** Several catalogs and whose collections they are. */
export interface MergedOptions {
  /** Catalogs by the name of their upstream. */
  readonly catalogs: Readonly<Record<string, MergeableCatalog>>;
  /** Default: the registry of the built-in collections. */
  readonly registry?: CollectionRegistry | undefined;
}

/**
 * One catalog in front of several. Items and extents come from the upstream of their collection; a search goes to the
 * upstreams of its collections, and where there are several their pages are merged in the requested order. The token of
 * a merged page holds a gap of each of them.
 */
export function createMergedCatalog({ catalogs, registry = defaultRegistry }: MergedOptions): MergeableCatalog {
  const names = Object.keys(catalogs);
  const known = registry.withUpstreams(names, names);
  const catalogOf = (collection: string): MergeableCatalog | undefined => {
    const upstream = known.find(collection)?.collection.upstream.name;
    return upstream === undefined ? undefined : catalogs[upstream];
  };
  const searchAt: MergeableCatalog["searchAt"] = async (query, place, options = {}) => {
    const members = membersOf(known, catalogs, query);
    return members.length === 0 ? NOTHING : mergedPage(members, query, place, options);
  };
  const search = searchByToken("merged", searchAt);
  return {
    search: async (query, options = {}) => {
      const [only, ...others] = membersOf(known, catalogs, query);
      // the tokens of a search at one upstream are its own
      return only === undefined || others.length > 0
        ? search(query, options)
        : only.catalog.search(only.query, options);
    },
    searchAt,
    item: async (collection, id, options) => catalogOf(collection)?.item(collection, id, options),
    extent: async (collection, options) => {
      const catalog = catalogOf(collection);
      if (catalog !== undefined) return catalog.extent(collection, options);
      throw new CatalogError("unavailable", `No upstream has the collection "${collection}".`);
    },
    has: async (collection, options) => (await catalogOf(collection)?.has(collection, options)) ?? false,
    ping: async (options) => {
      await Promise.all(Object.values(catalogs).map((catalog) => catalog.ping(options)));
    },
  };
}

/** The catalogs that a search goes to, each with its own collections. */
function membersOf(
  registry: CollectionRegistry,
  catalogs: MergedOptions["catalogs"],
  query: ItemQuery,
): readonly Member[] {
  const asked = query.collections.length === 0 ? registry.ids : query.collections;
  const collections = new Set(asked.flatMap((name) => registry.find(name)?.collection ?? []));
  const groups = new Map<string, CollectionSchema[]>();
  for (const collection of collections) {
    const { name } = collection.upstream;
    groups.set(name, [...(groups.get(name) ?? []), collection]);
  }
  return [...groups].flatMap(([name, group]) => {
    const catalog = catalogs[name];
    if (catalog === undefined) return [];
    return [{ name, catalog, query: { ...query, collections: group.map(({ id }) => id) } }];
  });
}
