import { type Bounds, type Crs, type Grid, resolveCrs, sameCrs, utmEpsg, utmZone } from "@swath/raster";
import type { Area } from "./area.ts";

/** A point at which pixels meet, by which grids of the same resolution are aligned with files. */
export interface PixelCorner {
  readonly crs: Crs;
  readonly x: number;
  readonly y: number;
  /** Pixel width and height. */
  readonly resolution: PixelSize;
}

/** Width and height of pixels in units of a CRS. */
export type PixelSize = readonly [x: number, y: number];

/** Zones around the Earth. */
const ZONES = 60;

/**
 * The UTM zone in which most of the files have their pixels, or with as many that of the centre of the area: near the edge of a
 * zone the files of the next one are resampled, and those of its own are not.
 */
export function gridZone({ bbox }: Area, corners: readonly PixelCorner[]): Crs {
  const [west, south, east, north] = bbox;
  const longitude = (west + (east < west ? east + 360 : east)) / 2;
  const centre = resolveCrs(`EPSG:${utmEpsg(longitude, (south + north) / 2)}`);
  const counts = new Map<string, { readonly crs: Crs; count: number }>();
  for (const { crs } of corners) {
    if (!isNextTo(crs, centre)) continue;
    const known = counts.get(crs.name) ?? { crs, count: 0 };
    known.count += 1;
    counts.set(crs.name, known);
  }
  const own = counts.get(centre.name)?.count ?? 0;
  const [most] = [...counts.values()].sort((a, b) => b.count - a.count);
  return most === undefined || most.count <= own ? centre : most.crs;
}

/** Whether a CRS is the same UTM zone or the next one, of either hemisphere: Landsat has northern zones in the south. */
function isNextTo(crs: Crs, centre: Crs): boolean {
  const [zone, own] = [utmZone(crs.epsg), utmZone(centre.epsg)];
  if (zone === undefined || own === undefined) return false;
  const apart = Math.abs(zone - own);
  return Math.min(apart, ZONES - apart) <= 1;
}

/** More pixels of a side than these are not counted: they are beyond every limit. */
const MOST_PIXELS = 1e12;

/** Pixels of a side as a number that can be written and multiplied, at least one: a tiny resolution gives any number, or none. */
export function pixelCount(count: number): number {
  return count < MOST_PIXELS ? Math.max(1, count) : MOST_PIXELS;
}

/** A bound within a millionth of a pixel of an edge is on it. */
const ON_EDGE = 1e-6;

/** Returns the whole pixels that cover a side of `pixels`, at least one. */
export const coveringPixels = (pixels: number): number => Math.max(1, Math.ceil(pixels - ON_EDGE));

/**
 * Pixels of a resolution around bounds, aligned with those of files in the same CRS: with those of the same resolution, or
 * else with others where `isOther` says so; without any at multiples of the resolution.
 */
export function alignedGrid(
  crs: Crs,
  [minX, minY, maxX, maxY]: Bounds,
  [resx, resy]: PixelSize,
  corners: readonly PixelCorner[],
  isOther = false,
): Grid {
  const own = corners.filter((corner) => sameCrs(corner.crs, crs));
  const same = own.find(({ resolution: [x, y] }) => x === resx && y === resy);
  const corner = same ?? (isOther ? own[0] : undefined);
  const [x0, y0] = [(corner?.x ?? 0) % resx, (corner?.y ?? 0) % resy];
  const down = (value: number, origin: number, step: number): number => Math.floor((value - origin) / step + ON_EDGE);
  const up = (value: number, origin: number, step: number): number => Math.ceil((value - origin) / step - ON_EDGE);
  const [left, right] = [down(minX, x0, resx), up(maxX, x0, resx)];
  const [bottom, top] = [down(minY, y0, resy), up(maxY, y0, resy)];
  const [width, height] = [pixelCount(right - left), pixelCount(top - bottom)];
  return { crs, transform: [resx, 0, x0 + left * resx, 0, -resy, y0 + top * resy], width, height };
}

/** A corner of a box. */
export type BoxCorner = "upper-left" | "upper-right" | "lower-left" | "lower-right";

/**
 * Pixels of exactly a size, from a corner of a box on.
 *
 * @param count how many of them a side of as many pixels has
 */
export function cornerGrid(
  crs: Crs,
  [minX, minY, maxX, maxY]: Bounds,
  [resx, resy]: PixelSize,
  corner: BoxCorner,
  count: (pixels: number) => number,
): Grid {
  const [width, height] = [count((maxX - minX) / resx), count((maxY - minY) / resy)];
  const left = corner.endsWith("left") ? minX : maxX - width * resx;
  const top = corner.startsWith("upper") ? maxY : minY + height * resy;
  return { crs, transform: [resx, 0, left, 0, -resy, top], width, height };
}
