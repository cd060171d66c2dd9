import { type Bbox, bboxShape, footprintShape, type Shape, shapesIntersect } from "@swath/geometry";
import { Remembered } from "@swath/http";
import { type Filter, formatDatetime, type Interval } from "@swath/query";
import { MOSAICKING_SORTS, type MosaickingOrder } from "@swath/schema";
import type { Catalog, CatalogOptions } from "./catalog.ts";
import { type Cell, cellsOf, LEVELS_UP } from "./cells.ts";
import type { Item } from "./item/item.ts";
import { compareValues, sortValues } from "./order/order.ts";
import type { SortValue } from "./order/token.ts";
import { pagesOf } from "./pages.ts";

/** Limits of the search results that are kept. */
export interface NeighbourhoodOptions {
  /** Milliseconds for which the scenes of a cell are kept. Default 300,000. */
  readonly ttlMs?: number;
  /** Items kept in all cells together; the least recently used cells are evicted. Default 2,000, some 100 MB of full items. */
  readonly maxKept?: number;
  /** Items taken for one cell, the first in mosaicking order, 1 to 1,000. Default 1,000. */
  readonly maxItems?: number;
  /** Milliseconds, for `ttlMs`. Default the monotonic clock. */
  readonly now?: () => number;
}

/** A request for the scenes of a tile. */
export interface NeighbourhoodRequest {
  /** Canonical collection id. */
  readonly collection: string;
  /** Round its ends where they come from a clock, so that neighbouring tiles share one search. */
  readonly datetime?: Interval;
  /** Percent, inclusive. Scenes without a cloud cover are left out when it is given. */
  readonly maxCloudCover?: number;
  /**
   * The order of scenes: the first one is the newest, the oldest, or the least cloudy and then newest; scenes without a
   * value come last. It also decides which scenes are taken where a cell has too many. Default `leastCC`.
   */
  readonly mosaickingOrder?: MosaickingOrder;
  /** The box of the tile; west > east crosses the antimeridian. */
  readonly bbox: Bbox;
}

/** The scenes around a map tile. */
export interface Neighbourhood {
  /** Scenes whose footprint touches the box, in mosaicking order. */
  readonly items: readonly Item[];
  /** Whether a cell had more items than are taken; the last ones in mosaicking order are missing then. */
  readonly truncated: boolean;
  /** Names of upstreams that did not answer, at least one: their scenes are missing. */
  readonly missing?: readonly string[];
}

/** Finds the scenes that touch a map tile. */
export interface NeighbourhoodSearch {
  /** @throws {CatalogError} as the catalogue does; a failure is not kept. */
  search(request: NeighbourhoodRequest, options?: CatalogOptions): Promise<Neighbourhood>;
}

interface PlacedItem {
  readonly item: Item;
  readonly footprint: Shape;
  /** Its values in the mosaicking order. */
  readonly values: readonly SortValue[];
}

interface CellItems {
  readonly scenes: readonly PlacedItem[];
  /** The cell has more scenes than are taken; `scenes` is empty where that was known before all were fetched. */
  readonly truncated: boolean;
  readonly missing: readonly string[];
  /** Whether scenes are missing that a later search may find. */
  readonly isLacking: boolean;
}

/** Milliseconds for which a result that lacks scenes is kept: a map asks for many tiles at once. */
const LACKING_TTL_MS = 15_000;

/** Items of the first page: one response of an upstream. Its `numberMatched` decides whether the rest of the cell is fetched. */
const FIRST_PAGE = 250;
/** Pages that may have fewer items than their limit (a catalogue may apply filters that its upstream lacks) before fetching stops. */
const SHORT_PAGES = 4;

/**
 * Searches the scenes that touch a map tile once for a neighbourhood of tiles: the cell of a fixed grid three
 * levels above the tile (see `cellsOf`), so that panning over 8 × 8 tiles costs at most four searches. Concurrent requests
 * for a cell share one search. A cell with more scenes than are taken is divided into smaller ones, down to the size
 * of the tile, since the least cloudy thousand scenes of a continent may all be in its deserts.
 */
