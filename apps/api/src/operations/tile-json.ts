import type { Extent } from "@swath/catalog";
import type { Extents, KnownExtent } from "@swath/catalog/node";
import { readTileSet, type TileSet, type TileSetRequest } from "@swath/engine/node/images";
import { unwrapBbox } from "@swath/geometry";
import type { Interval } from "@swath/query";
import type { Bbox, TileMatrixSetId } from "@swath/raster";
import { attributionFor, type CollectionSchema } from "@swath/schema";
import type { ImageParts } from "./services.ts";

/** Facts about the tiles of a preset for its TileJSON document. */
export interface TileSetFacts extends KnownExtent {
  readonly tiles: TileSet;
  /** Credit line of all years in which scenes of the window can be. */
  readonly attribution: string;
}

/** @throws as `readTileSet` */
export async function describeTileSet(
  { extents, registry, now }: Pick<ImageParts, "registry" | "now"> & { readonly extents: Extents },
  request: TileSetRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<TileSetFacts> {
  const time = now();
  const tiles = readTileSet(registry, request, time);
  const { collection, window } = tiles;
  const known = await extents.of(collection, { signal });
  return { tiles, ...known, attribution: attributionFor(collection, yearsOf(window, collection, time)) };
}

/** West, south, east, north of an extent within a tile matrix set; the antimeridian is never crossed. */
export function tileSetBounds(
  set: TileMatrixSetId,
  { spatial }: Pick<Extent, "spatial">,
): [west: number, south: number, east: number, north: number] {
  const limit = set === "WebMercatorQuad" ? 85.0511287798066 : 90;
  const [west = -180, south = -limit, east = 180, north = limit] = spatial.bbox[0] ?? [];
  const wraps = west > east;
  return [wraps ? -180 : west, Math.max(south, -limit), wraps ? 180 : east, Math.min(north, limit)];
}

/**
 * Returns the place at which a map of the tiles begins: over a recent scene, at the zoom at which it is a tile or two
 * wide; without one, in the middle of the bounds.
 */
export function tileSetCentre(
  { set, minzoom, maxzoom }: Pick<TileSet, "set" | "minzoom" | "maxzoom">,
  bounds: readonly [west: number, south: number, east: number, north: number],
  recent: Bbox | undefined,
): [longitude: number, latitude: number, zoom: number] {
  const [west, south, east, north] = recent === undefined ? bounds : unwrapBbox(recent);
  const latitude = Math.max(bounds[1], Math.min(bounds[3], (south + north) / 2));
  const middle = (west + east) / 2;
  const longitude = middle > 180 ? middle - 360 : middle;
  if (recent === undefined) return [longitude, latitude, Math.min(maxzoom, minzoom + 2)];
  const stretch = set === "WebMercatorQuad" ? Math.cos((latitude * Math.PI) / 180) : 1;
  const span = Math.max(east - west, (north - south) / stretch, 1e-6);
  // degrees of a tile at zoom 0
  const zoom = Math.floor(Math.log2((set === "WebMercatorQuad" ? 360 : 180) / span));
  return [longitude, latitude, Math.max(minzoom, Math.min(maxzoom, zoom))];
}

/** Years in which scenes of a window can be: from the collection's first to this one. */
function yearsOf(window: Interval, collection: CollectionSchema, now: Date): number[] {
  const yearOf = (instant: Interval["start"], otherwise: Date): number =>
    (instant === undefined ? otherwise : new Date(Number(instant.nanoseconds / 1_000_000n))).getUTCFullYear();
  const begin = new Date(collection.start);
  const first = Math.max(yearOf(window.start, begin), begin.getUTCFullYear());
  const last = Math.min(yearOf(window.end, now), now.getUTCFullYear());
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}
