import type { ItemQuery } from "@swath/query";
import { type CollectionRegistry, type CollectionSchema, defaultRegistry } from "@swath/schema";
import type { MergeableCatalog } from "../catalog.ts";
import { NOTHING, searchByToken } from "../order/placed-page.ts";
import type { UpstreamWatch } from "../upstream/upstream-watch.ts";
import { mergedCounts } from "./merged-counts.ts";
import type { Member } from "./merged-cursors.ts";
import { notAsked } from "./merged-fetch.ts";
import { mergedPage } from "./merged-page.ts";

/** The longest time that a page takes whose filter an upstream does not evaluate, and one answer more. */
const MEMBER_MS = 12_000;

/** Several catalogs and whose collections they are. */
export interface MergedOptions {
  /** Catalogs by the name of their upstream. */
  readonly catalogs: Readonly<Record<string, MergeableCatalog>>;
  /** Default: the registry of the built-in collections. */
  readonly registry?: CollectionRegistry | undefined;
  /** Whether a search of several upstreams fails where one of them does. Default false: the others answer. */
  readonly isWhole?: boolean;
  /** Milliseconds for which a search of several upstreams waits for one of them. Default 12,000. */
  readonly memberMs?: number;
  /** The watches of the upstreams that are left out of searches of several while they do not answer. */
  readonly watches?: readonly UpstreamWatch[];
}

/**
 * One catalog in front of several. Items and extents come from the upstream of their collection; a search goes to the
 * upstreams of its collections, and where there are several their pages are merged in the requested order. The token of
 * a merged page holds a gap of each of them. Where some of them do not answer, the page is made of the others', and says
 * which are missing.
 */
export function createMergedCatalog(given: MergedOptions): MergeableCatalog {
  const { catalogs, registry = defaultRegistry, isWhole = false, memberMs = MEMBER_MS, watches = [] } = given;
  const names = Object.keys(catalogs);
  const known = registry.withUpstreams(names, names);
  const catalogOf = (collection: string): MergeableCatalog | undefined => {
    const upstream = known.find(collection)?.collection.upstream.name;
    return upstream === undefined ? undefined : catalogs[upstream];
  };
  const isHeld = (name: string): boolean => watches.find((watch) => watch.name === name)?.isHeld() === true;
  const searchAt: MergeableCatalog["searchAt"] = async (query, place, options = {}) => {
    const members = membersOf(known, catalogs, query);
    const limits = { isWhole, memberMs, isHeld };
    return members.length === 0 ? NOTHING : mergedPage(members, query, place, { ...options, ...limits });
  };
  const search = searchByToken("merged", searchAt);
  return {
    search: async (query, options = {}) => {
      const [only, ...others] = membersOf(known, catalogs, query);
      if (only === undefined || others.length > 0) return search(query, options);
      if (options.without?.includes(only.name) === true) throw notAsked(only.name);
      // the tokens of a search at one upstream are its own
      return only.catalog.search(only.query, options);
    },
    searchAt,
    count: async (query, request, options = {}) =>
      mergedCounts(membersOf(known, catalogs, query), request, { ...options, isWhole, isHeld }),
    item: async (collection, id, options) => catalogOf(collection)?.item(collection, id, options),
    extent: async (collection, options) => catalogOf(collection)?.extent(collection, options),
    has: async (collection, options) => (await catalogOf(collection)?.has(collection, options)) ?? false,
    ping: async (options) => {
      const all = [...new Set(Object.values(catalogs))];
      const answers = await Promise.allSettled(all.map((catalog) => catalog.ping(options)));
      const failed = answers.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
      if (failed.length === all.length) throw failed[0];
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
