import { type Catalog, type Item, sortItems } from "@swath/catalog";
import { areaOf, meetsArea } from "@swath/engine/node/jobs";
import { LegacyError } from "../errors.ts";
import type { DownloadRequest } from "./request.ts";

/** The scenes that a download names, first on top. */
export interface NamedScenes {
  /** Those over the box. */
  readonly items: readonly Item[];
  /** Ids of all. */
  readonly considered: readonly string[];
}

/**
 * Looks up the scenes that a download names; `undefined` where it names a time.
 *
 * @param collection its id in the catalog
 * @throws {LegacyError} 404 for an unknown item, 400 where the box misses all of them.
 */
export async function namedScenes(
  catalog: Pick<Catalog, "item">,
  { item: one, items: several, order, bbox, collection: upstream }: DownloadRequest,
  collection: string,
  options: { readonly signal: AbortSignal },
): Promise<NamedScenes | undefined> {
  const ids = one == null ? several : [one];
  if (ids == null) return undefined;
  const find = async (id: string): Promise<Item> => {
    const item = await catalog.item(collection, id, options);
    if (item !== undefined) return item;
    throw LegacyError.detail(404, `Could not find Item ${id} in ${upstream} collection.`);
  };
  const named = await Promise.all([...new Set(ids)].map(find));
  const ordered = order === "as_given" ? named : sortItems(named, "leastCC");
  const { outline } = areaOf({ bbox });
  const items = ordered.filter((item) => meetsArea(item, outline));
  if (items.length === 0) throw LegacyError.detail(400, "The box misses the scenes.");
  return { items, considered: ordered.map(({ id }) => id) };
}
