import {
  type Bbox,
  footprintShape,
  type Geometry,
  type PolygonGeometry,
  type Position,
  polygonsOf,
  shapeBbox,
  wrapBbox,
} from "@swath/geometry";
import { isJson, numbersOf } from "../json.ts";

/** The place of an item: its footprint, and the box around it. */
export interface Footprint {
  readonly geometry: Geometry | null;
  readonly bbox: Bbox | undefined;
}

/**
 * A footprint that is no wider than this across the antimeridian, and no higher, is that of a scene: a box around the rest of the
 * world stands for a crossing there, as many archives write it. What is larger is not brought into one scene by turning it round.
 */
const SCENE_DEGREES = 30;
/** Longest part of an edge that is written anew: edges of more than 180 degrees are taken to go the other way. */
const PART_DEGREES = 120;
/** A box is that of its footprint where it differs by less, degrees. */
const SAME_DEGREES = 0.01;

/**
 * The footprint of an item of an upstream. Which way an edge of more than 180 degrees goes is said by the item's own box
 * (RFC 7946, section 5.2: west < east does not cross the antimeridian): such edges get vertices between their ends.
 *
 * The box is the item's own within ±180, west > east where it crosses the antimeridian; that of its footprint where the item has
 * none, or one around half the world and more that stands for a crossing.
 */
export function footprintOf(given: unknown, givenBbox: unknown): Footprint {
  const geometry = isJson(given) ? (given as unknown as Geometry) : null;
  if (geometry === null) return { geometry, bbox: undefined };
  const bbox = cornersOf(givenBbox);
  if (bbox !== undefined && bbox[2] - bbox[0] <= 180) {
    return { geometry, bbox: bbox[0] > bbox[2] ? bbox : wrapBbox(bbox) };
  }
  if (bbox !== undefined && isPolygonal(geometry) && goesAround(geometry, bbox)) {
    return { geometry: withShortEdges(geometry), bbox: bbox[2] - bbox[0] >= 360 ? bbox : wrapBbox(bbox) };
  }
  return { geometry, bbox: shapeBbox(footprintShape(geometry)) };
}

function cornersOf(bbox: unknown): Bbox | undefined {
  const numbers = numbersOf(bbox) ?? [];
  const corners = { 4: [0, 1, 2, 3], 6: [0, 1, 3, 4] }[numbers.length]?.map((i) => numbers[i]);
  const [west, south, east, north] = (corners ?? []) as [number?, number?, number?, number?];
  const isKnown = west !== undefined && south !== undefined && east !== undefined && north !== undefined;
  return isKnown ? [west, south, east, north] : undefined;
}

const isPolygonal = ({ type }: Geometry): boolean => type === "Polygon" || type === "MultiPolygon";

/** Whether a footprint with a box of more than 180 degrees is as wide as that, and no scene that crosses the antimeridian. */
function goesAround(geometry: Geometry, [west, , east]: Bbox): geometry is PolygonGeometry {
  const longitudes = polygonsOf(geometry as PolygonGeometry).flatMap((rings) =>
    rings.flat().map(([x = Number.NaN]) => x),
  );
  const [least, most] = [Math.min(...longitudes), Math.max(...longitudes)];
  if (!(Math.abs(least - west) < SAME_DEGREES && Math.abs(most - east) < SAME_DEGREES)) return false;
  if (west < -180 - SAME_DEGREES || east > 180 + SAME_DEGREES) return true;
  const short = shapeBbox(footprintShape(geometry));
  if (short === undefined) return false;
  const width = short[2] - short[0] + (short[2] < short[0] ? 360 : 0);
  return width > SCENE_DEGREES || short[3] - short[1] > SCENE_DEGREES;
}

function withShortEdges(geometry: PolygonGeometry): PolygonGeometry {
  const rings = (polygon: readonly (readonly Position[])[]): Position[][] => polygon.map(cutEdges);
  return geometry.type === "Polygon"
    ? { ...geometry, coordinates: rings(geometry.coordinates) }
    : { ...geometry, coordinates: geometry.coordinates.map(rings) };
}

function cutEdges(ring: readonly Position[]): Position[] {
  return ring.flatMap((from, i): Position[] => {
    const to = ring[i + 1];
    const [[x0 = 0, y0 = 0], [x1 = 0, y1 = 0]] = [from, to ?? from];
    if (Math.abs(x1 - x0) <= 180) return [from];
    const parts = Math.ceil(Math.abs(x1 - x0) / PART_DEGREES);
    const between = Array.from({ length: parts - 1 }, (_, k): Position => {
      const share = (k + 1) / parts;
      return [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
    });
    return [from, ...between];
  });
}
