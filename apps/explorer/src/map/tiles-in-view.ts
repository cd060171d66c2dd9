import type { Bbox } from "../geometry/area.ts";
import type { MapView } from "../view/view.ts";
import { tileAddress } from "./far-time.ts";
import type { Imagery } from "./port.ts";

/** Side of the world at zoom 0, CSS pixels, as MapLibre and the address bar count zooms. */
const WORLD_PX = 512;
/** Side of a tile, pixels. */
const TILE_PX = 256;
/** Latitude at which the square world of Web Mercator ends, degrees. */
const MAX_LATITUDE = 85.051129;

/** A tile in the map's element, CSS pixels from its top left corner. */
export interface PlacedTile {
  readonly url: string;
  readonly left: number;
  readonly top: number;
  readonly size: number;
}

/** A point in the square world of Web Mercator (spherical, EPSG:3857), both axes from 0 to 1, from the north west. */
function inWorld(lon: number, lat: number): readonly [x: number, y: number] {
  const bounded = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat));
  return [(lon + 180) / 360, (1 - Math.asinh(Math.tan((bounded * Math.PI) / 180)) / Math.PI) / 2];
}

/** The rows or columns of tiles that have a part in both intervals of the world; each interval from 0 to 1. */
function between([a, b]: readonly [number, number], [c, d]: readonly [number, number], tiles: number): number[] {
  const first = Math.max(0, Math.floor(Math.max(a, c) * tiles));
  const end = Math.min(tiles, Math.ceil(Math.min(b, d) * tiles));
  return Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
}

/**
 * The tiles of imagery that a map shows: those that MapLibre chooses for raster tiles of 256 pixels, at the zoom that is
 * nearest to one tile pixel in one CSS pixel, those nearest to the centre first.
 */
export function tilesInView(
  { tiles, minzoom, maxzoom, bounds }: Imagery,
  { zoom, lat, lon }: MapView,
  [width, height]: readonly [width: number, height: number],
): readonly PlacedTile[] {
  const nearest = Math.round(zoom + Math.log2(WORLD_PX / TILE_PX));
  if (nearest < minzoom) return [];
  const z = Math.min(nearest, maxzoom);
  const count = 2 ** z;
  const world = WORLD_PX * 2 ** zoom;
  const size = world / count;
  const [x, y] = inWorld(lon, lat);
  const [west, south, east, north]: Bbox = bounds;
  const [left, top] = inWorld(west, north);
  const [right, bottom] = inWorld(east, south);
  const half = [width / 2 / world, height / 2 / world] as const;
  const placed = between([y - half[1], y + half[1]], [top, bottom], count).flatMap((row) =>
    between([x - half[0], x + half[0]], [left, right], count).map((column) => ({
      url: tileAddress(tiles.replaceAll("{z}", `${z}`).replace("{x}", `${column}`).replace("{y}", `${row}`)),
      left: width / 2 + (column / count - x) * world,
      top: height / 2 + (row / count - y) * world,
      size,
    })),
  );
  const away = (tile: PlacedTile): number =>
    Math.hypot(tile.left + size / 2 - width / 2, tile.top + size / 2 - height / 2);
  return placed.sort((a, b) => away(a) - away(b));
}
