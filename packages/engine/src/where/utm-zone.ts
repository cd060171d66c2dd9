import { type Crs, resolveCrs } from "@swath/raster";
import type { PixelCorner } from "./analysis-grid.ts";
import { type Area, areaBbox } from "./area.ts";

/** Zones around the Earth. */
const ZONES = 60;

/**
 * The UTM zone in which most of the files have their pixels, or with as many that of the centre of the area: near the edge of a
 * zone the files of the next one are resampled, and those of its own are not.
 */
export function gridZone(area: Area, corners: readonly PixelCorner[]): Crs {
  const centre = utmZone(area);
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
function isNextTo({ epsg }: Crs, { epsg: centre = 0 }: Crs): boolean {
  if (epsg === undefined || !isUtm(epsg)) return false;
  const apart = Math.abs((epsg % 100) - (centre % 100));
  return Math.min(apart, ZONES - apart) <= 1;
}

/** Whether an EPSG code is that of a UTM zone of WGS 84. */
export const isUtm = (epsg: number): boolean => /^32[67](0[1-9]|[1-5]\d|60)$/.test(String(epsg));

/** The UTM zone of the centre of the area. */
export function utmZone(area: Area): Crs {
  const [west, south, east, north] = areaBbox(area);
  const longitude = (west + (east < west ? east + 360 : east)) / 2;
  const zone = (Math.floor((longitude + 180) / 6) % 60) + 1;
  return resolveCrs(`EPSG:${((south + north) / 2 < 0 ? 32_700 : 32_600) + zone}`);
}
