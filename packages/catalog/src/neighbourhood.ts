import { type Bbox, type Filter, findInstant, formatDatetime, type Interval, type SortField } from "@swath/query";
import { LRUCache } from "lru-cache";
import type { Catalog, CatalogOptions } from "./catalog.ts";
import { type Cell, cellsOf } from "./cells.ts";
import { InFlight } from "./in-flight.ts";
import type { Item } from "./item.ts";
import { bboxShape, type Shape, shapesIntersect, toFootprint } from "./shape.ts";

export interface NeighbourhoodOptions {
  /** How long the answer for a cell is kept, milliseconds. Default 300,000. */
  readonly ttlMs?: number;
  /** Items kept in all cells together; those not used for longest go first. Default 2,000, some 100 MB of full items. */
  readonly maxKept?: number;
  /** Items taken for one cell, the least cloudy ones, 1 to 1,000. Default 1,000. */
  readonly maxItems?: number;
  /** Milliseconds, for `ttlMs`. Default the monotonic clock. */
  readonly now?: () => number;
}

/** Which scenes are wanted for a tile. */
export interface NeighbourhoodRequest {
  /** Canonical collection id. */
  readonly collection: string;
  /** Round its ends, where they come from a clock, so that neighbouring tiles ask for the same. */
  readonly datetime?: Interval;
  /** Percent, inclusive. Scenes without a cloud cover are left out when it is given. */
  readonly maxCloudCover?: number;
  /** The box of the tile; west > east crosses the antimeridian. */
  readonly bbox: Bbox;
}

export interface Neighbourhood {
  /** Scenes whose footprint touches the box: least cloudy first, then newest, then by id. */
  readonly items: readonly Item[];
  /** Whether a cell had more items than are taken; the cloudiest ones are missing then. */
  readonly truncated: boolean;
}

export interface NeighbourhoodSearch {
  /** @throws {CatalogError} as the catalogue does; a failure is not kept. */
  search(request: NeighbourhoodRequest, options?: CatalogOptions): Promise<Neighbourhood>;
}

interface Scene {
  readonly item: Item;
  readonly footprint: Shape;
}

interface Scenes {
  readonly scenes: readonly Scene[];
  readonly truncated: boolean;
}

const LEAST_CLOUDY: readonly SortField[] = [
  { field: "eo:cloud_cover", direction: "asc" },
  { field: "datetime", direction: "desc" },
  { field: "id", direction: "asc" },
];

/**
 * Asks a catalogue which scenes touch a map tile once for a neighbourhood of tiles: the cell of a fixed grid three
 * levels above the tile (see `cellsOf`), so that panning over 8 × 8 tiles costs at most four searches. Cells asked for
 * at the same time are asked for once.
 */
export function createNeighbourhoodSearch(catalog: Catalog, options: NeighbourhoodOptions = {}): NeighbourhoodSearch {
  const { ttlMs = 300_000, maxKept = 2000, maxItems = 1000, now } = options;
  const running = new InFlight<Scenes>();
  const kept = new LRUCache<string, Scenes>({
    maxSize: maxKept,
    sizeCalculation: ({ scenes }) => scenes.length + 1,
    ttl: ttlMs,
    ...(now === undefined ? {} : { perf: { now }, ttlResolution: 0 }),
  });

  async function load(request: NeighbourhoodRequest, cell: Cell, signal: AbortSignal): Promise<Scenes> {
    const { collection, datetime, maxCloudCover } = request;
    const filter: Filter | undefined =
      maxCloudCover === undefined
        ? undefined
        : { op: "compare", operator: "lte", left: { property: "eo:cloud_cover" }, right: { literal: maxCloudCover } };
    const page = await catalog.search(
      {
        collections: [collection],
        bbox: cell.bbox,
        sortby: LEAST_CLOUDY,
        limit: maxItems,
        ...(datetime === undefined ? {} : { datetime }),
        ...(filter === undefined ? {} : { filter }),
      },
      { signal },
    );
    const scenes = page.items.map((item) => ({
      item,
      footprint: item.geometry === null ? { parts: [] } : toFootprint(item.geometry),
    }));
    return { scenes, truncated: page.next !== undefined };
  }

  function scenesOf(request: NeighbourhoodRequest, cell: Cell, signal: AbortSignal | undefined): Promise<Scenes> {
    const key = keyOf(request, cell);
    const known = kept.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const loadAndKeep = async (shared: AbortSignal): Promise<Scenes> => {
      const scenes = await load(request, cell, shared);
      kept.set(key, scenes);
      return scenes;
    };
    return running.share(key, loadAndKeep, signal);
  }

  return {
    search: async (request, { signal } = {}) => {
      signal?.throwIfAborted();
      const cells = cellsOf(request.bbox);
      const found = await Promise.all(cells.map((cell) => scenesOf(request, cell, signal)));
      const box = bboxShape(request.bbox);
      const items = new Map<string, Item>();
      for (const { item, footprint } of found.flatMap(({ scenes }) => scenes)) {
        if (!items.has(item.id) && shapesIntersect(footprint, box)) items.set(item.id, item);
      }
      return { items: [...items.values()].sort(leastCloudyFirst), truncated: found.some(({ truncated }) => truncated) };
    },
  };
}

function keyOf({ collection, datetime, maxCloudCover }: NeighbourhoodRequest, { level, column, row }: Cell): string {
  const time = datetime === undefined ? null : formatDatetime(datetime);
  return JSON.stringify([collection, time, maxCloudCover ?? null, level, column, row]);
}

function leastCloudyFirst(a: Item, b: Item): number {
  const clouds = cloudsOf(a) - cloudsOf(b);
  if (clouds !== 0 && !Number.isNaN(clouds)) return clouds;
  const [x, y] = [timeOf(a), timeOf(b)];
  if (x !== y) return x > y ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function cloudsOf(item: Item): number {
  const clouds = item.properties["eo:cloud_cover"];
  return typeof clouds === "number" ? clouds : Infinity;
}

function timeOf(item: Item): bigint {
  return findInstant(item.properties.datetime ?? "")?.nanoseconds ?? -(10n ** 30n);
}
