import { parseIntersects } from "@swath/query";
import { memberOf, readMember } from "../read-member.ts";
import { type Path, Refusal } from "../refusal.ts";
import type { AreaWhere, FeaturesWhere, FeatureWhere, PointWhere } from "../request.ts";

/** A feature as a place of its own. */
export interface FeaturePlace {
  readonly id: string | number;
  readonly where: PointWhere | AreaWhere;
  /** Where it stands in the request. */
  readonly path: Path;
}

/** Degrees, a centimetre, by which the square around a point is larger: it has an area, and the centre of no pixel. */
const AROUND = 1e-7;

/**
 * Reads the ids and kinds of features.
 *
 * @param points whether a point is one; else it is a square of two centimetres, which has the value of the pixel around it
 * @throws {Refusal} `invalid` for a geometry that does not parse, and for an id that is there twice.
 */
export function featurePlace(
  { id, geometry }: FeatureWhere,
  number: number,
  { frame }: Pick<FeaturesWhere, "frame">,
  points: boolean,
): FeaturePlace {
  const path: Path = ["where", "features", number];
  const placed = { id: id ?? String(number), path };
  if ((geometry as { readonly type?: unknown } | null)?.type !== "Point") {
    return { ...placed, where: { kind: "area", geometry, frame } };
  }
  const point = readMember(memberOf(path, "geometry"), (at) => parseIntersects(geometry, at));
  const [lon = 0, lat = 0] = point.type === "Point" ? point.coordinates : [];
  if (points) return { ...placed, where: { kind: "point", lon, lat } };
  const [west, south] = [Math.max(-180, lon - AROUND), Math.max(-90, lat - AROUND)];
  const [east, north] = [Math.min(180, lon + AROUND), Math.min(90, lat + AROUND)];
  return { ...placed, where: { kind: "area", bbox: undefined, geometry: square(west, south, east, north), frame } };
}

const square = (west: number, south: number, east: number, north: number) => ({
  type: "Polygon",
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});

/** @throws {Refusal} `invalid` for an id that two features have: results are told apart by it. */
export function checkFeatureIds(features: readonly FeatureWhere[]): void {
  const known = new Map<string, number>();
  for (const [i, { id = String(i) }] of features.entries()) {
    const key = String(id);
    const first = known.get(key);
    if (first !== undefined) {
      const detail = `Expected each id once: features ${first} and ${i} have the id "${key.slice(0, 100)}".`;
      throw new Refusal("invalid", ["where", "features", i, "id"], detail);
    }
    known.set(key, i);
  }
}

/** Degrees of a cell whose features are neighbours: about a block of 1,024 pixels of 10 m. */
const CELL = 0.1;

/** Features in an order in which neighbours follow each other, and which of them have one. */
export interface FeatureOrder {
  /** Numbers of the features. */
  readonly order: readonly number[];
  /** By the feature's number. */
  readonly hasNeighbour: readonly boolean[];
}

/**
 * Orders places along a Z-order curve (Morton 1966) of cells of a tenth of a degree.
 *
 * @param middles longitude and latitude of each, degrees
 */
export function featureOrder(middles: readonly (readonly [number, number])[]): FeatureOrder {
  const cells = middles.map(([lon, lat]) => zOrder(Math.floor((lon + 360) / CELL), Math.floor((lat + 90) / CELL)));
  const counts = new Map<number, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const order = [...middles.keys()].sort((a, b) => cells[a]! - cells[b]! || a - b);
  return { order, hasNeighbour: cells.map((cell) => (counts.get(cell) ?? 0) > 1) };
}

/** The bits of two numbers below 2^14, by turns. */
function zOrder(x: number, y: number): number {
  let z = 0;
  for (let bit = 13; bit >= 0; bit--) z = 4 * z + 2 * ((y >> bit) & 1) + ((x >> bit) & 1);
  return z;
}
