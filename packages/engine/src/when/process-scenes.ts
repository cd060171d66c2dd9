import { type Catalog, type Item, pagesOf, sortItems } from "@swath/catalog";
import type { PolygonGeometry } from "@swath/geometry";
import { COVERAGE_TOLERANCE, type Selection, selectScenes } from "@swath/mosaic";
import { allOf, type Filter, type Interval, type ItemQuery, matchesFilter } from "@swath/query";
import type { Bbox } from "@swath/raster";
import { type CollectionMatch, type CollectionRegistry, MOSAICKING_SORTS, type MosaickingOrder } from "@swath/schema";
import { footprintOf } from "../items/placement.ts";
import { Refusal } from "../refusal.ts";
import type { When } from "../request.ts";
import type { Area } from "../where/area.ts";
import { readTime } from "./intervals.ts";
import { cloudCeiling, cloudFilter, wholePage } from "./scene-walk.ts";
import { searchScope } from "./search-scope.ts";

/** Scenes in one mosaic. */
export const MAX_SCENES = 6;
/** Items asked of the catalog at once: most mosaics are complete after one page. */
const PAGE = 100;
/** Items that are looked at for those of one platform: more than six are found long before. */
const MOST_OF_PLATFORM = 1000;
const ITEM_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** An id, and the number of it among those of the request. */
interface NamedScene {
  readonly id: string;
  readonly number: number;
}

/** The scenes that a request selects: by id, or by time. */
export type SceneSelection =
  | { readonly kind: "ids"; readonly ids: readonly NamedScene[] }
  | {
      readonly kind: "time";
      readonly window: Interval;
      readonly maxCloudCover: number | undefined;
      readonly order: MosaickingOrder;
      /** Whether all scenes of one platform are taken, rather than those that cover the area. */
      readonly samePlatform: boolean;
    };

/**
 * Reads which scenes a request selects.
 *
 * @throws {Refusal} `invalid` for both or neither of `ids` and `time`, for `ids` together with what chooses among scenes, and
 *   for times that are none.
 */
export function selectionOf(when: When): SceneSelection {
  const { ids, time, order = "mostRecent", samePlatform = false } = when;
  if (ids === undefined) {
    if (time === undefined) throw new Refusal("invalid", ["when"], "Expected a time or ids, got neither.");
    return { kind: "time", window: readTime(time), maxCloudCover: cloudCeiling(when), order, samePlatform };
  }
  if (time !== undefined) throw new Refusal("invalid", ["when"], "Expected a time or ids, got both.");
  for (const name of ["maxCloudCover", "order", "samePlatform"] as const) {
    if (when[name] === undefined) continue;
    const detail = "Expected this beside a time alone: ids name each scene, in the order of the mosaic.";
    throw new Refusal("invalid", ["when", name], detail);
  }
  return { kind: "ids", ids: ids.flatMap((id, number) => (ids.indexOf(id) === number ? [{ id, number }] : [])) };
}

export interface SceneSearch {
  readonly match: CollectionMatch;
  readonly registry: CollectionRegistry;
  readonly area: Area;
  readonly signal: AbortSignal;
  /** Further conditions. */
  readonly filter?: Filter | undefined;
  /** Scenes found unreadable: others take their place. */
  readonly without: ReadonlySet<string>;
}

/** The facts of an item that decide whether it is read. */
interface Candidate {
  readonly id: string;
  readonly footprint?: ReturnType<typeof footprintOf>;
  readonly bbox?: Bbox;
  readonly item: Item;
}

/** The facts about an item that decide whether it is read. */
function candidateOf(item: Item): Candidate {
  const footprint = footprintOf(item);
  return {
    id: item.id,
    ...(footprint.length === 0 ? {} : { footprint }),
    ...(item.bbox === undefined ? {} : { bbox: item.bbox }),
    item,
  };
}

/**
 * Whether an item has pixels in an area, by its footprint, or without one by its box.
 *
 * @param outline the area in degrees
 */
export function meetsArea(item: Item, outline: PolygonGeometry): boolean {
  return selectScenes([candidateOf(item)], outline, 1, { tolerance: 0 }).scenes.length > 0;
}

