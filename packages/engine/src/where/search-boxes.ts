import {
  type Bounds,
  clipRing,
  type FlatRing,
  flattenRing,
  type Geometry,
  type PolygonGeometry,
  polygonsOf,
  ringBounds,
  uniteBounds,
  wrapBbox,
} from "@swath/geometry";
import type { Bbox } from "@swath/raster";

/** Where scenes are searched. */
export interface SearchArea {
  /** Degrees; scenes whose footprints miss it are left out. */
  readonly geometry: Geometry;
  /** Boxes in degrees that hold the geometry together: each is searched. */
  readonly boxes: readonly Bbox[];
}

/** Boxes that one area is searched by at most: each is a walk through the pages of a search. */
const MAX_BOXES = 16;
/** Sides of boxes that are not divided, degrees: about two scenes of Sentinel-2. */
const WHOLE_SIDE = 2;
/** Two boxes are worth a search more where they have less than this share of the one that holds both. */
const SMALLER = 0.75;

interface Piece {
  readonly rings: readonly FlatRing[];
  readonly bounds: Bounds;
}

/**
 * Boxes that hold polygons together, by which their scenes are searched: one box, or where the polygons are far apart, or
 * long and thin, several that have little more than they need.
 *
 * @param polygon degrees, continuous across the antimeridian
 */
export function searchBoxes(polygon: PolygonGeometry): readonly Bbox[] {
  const outer = polygonsOf(polygon).flatMap(([ring = []]) => flattenRing(ring) ?? []);
  const done: Piece[] = [];
  const open = [pieceOf(outer)];
  for (let piece = open.shift(); piece !== undefined; piece = open.shift()) {
    const halves = done.length + open.length + 2 > MAX_BOXES ? [] : halvesOf(piece);
    const area = halves.reduce((sum, half) => sum + areaOf(half), 0);
    if (halves.length === 0 || area > SMALLER * areaOf(piece)) done.push(piece);
    else open.push(...halves);
    open.sort((a, b) => areaOf(b) - areaOf(a));
  }
  return done.map(({ bounds }) => wrapBbox(bounds));
}

const pieceOf = (rings: readonly FlatRing[]): Piece => ({ rings, bounds: uniteBounds(rings.map(ringBounds)) });

const areaOf = ({ bounds: [west, south, east, north] }: Piece): number => (east - west) * (north - south);

/** The piece in two at the middle of its longer side; none where it is small. */
function halvesOf({ rings, bounds }: Piece): readonly Piece[] {
  const [west, south, east, north] = bounds;
  if (Math.max(east - west, north - south) <= WHOLE_SIDE) return [];
  const isWide = east - west > north - south;
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  const boxes: readonly Bounds[] = isWide
    ? [
        [west, south, x, north],
        [x, south, east, north],
      ]
    : [
        [west, south, east, y],
        [west, y, east, north],
      ];
  return boxes.flatMap((box) => {
    const inside = rings.flatMap((ring) => clipRing(ring, box) ?? []);
    return inside.length === 0 ? [] : [pieceOf(inside)];
  });
}
