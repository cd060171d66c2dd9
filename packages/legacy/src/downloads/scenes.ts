import { type Catalog, type Item, pagesOf, sortItems } from "@swath/catalog";
import { Refusal } from "@swath/engine";
import { type Area, meetsArea, wholePage } from "@swath/engine/node/jobs";
import { parseDatetime } from "@swath/query";
import { MOSAICKING_SORTS } from "@swath/schema";
import { LegacyError } from "../errors.ts";
import { type DownloadRequest, MAX_ITEMS } from "./request.ts";

export interface DownloadScenes {
  /** Those to read, first on top. */
  readonly items: readonly Item[];
  /** Ids of all that were looked at, in the same order. */
  readonly considered: readonly string[];
}

export interface DownloadSearch {
  readonly collection: string;
  readonly area: Area;
  readonly signal: AbortSignal;
  readonly without: ReadonlySet<string>;
}

const PAGE = 100;
/** Pages read of a window: more than 6 scenes of one platform are found long before. */
const MAX_PAGES = 10;

/**
 * The scenes of a download.
 *
 * @throws {LegacyError} 404 for an unknown item or a window without scenes, 400 where the box misses all named ones,
 *   413 for more than six in the window.
 */
export function downloadScenes(
  catalog: Catalog,
  request: DownloadRequest,
  search: DownloadSearch,
): Promise<DownloadScenes> {
  const { item, items, datetime } = request;
  return datetime == null
    ? namedScenes(catalog, item == null ? (items ?? []) : [item], request, search)
    : windowScenes(catalog, datetime, request, search);
}

async function namedScenes(
  catalog: Catalog,
  ids: readonly string[],
  { order, collection: upstream }: DownloadRequest,
  { collection, area: { outline }, signal }: DownloadSearch,
): Promise<DownloadScenes> {
  const wanted = [...new Set(ids)];
  const found = await Promise.all(wanted.map((id) => catalog.item(collection, id, { signal })));
  const named = found.map((item, i) => {
    if (item !== undefined) return item;
    throw LegacyError.detail(404, `Could not find Item ${wanted[i]} in ${upstream} collection.`);
  });
  const ordered = order === "as_given" ? named : sortItems(named, "leastCC");
  const items = ordered.filter((item) => meetsArea(item, outline));
  if (items.length === 0) throw LegacyError.detail(400, "The box misses the scenes.");
  return { items, considered: ordered.map(({ id }) => id) };
}

/** Every scene over the box of the platform that the clearest one is from. */
async function windowScenes(
  catalog: Catalog,
  datetime: string,
  { order }: DownloadRequest,
  { collection, area: { bbox, outline }, signal, without }: DownloadSearch,
): Promise<DownloadScenes> {
  const query = {
    collections: [collection],
    bbox,
    datetime: parseDatetime(datetime),
    sortby: MOSAICKING_SORTS.leastCC,
    limit: PAGE,
  };
  const found: Item[] = [];
  let platform: unknown;
  for await (const page of pagesOf(catalog, query, { signal, maxItems: MAX_PAGES * PAGE })) {
    for (const item of wholePage(page).items) {
      if (without.has(item.id) || !meetsArea(item, outline)) continue;
      // the first one is the clearest
      platform ??= item.properties.platform;
      if (item.properties.platform === platform) found.push(item);
    }
  }
  if (found.length === 0) throw LegacyError.detail(404, "There are no scenes over the box in the datetime window.");
  if (found.length > MAX_ITEMS) {
    throw new Refusal(
      "too-many-scenes",
      [],
      `${found.length} scenes of ${String(platform)} are over the box in the datetime window, at most ${MAX_ITEMS} make a mosaic.`,
      { limits: { maxScenes: MAX_ITEMS, matchedScenes: found.length } },
    );
  }
  // as given by a search: newest first
  const items = order === "as_given" ? sortItems(found, "mostRecent") : found;
  return { items, considered: items.map(({ id }) => id) };
}