/**
 * The items that the output is made of, first on top.
 *
 * @throws {Refusal} `not-found` where no scene matches or an id is unknown, `invalid` for a named scene that misses the
 *   area, `too-many-scenes` where six do not cover what seven would, and for more than six of one platform.
 */
export async function findScenes(
  catalog: Catalog,
  selection: SceneSelection,
  search: SceneSearch,
): Promise<readonly Item[]> {
  if (selection.kind === "ids") return namedScenes(catalog, selection.ids, search);
  const { window, maxCloudCover, order, samePlatform } = selection;
  const { match, registry, area, signal, without, filter } = search;
  const filters = allOf(searchScope([match], registry).filter, cloudFilter(maxCloudCover), filter);
  const query = {
    collections: [match.collection.id],
    bbox: area.bbox,
    datetime: window,
    sortby: MOSAICKING_SORTS[samePlatform ? "leastCC" : order],
    limit: PAGE,
    ...(filters === undefined ? {} : { filter: filters }),
  };
  if (samePlatform) return sortItems(await scenesOfPlatform(catalog, query, search), order);
  const items: Item[] = [];
  const { outline } = area;
  let chosen: Selection<Candidate> = selectScenes([], outline, MAX_SCENES);
  let matched: number | undefined;
  for await (const page of pagesOf(catalog, query, { signal })) {
    matched ??= page.numberMatched;
    items.push(...wholePage(page).items.filter(({ id }) => !without.has(id)));
    chosen = selectScenes(sortItems(items, order).map(candidateOf), outline, MAX_SCENES);
    // pages come in the order of the mosaic, so what is covered stays covered
    if (chosen.tooMany || chosen.covered >= 1 - COVERAGE_TOLERANCE) break;
  }
  if (chosen.tooMany) {
    const matchedScenes = matched ?? items.length;
    throw new Refusal(
      "too-many-scenes",
      [],
      `${matchedScenes} scenes match, and more than ${MAX_SCENES} would be needed to cover the area. Ask for less area, or for another time.`,
      { limits: { maxScenes: MAX_SCENES, matchedScenes } },
    );
  }
  if (chosen.scenes.length === 0) throw noScene();
  return chosen.scenes.map(({ item }) => item);
}

const noScene = (): Refusal => new Refusal("not-found", [], "There is no scene over the box in the time range.");

/** Every scene over the area that the platform of the first one took. */
async function scenesOfPlatform(
  catalog: Catalog,
  query: ItemQuery,
  { area: { outline }, signal, without }: SceneSearch,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let platform: unknown;
  for await (const page of pagesOf(catalog, query, { signal, maxItems: MOST_OF_PLATFORM })) {
    for (const item of wholePage(page).items) {
      if (without.has(item.id) || !meetsArea(item, outline)) continue;
      platform ??= item.properties.platform;
      if (item.properties.platform === platform) found.push(item);
    }
  }
  if (found.length === 0) throw noScene();
  if (found.length <= MAX_SCENES) return found;
  const detail = `${found.length} scenes of ${String(platform)} are over the area in the time range, at most ${MAX_SCENES} make a mosaic.`;
  throw new Refusal("too-many-scenes", [], detail, {
    limits: { maxScenes: MAX_SCENES, matchedScenes: found.length },
  });
}

async function namedScenes(
  catalog: Catalog,
  ids: Extract<SceneSelection, { kind: "ids" }>["ids"],
  search: SceneSearch,
): Promise<readonly Item[]> {
  const { match, registry, signal, filter: own } = search;
  const { outline } = search.area;
  const collection = match.collection.id;
  const filter = allOf(searchScope([match], registry).filter, own);
  const found = await Promise.all(
    ids.map(async ({ id, number }) => {
      const item = ITEM_ID.test(id) ? await catalog.item(collection, id, { signal }) : undefined;
      if (item !== undefined && (filter === undefined || matchesFilter(filter, item) === true)) return { item, number };
      throw new Refusal("not-found", ["when", "ids", number], `${collection} has no item "${id}".`);
    }),
  );
  for (const { item, number } of found) {
    if (!meetsArea(item, outline)) {
      throw new Refusal("invalid", ["when", "ids", number], `Scene ${item.id} lies outside the area.`);
    }
  }
  return found.map(({ item }) => item);
}