export function createNeighbourhoodSearch(catalog: Catalog, options: NeighbourhoodOptions = {}): NeighbourhoodSearch {
  const { ttlMs = 300_000, maxKept = 2000, maxItems = 1000, now } = options;
  const kept = new Remembered<CellItems>({
    max: maxKept,
    sizeOf: ({ scenes }) => scenes.length + 1,
    ttlMs: ({ isLacking }) => (isLacking ? Math.min(ttlMs, LACKING_TTL_MS) : ttlMs),
    ...(now === undefined ? {} : { now }),
  });

  /** @param whole take the first scenes of a cell that has too many, rather than none */
  async function load(
    request: NeighbourhoodRequest,
    cell: Cell,
    whole: boolean,
    signal: AbortSignal,
  ): Promise<CellItems> {
    const { collection, datetime, maxCloudCover, mosaickingOrder = "leastCC" } = request;
    const filter: Filter | undefined =
      maxCloudCover === undefined
        ? undefined
        : { op: "compare", operator: "lte", left: { property: "eo:cloud_cover" }, right: { literal: maxCloudCover } };
    const query = {
      collections: [collection],
      bbox: cell.bbox,
      limit: FIRST_PAGE,
      sortby: MOSAICKING_SORTS[mosaickingOrder],
      ...(datetime === undefined ? {} : { datetime }),
      ...(filter === undefined ? {} : { filter }),
    };
    const items: Item[] = [];
    const missing = new Set<string>();
    let unreadable = 0;
    let isMore = false;
    let pages = Math.ceil(maxItems / FIRST_PAGE) + SHORT_PAGES;
    for await (const page of pagesOf(catalog, query, { signal, maxItems, without: missing })) {
      if (!whole && page.numberMatched !== undefined && page.numberMatched > maxItems)
        return { scenes: [], truncated: true, missing: [], isLacking: false };
      unreadable += page.unreadable ?? 0;
      items.push(...page.items);
      isMore = page.next !== undefined;
      if (--pages <= 0) break;
    }
    const scenes = items.map((item) => ({
      item,
      values: sortValues(item, query.sortby),
      footprint: item.geometry === null ? { parts: [] } : footprintShape(item.geometry),
    }));
    const isLacking = missing.size > 0 || unreadable > 0;
    return { scenes, truncated: isMore, missing: [...missing], isLacking };
  }

  function scenesOf(
    request: NeighbourhoodRequest,
    cell: Cell,
    whole: boolean,
    signal: AbortSignal | undefined,
  ): Promise<CellItems> {
    const key = `${keyOf(request, cell)}${whole ? "+" : ""}`;
    return kept.of(key, (shared) => load(request, cell, whole, shared), signal);
  }

  /** Scenes of the cells around a box; smaller cells where these hold too many. */
  async function around(
    request: NeighbourhoodRequest,
    levelsUp: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly CellItems[]> {
    const whole = levelsUp === 0;
    const found = await Promise.all(
      cellsOf(request.bbox, levelsUp).map((cell) => scenesOf(request, cell, whole, signal)),
    );
    return whole || found.every(({ truncated }) => !truncated) ? found : around(request, levelsUp - 1, signal);
  }

  return {
    search: async (request, { signal } = {}) => {
      signal?.throwIfAborted();
      const found = await around(request, LEVELS_UP, signal);
      const box = bboxShape(request.bbox);
      const scenes = new Map<string, PlacedItem>();
      for (const scene of found.flatMap((cell) => cell.scenes)) {
        if (!scenes.has(scene.item.id) && shapesIntersect(scene.footprint, box)) scenes.set(scene.item.id, scene);
      }
      const order = MOSAICKING_SORTS[request.mosaickingOrder ?? "leastCC"];
      const sorted = [...scenes.values()].sort((a, b) => compareValues(a.values, b.values, order));
      const missing = [...new Set(found.flatMap((cell) => cell.missing))];
      return {
        items: sorted.map(({ item }) => item),
        truncated: found.some(({ truncated }) => truncated),
        ...(missing.length === 0 ? {} : { missing }),
      };
    },
  };
}

function keyOf(
  { collection, datetime, maxCloudCover, mosaickingOrder = "leastCC" }: NeighbourhoodRequest,
  { level, column, row }: Cell,
): string {
  const time = datetime === undefined ? null : formatDatetime(datetime);
  return JSON.stringify([collection, time, maxCloudCover ?? null, mosaickingOrder, level, column, row]);
}
