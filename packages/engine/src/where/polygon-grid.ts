import { clipRing, flattenRing, polygonGeometry, polygonsOf, ringBounds, uniteBounds } from "@swath/geometry";
import { checkBoundary, checkPolygonPixels } from "../limits/limits.ts";
import type { GridPart } from "../run/compute/compute-job.ts";
import { CountedPixels, polygonTiles } from "../run/compute/counted-pixels.ts";
import { gridSpec } from "../run/scene/scene-read.ts";
import type { PixelCorner } from "./alignment.ts";
import { Area, type PolygonArea } from "./area.ts";
import { nativeGrid, orSampledPixel } from "./native-grid.ts";

/** The pixels of a polygon of any shape. */
export interface PolygonGrid {
  readonly parts: readonly GridPart[];
  /** Pixels whose values count. */
  readonly pixels: number;
  /** The point whose pixel stands for a polygon without a pixel's centre. */
  readonly sampledAt?: readonly [longitude: number, latitude: number];
}

/** Grids of fewer pixels are read whole. */
const WHOLE_PIXELS = 1 << 19;
/** A polygon of less of its box is read tile by tile. */
const SPARSE_SHARE = 1 / 4;
/** Width of a UTM zone, degrees. A wider area has pixels in several. */
const ZONE = 6;

/**
 * The pixels of a polygon at a resolution, in the UTM zone of most scenes: of a polygon that is long and thin or far apart only the
 * tiles that it touches, and of one that is wider than a zone those of each zone that it touches.
 *
 * @param area in degrees
 * @param native metres
 * @param corners where the pixels of the files meet
 * @throws {Refusal} `output-too-large` for more than 6,250,000 pixels, or more than 500,000 along the boundary.
 */
export function polygonGrid(area: PolygonArea, native: number, corners: readonly PixelCorner[]): PolygonGrid {
  checkBoundary(area, native);
  const zones = zoneAreas(area).map((own) => partOf(own, native, corners));
  const pixels = zones.reduce((sum, zone) => sum + zone.pixels, 0);
  checkPolygonPixels(pixels, native);
  if (pixels > 0) return { parts: zones.flatMap(({ part, ...zone }) => (zone.pixels > 0 ? [part] : [])), pixels };
  const { grid, sampledAt } = orSampledPixel(nativeGrid(area, native, corners), area.crs);
  return { parts: [{ grid: gridSpec(grid) }], pixels: 1, ...(sampledAt === undefined ? {} : { sampledAt }) };
}

function partOf(
  area: PolygonArea,
  native: number,
  corners: readonly PixelCorner[],
): { readonly part: GridPart; readonly pixels: number } {
  const { grid: own, region: clip } = nativeGrid(area, native, corners);
  const grid = gridSpec(own);
  const { width, height } = grid;
  const isSmall = width * height <= WHOLE_PIXELS;
  const whole = { x: 0, y: 0, width, height };
  if (isSmall) return { part: { grid, clip }, pixels: new CountedPixels(grid, clip, [whole]).pixels };
  const { windows, pixels } = polygonTiles(grid, clip);
  const isSparse = pixels < SPARSE_SHARE * width * height;
  return { part: { grid, clip, ...(isSparse ? { windows } : {}) }, pixels };
}

/** The area, or where it is wider than a UTM zone its part in each zone. */
function zoneAreas(area: PolygonArea): readonly PolygonArea[] {
  const [west, , east] = area.bounds;
  if (east - west <= ZONE) return [area];
  const first = Math.floor((west + 180) / ZONE);
  const count = Math.ceil((east + 180) / ZONE) - first;
  return Array.from({ length: count }, (_, i) => -180 + (first + i) * ZONE).flatMap((from): PolygonArea[] => {
    const box = [from, -90, from + ZONE, 90] as const;
    const polygons = polygonsOf(area.polygon).map((rings) =>
      rings.flatMap((ring) => {
        const flat = flattenRing(ring);
        return (flat && clipRing(flat, box)) ?? [];
      }),
    );
    const own = polygons.filter(([outer]) => outer !== undefined);
    if (own.length === 0) return [];
    const bounds = uniteBounds(own.map(([outer]) => ringBounds(outer!)));
    const hasArea = bounds[0] < bounds[2] && bounds[1] < bounds[3];
    return hasArea ? [new Area(area.path, area.crs, bounds, polygonGeometry(own))] : [];
  });
}
