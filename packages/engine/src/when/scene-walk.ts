import { type Catalog, type Item, type ItemPage, pagesOf } from "@swath/catalog";
import { itemKey } from "@swath/catalog/overpasses";
import { footprintShape, type Geometry, shapesIntersect, toShape } from "@swath/geometry";
import { allOf, type Filter, type Interval } from "@swath/query";
import { type CollectionMatch, type CollectionRegistry, MOSAICKING_SORTS } from "@swath/schema";
import { Refusal } from "../refusal.ts";
import type { When } from "../request.ts";
import { unavailable } from "../run/errors.ts";
import { WorkBreaks } from "../run/work-breaks.ts";
import type { SearchArea } from "../where/search-boxes.ts";
import { searchScope } from "./search-scope.ts";
import { upstreamsNamed } from "./upstream-fault.ts";

/** Items asked of the catalog at once. */
const PAGE = 200;
/** Items of one walk, unless its caller takes fewer. */
const MAX_ITEMS = 20_000;

/** Conditions of the scenes of a series. */
export interface SceneWalk extends SearchArea {
  /** Collections, or aliases of them. */
  readonly matches: readonly CollectionMatch[];
  readonly registry: CollectionRegistry;
  readonly window: Interval;
  /** Further conditions. */
  readonly filter?: Filter | undefined;
}

/**
 * Every scene over an area in a time range: one search for each box, page after page to its end, oldest first. Of whatever cloud
 * cover: an older processing must not stand in for a newer one that is cloudier.
 *
 * @throws {Refusal} `output-too-large` beyond `maxItems`, by default 20,000.
 * @throws {CatalogError} where a page cannot be had: never a part of the scenes.
 */
export async function walkScenes(
  catalog: Catalog,
  walk: SceneWalk,
  options: { readonly signal: AbortSignal; readonly maxItems?: number },
): Promise<readonly Item[]> {
  const { geometry } = walk;
  const point = geometry.type === "Point" ? geometry : undefined;
  return withFootprintsIn(await walkBoxes(catalog, { ...walk, point }, options), geometry, options.signal);
}

/**
 * Every scene that an upstream finds in some boxes, as {@link walkScenes} does; of a point instead of its box where it is given.
 *
 * @throws {Refusal} and {CatalogError} as {@link walkScenes}.
 */
export async function walkBoxes(
  catalog: Catalog,
  {
    matches,
    registry,
    boxes,
    point,
    window,
    filter: own,
  }: Omit<SceneWalk, "geometry"> & { readonly point?: Geometry | undefined },
  { signal, maxItems = MAX_ITEMS }: { readonly signal: AbortSignal; readonly maxItems?: number },
): Promise<readonly Item[]> {
  const scope = searchScope(matches, registry);
  const filter = allOf(scope.filter, own);
  const query = {
    collections: scope.collections,
    datetime: window,
    sortby: MOSAICKING_SORTS.leastRecent,
    limit: PAGE,
    ...(filter === undefined ? {} : { filter }),
  } as const;
  const found = new Map<string, Item>();
  for (const bbox of boxes) {
    // a box without an area is no polygon to some upstreams
    const place = point === undefined ? { bbox } : { intersects: point };
    for await (const page of pagesOf(catalog, { ...query, ...place }, { signal })) {
      for (const item of wholePage(page).items) found.set(itemKey(item), item);
      if (found.size > maxItems) throw tooMany(maxItems, page.numberMatched ?? found.size);
    }
  }
  return [...found.values()];
}

/** The items whose footprints share a point with an area, and those without one. Thousands of vertices take a while: others get their turn. */
async function withFootprintsIn(items: readonly Item[], area: Geometry, signal: AbortSignal): Promise<readonly Item[]> {
  const breaks = new WorkBreaks(signal);
  const shape = toShape(area);
  const found: Item[] = [];
  for (const item of items) {
    await breaks.take();
    if (item.geometry === null || shapesIntersect(footprintShape(item.geometry), shape)) found.push(item);
  }
  return found;
}

/**
 * A page that lacks no scene: numbers of a part of the scenes would be taken for those of all.
 *
 * @throws {Refusal} `upstream-unavailable`
 */
export function wholePage(page: ItemPage): ItemPage {
  const { missing, unreadable } = page;
  if (missing !== undefined) throw lackingScenes(missing);
  if (unreadable === undefined) return page;
  throw unavailable(`The upstream catalog failed on ${unreadable} of the scenes.`, {});
}

/** The problem of a question for all scenes, of which upstreams do not give theirs. */
export function lackingScenes(upstreams: readonly string[]): Refusal {
  const detail = `${upstreamsNamed(upstreams)} did not answer: the answer would lack scenes. Try again later, or ask for a collection of another upstream.`;
  return unavailable(detail, {});
}

function tooMany(maxScenes: number, matchedScenes: number): Refusal {
  const detail = `More than ${maxScenes.toLocaleString("en-US")} scenes match: ask for less time or area.`;
  return new Refusal("output-too-large", [], detail, { limits: { maxScenes, matchedScenes } });
}

/** The most cloud that scenes may have, percent; `undefined` of 100 too: scenes whose cloud cover is unknown count then. */
export const cloudCeiling = ({ maxCloudCover }: Pick<When, "maxCloudCover">): number | undefined =>
  maxCloudCover === 100 ? undefined : maxCloudCover;

/** Scenes of at most this cloud cover; `undefined`: of any. */
export function cloudFilter(maxCloudCover: number | undefined): Filter | undefined {
  if (maxCloudCover === undefined) return undefined;
  return {
    op: "compare",
    operator: "lte",
    left: { property: "eo:cloud_cover" },
    right: { literal: maxCloudCover },
  };
}
