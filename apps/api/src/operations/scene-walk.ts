import type { Catalog, Item, ItemPage } from "@swath/catalog";
import { type Geometry, geometriesIntersect, polygonsOf } from "@swath/geometry";
import { ProblemError } from "@swath/problem";
import type { Filter, Interval } from "@swath/query";
import type { Bbox } from "@swath/raster";
import type { CollectionMatch, CollectionRegistry } from "@swath/schema";
import { upstreamsNamed } from "../errors/upstream-fault.ts";
import { searchScope } from "../plan/search-scope.ts";
import { unavailable } from "../render/errors.ts";

/** Items asked of the catalog at once. */
const PAGE = 200;
/** Items of one walk, unless its caller takes fewer. */
const MAX_ITEMS = 20_000;
/** Of an area with more vertices the box alone chooses scenes: comparing thousands of footprints with it would take seconds. */
const MAX_VERTICES = 1000;

/** Which scenes a series is made of. */
export interface SceneWalk {
  /** Collections, or aliases of them. */
  readonly matches: readonly CollectionMatch[];
  readonly registry: CollectionRegistry;
  readonly bbox: Bbox;
  /** Degrees; scenes whose footprints miss it are left out, unless it has more than 1,000 vertices. */
  readonly area: Geometry;
  readonly window: Interval;
}

/**
 * Every scene over an area in a time range, oldest first: one search, page after page to its end. Of whatever cloud cover: an
 * older processing must not stand in for a newer one that is cloudier.
 *
 * @throws {ProblemError} `output-too-large` beyond `maxItems`, by default 20,000.
 * @throws {CatalogError} where a page cannot be had: never a part of the scenes.
 */
export async function walkScenes(
  catalog: Catalog,
  { matches, registry, bbox, area, window }: SceneWalk,
  { signal, maxItems = MAX_ITEMS }: { readonly signal: AbortSignal; readonly maxItems?: number },
): Promise<readonly Item[]> {
  const scope = searchScope(matches, registry);
  const query = {
    collections: scope.collections,
    // a box without an area is no polygon to some upstreams
    ...(area.type === "Point" ? { intersects: area } : { bbox }),
    datetime: window,
    sortby: [
      { field: "datetime", direction: "asc" },
      { field: "id", direction: "asc" },
    ],
    limit: PAGE,
    ...(scope.filter === undefined ? {} : { filter: scope.filter }),
  } as const;
  const found: Item[] = [];
  let token: string | undefined;
  do {
    const page = wholePage(await catalog.search(token === undefined ? query : { ...query, token }, { signal }));
    found.push(...page.items);
    if (found.length > maxItems) throw tooMany(maxItems, page.numberMatched ?? found.length);
    token = page.next;
  } while (token !== undefined);
  const isPolygon = area.type === "Polygon" || area.type === "MultiPolygon";
  if (isPolygon && polygonsOf(area).flat(2).length > MAX_VERTICES) return found;
  return found.filter(({ geometry }) => geometry === null || geometriesIntersect(geometry, area));
}

/**
 * A page that lacks no scene: numbers of a part of the scenes would be taken for those of all.
 *
 * @throws {ProblemError} `upstream-unavailable`
 */
export function wholePage(page: ItemPage): ItemPage {
  const { missing, unreadable } = page;
  if (missing !== undefined) throw lackingScenes(missing);
  if (unreadable === undefined) return page;
  throw unavailable(`The upstream catalog failed on ${unreadable} of the scenes.`, {});
}

/** The problem of a question for all scenes, of which upstreams do not give theirs. */
export function lackingScenes(upstreams: readonly string[]): ProblemError {
  const detail = `${upstreamsNamed(upstreams)} did not answer: the answer would lack scenes. Try again later, or ask for a collection of another upstream.`;
  return unavailable(detail, {});
}

function tooMany(maxScenes: number, matchedScenes: number): ProblemError {
  const detail = `More than ${maxScenes.toLocaleString("en-US")} scenes match: ask for less time or area.`;
  return new ProblemError("output-too-large", detail, { limits: { maxScenes, matchedScenes } });
}

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
