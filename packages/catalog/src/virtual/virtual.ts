import { bboxShape, shapeBbox } from "@swath/geometry";
import { type CollectionRegistry, type CollectionSchema, defaultRegistry } from "@swath/schema";
import type { Catalog, CatalogOptions, Extent, MergeableCatalog } from "../catalog.ts";
import { countByPages, countItems } from "../counts/count-pages.ts";
import { CatalogError, isUpstreamFault } from "../errors.ts";
import type { Item } from "../item/item.ts";
import { searchByToken } from "../order/placed-page.ts";
import { toVirtualItem } from "./virtual-item.ts";
import { virtualPage } from "./virtual-page.ts";

/** Options of a catalog with virtual collections. */
export interface VirtualOptions {
  /** The items of the members. */
  readonly catalog: MergeableCatalog;
  /** Default: the registry of the built-in collections. */
  readonly registry?: CollectionRegistry | undefined;
  /** Milliseconds, for the time that a page may take. Default the clock. */
  readonly now?: () => number;
}

/**
 * A catalog that has the virtual collections of the registry besides those of another catalog. Items of a virtual
 * collection are those of its members, with the virtual collection in `collection`; where one overpass of a tile has
 * several processings, only the newest is an item. Searches of other collections pass unchanged.
 */
export function createVirtualCatalog(given: VirtualOptions): Catalog {
  const { catalog, registry = defaultRegistry, now = Date.now } = given;
  const virtualOf = (id: string): CollectionSchema | undefined => registry.virtual.find((each) => each.id === id);
  const search: Catalog["search"] = async (query, options = {}) => {
    const [collection, ...others] = query.collections.flatMap((id) => virtualOf(id) ?? []);
    if (collection === undefined) return catalog.search(query, options);
    if (others.length > 0) throw new CatalogError("rejected", "A search is about one virtual collection at most.");
    const ofVirtual = searchByToken("virtual", async (own, place, { signal, onRead, without = [] } = {}) => {
      const pageWithout = (names: readonly string[]) =>
        virtualPage(catalog, collection, own, place, { signal, onRead, now, without: names });
      try {
        return await pageWithout(without);
      } catch (error) {
        // it answered the search, and not the questions for other processings
        if (!isUpstreamFault(error) || error.upstreams.every((name) => without.includes(name))) throw error;
        return pageWithout([...new Set([...without, ...error.upstreams])]);
      }
    });
    return ofVirtual(query, options);
  };
  return {
    search,
    count: (query, request, options) => {
      const isVirtual = query.collections.some((id) => virtualOf(id) !== undefined);
      // which items are older processings is known of their pages alone
      return isVirtual
        ? countByPages({ search }, query, request, options)
        : countItems(catalog, query, request, options);
    },
    has: async (id, options) => {
      const { virtual } = virtualOf(id) ?? {};
      if (virtual === undefined) return catalog.has(id, options);
      const answers = await Promise.allSettled(virtual.members.map((member) => catalog.has(member.id, options)));
      if (answers.some((each) => each.status === "fulfilled" && each.value)) return true;
      const failed = answers.find((each) => each.status === "rejected");
      if (failed !== undefined) throw failed.reason;
      return false;
    },
    item: async (id, itemId, options) => {
      const collection = virtualOf(id);
      if (collection === undefined) return catalog.item(id, itemId, options);
      return memberItem(catalog, registry, collection, itemId, options);
    },
    extent: async (id, options) => {
      const { virtual } = virtualOf(id) ?? {};
      if (virtual === undefined) return catalog.extent(id, options);
      const members = await Promise.all(virtual.members.map((member) => catalog.extent(member.id, options)));
      const known = members.filter((extent) => extent !== undefined);
      return known.length === 0 ? undefined : unionOf(known);
    },
    ping: (options) => catalog.ping(options),
  };
}

/**
 * The item of the first member that has it; members whose ids look like it are asked alone.
 *
 * @throws {CatalogError} where one of them does not answer and no other has it.
 */
async function memberItem(
  catalog: Catalog,
  registry: CollectionRegistry,
  collection: CollectionSchema,
  id: string,
  options: CatalogOptions | undefined,
): Promise<Item | undefined> {
  const members = collection.virtual?.members ?? [];
  const likely = registry.findByItemId(id).filter((each) => members.some((member) => member.id === each.id));
  let fault: CatalogError | undefined;
  for (const member of likely.length > 0 ? likely : members) {
    try {
      const item = await catalog.item(member.id, id, options);
      if (item !== undefined) return toVirtualItem(item, collection);
    } catch (error) {
      if (!isUpstreamFault(error)) throw error;
      fault ??= error;
    }
  }
  if (fault !== undefined) throw fault;
  return undefined;
}

/** The box and interval around all; times are RFC 3339 in UTC, and an end is open where one of them is. */
function unionOf(extents: readonly Extent[]): Extent {
  const parts = extents.flatMap(({ spatial }) => spatial.bbox.slice(0, 1).flatMap((box) => bboxShape(box).parts));
  const intervals = extents.flatMap(({ temporal }) => temporal.interval);
  return {
    spatial: { bbox: [shapeBbox({ parts }) ?? [-180, -90, 180, 90]] },
    temporal: {
      interval: [
        [
          endOf(
            intervals.map(([start]) => start),
            (a, b) => a < b,
          ),
          endOf(
            intervals.map(([, end]) => end),
            (a, b) => a > b,
          ),
        ],
      ],
    },
  };
}

function endOf(times: readonly (string | null)[], isBeyond: (a: number, b: number) => boolean): string | null {
  const known = times.filter((time) => time !== null);
  if (known.length < times.length) return null;
  return known.reduce((a, b) => (isBeyond(Date.parse(b), Date.parse(a)) ? b : a), known[0] ?? "") || null;
}
