import type { ItemQuery } from "@swath/query";
import { type CollectionRegistry, type CollectionSchema, defaultRegistry } from "@swath/schema";
import type { Catalog, CatalogOptions, ItemPage, MergeableCatalog } from "./catalog.ts";
import { isPerCollection } from "./collection-order.ts";
import { mergedPage } from "./merged-page.ts";

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
 * a merged page holds a cursor of each of them.
 */
export function createMergedCatalog({ catalogs, registry = defaultRegistry }: MergedOptions): Catalog {
  const known = registry.withUpstreams(Object.keys(catalogs));
  const catalogOf = (collection: string): MergeableCatalog | undefined => {
    const upstream = known.find(collection)?.collection.upstream.name;
    return upstream === undefined ? undefined : catalogs[upstream];
  };
  return {
    search: (query, options = {}) => search(known, catalogs, query, options),
    item: async (collection, id, options) => catalogOf(collection)?.item(collection, id, options),
    extent: async (collection, options) => catalogOf(collection)?.extent(collection, options),
    ping: async (options) => {
      await Promise.all(Object.values(catalogs).map((catalog) => catalog.ping(options)));
    },
  };
}

async function search(
  registry: CollectionRegistry,
  catalogs: MergedOptions["catalogs"],
  query: ItemQuery,
  options: CatalogOptions,
): Promise<ItemPage> {
  const asked = query.collections.length === 0 ? registry.ids : query.collections;
  const collections = [...new Set(asked.flatMap((name) => registry.find(name)?.collection ?? []))];
  const perCollection = isPerCollection(query, collections);
  const groups = new Map<string, CollectionSchema[]>();
  for (const collection of collections) {
    const name = perCollection ? collection.id : collection.upstream.name;
    groups.set(name, [...(groups.get(name) ?? []), collection]);
  }
  const members = [...groups].flatMap(([name, group]) => {
    const catalog = catalogs[group[0]?.upstream.name ?? ""];
    return catalog === undefined
      ? []
      : [{ name, catalog, query: { ...query, collections: group.map(({ id }) => id) } }];
  });
  const [only, ...others] = members;
  if (only === undefined) return { items: [], numberMatched: 0 };
  if (others.length === 0) return only.catalog.search(only.query, options);
  return mergedPage(members, query, options);
}
