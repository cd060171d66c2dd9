import { cutEdges, type Edge, isOn, type Piece, piecesOf, type Side } from "./arrangement.ts";
import { uniteBounds } from "./bbox.ts";
import { ExactPlane, type ExactPoint } from "./exact-point.ts";
import { coordinatesOf, divided, isInWindow, type Placed, placedParts } from "./placed-parts.ts";
import { type Shape, shapesIntersect } from "./shape.ts";

/** The relations of two geometries (OGC 06-103r4, 6.1.15). */
export type SpatialRelation =
  | "intersects"
  | "disjoint"
  | "equals"
  | "touches"
  | "within"
  | "overlaps"
  | "crosses"
  | "contains";

/** A named relation: parts of the DE-9IM matrix of two geometries that share a point. */
interface Relation {
  /** Dimension of what the interiors share: 2 area, 1 lines, 0 points, −1 nothing. */
  interiors: number;
  /** Whether no point of the first is outside of the second. */
  isCovered: boolean;
  /** Whether no point of the second is outside of the first. */
  covers: boolean;
  /** Dimension of each. */
  readonly dimensions: readonly [number, number];
}

/**
 * Whether two shapes are in a relation by DE-9IM, exact for all finite coordinates, at all whole turns. Parts that meet
 * at an edge, as footprints that the antimeridian cuts do, are one area. An empty shape is disjoint from all.
 *
 * Each needs as many steps as the shapes have edges, times the edges that are near; see `shapesIntersect` for
 * `"intersects"` and `"disjoint"`, which agree with it by definition.
 */
export function shapesRelate(relation: SpatialRelation, a: Shape, b: Shape): boolean {
  const meet = shapesIntersect(a, b);
  if (relation === "intersects") return meet;
  if (relation === "disjoint") return !meet;
  if (!meet) return false;
  const { interiors, isCovered, covers, dimensions } = relate(a, b);
  const [p, q] = dimensions;
  switch (relation) {
    case "touches":
      return interiors < 0;
    case "within":
      return interiors >= 0 && isCovered;
    case "contains":
      return interiors >= 0 && covers;
    case "equals":
      return interiors >= 0 && isCovered && covers;
    case "overlaps":
      return p === q && interiors === p && !isCovered && !covers;
    case "crosses":
      if (p === q) return p === 1 && interiors === 0;
      return interiors >= 0 && (p < q ? !isCovered : !covers);
  }
}

/**
 * Pairs of edges of different parts of a shape that may meet: what `shapesRelate` looks at besides the edges that the two
 * shapes have. Nothing for a shape of one part, and for parts whose boxes are apart.
 */
export function overlappingEdges({ parts }: Shape): number {
  let pairs = 0;
  for (const [i, p] of parts.entries()) {
    for (const q of parts.slice(i + 1)) {
      const areApart = p.west > q.east || q.west > p.east || p.south > q.north || q.south > p.north;
      if (!areApart && (p.isArea || q.isArea)) pairs += (p.segments.length / 4) * (q.segments.length / 4);
    }
  }
  return pairs;
}

function relate(a: Shape, b: Shape): Relation {
  const placed = placedParts([a, b]);
  const bounds = ([0, 1] as const).map((of) =>
    uniteBounds(placed.filter((part) => part.of === of).map((part) => part.bounds)),
  );
  const [edges, apart] = divided(placed, bounds);
  const plane = new ExactPlane(coordinatesOf(placed));
  const points = placed.flatMap(({ of, point }) =>
    point === undefined ? [] : [{ of, at: plane.vertex(point[0], point[1]) }],
  );
  const meetings = cutEdges(
    plane,
    edges,
    points.map(({ at }) => at),
  );
  const pieces = edges.flatMap((edge) => piecesOf(plane, edge)).filter(({ middle }) => isInWindow(middle));
  const relation: Relation = {
    interiors: -1,
    isCovered: apart.every(({ of }) => of !== 0),
    covers: apart.every(({ of }) => of !== 1),
    dimensions: [dimensionOf(placed, 0), dimensionOf(placed, 1)],
  };
  const areas = ([0, 1] as const).map((of) => placed.filter((part) => part.isArea && part.of === of));
  const lines = ([0, 1] as const).map((of) => edges.filter((edge) => !edge.isArea && edge.of === of));
  const sides = pieces.map((piece) => sidesOf(plane, piece, areas));
  for (const [i, piece] of pieces.entries()) countPiece(plane, relation, piece, sides[i]!, lines);
  const ends = ([0, 1] as const).map((of) => lineBoundary(placed.filter((part) => part.of === of)));
  for (const meeting of meetings) {
    const isBoundary = ends.some((boundary) => isAmong(plane, boundary, meeting));
    if (!isBoundary && isInWindow(meeting)) relation.interiors = Math.max(relation.interiors, 0);
  }
  for (const { of, at } of points) {
    if (!isInWindow(at)) continue;
    const other = (1 - of) as Side;
    const isPoint = points.some((point) => point.of === other && point.at.x === at.x && point.at.y === at.y);
    const onLine = lines[other]!.some((edge) => isOn(plane, edge, at));
    const inArea = areaLocation(plane, at, areas[other]!, pieces, sides, other);
    const isInside = isPoint || inArea === "interior" || (onLine && !isAmong(plane, ends[other]!, at));
    if (isInside) relation.interiors = Math.max(relation.interiors, 0);
    if (isPoint || onLine || inArea !== "exterior") continue;
    if (of === 0) relation.isCovered = false;
    else relation.covers = false;
  }
  return relation;
}

/** Whether there is area on the one and on the other side of a piece. */
type BothSides = readonly [boolean, boolean];

/** For each of the two geometries: whether it has area on the sides of a piece. */
type Sides = readonly BothSides[];

function sidesOf(plane: ExactPlane, piece: Piece, areas: readonly (readonly Placed[])[]): Sides {
  const { x, y, error } = piece.middle;
  return areas.map((parts) => {
    let [first, second] = [false, false];
    for (const part of parts) {
      const [west, south, east, north] = part.bounds;
      if (x < west - error || x > east + error || y < south - error || y > north + error) continue;
      const sides = part.index === piece.edge.part ? ownSides(plane, piece, part) : sidesWithin(plane, piece, part);
      first ||= sides[0];
      second ||= sides[1];
    }
    return [first, second];
  });
}

/**
 * The sides of each segment of a part on which the part's own area is, as two bits over one that says that they are
 * known.
 */
const known = new WeakMap<Float64Array, Uint8Array>();

/** The sides of a piece of the part's own boundary, which are the same for all pieces of an edge and for all items. */
function ownSides(plane: ExactPlane, piece: Piece, part: Placed): BothSides {
  let all = known.get(part.segments);
  if (all === undefined) {
    all = new Uint8Array(part.segments.length / 4);
    known.set(part.segments, all);
  }
  const { index } = piece.edge;
  if (all[index] === 0) {
    const [first, second] = sidesWithin(plane, piece, part);
    all[index] = 1 + (first ? 2 : 0) + (second ? 4 : 0);
  }
  return [(all[index]! & 2) !== 0, (all[index]! & 4) !== 0];
}

/**
 * Counts the edges of an area that a ray to the east crosses from the middle of a piece. Those that run along the
 * piece are left out: the count is that of the eastern side (the northern one of a horizontal piece), and the other
 * side differs by their number.
 */
function sidesWithin(plane: ExactPlane, { edge, middle }: Piece, part: Placed): BothSides {
  const { x, y, error } = middle;
  let [crossings, along] = [0, 0];
  for (const other of part.edges) {
    const { x1, y1, x2, y2 } = other;
    // nearly all edges are clearly above, below or to the west of the point, or cross its ray in the east
    if ((y1 > y + error && y2 > y + error) || (y1 < y - error && y2 < y - error)) continue;
    if (x1 < x - error && x2 < x - error) continue;
    const isClear = x1 > x + error && x2 > x + error && Math.min(Math.abs(y1 - y), Math.abs(y2 - y)) > error;
    if (isClear) crossings += 1;
    else if (other === edge || isOn(plane, other, middle)) along += 1;
    else if (crossesEast(plane, other, middle)) crossings += 1;
  }
  return [crossings % 2 === 1, (crossings + along) % 2 === 1];
}

function crossesEast(plane: ExactPlane, edge: Edge, point: ExactPoint): boolean {
  if (point.x > Math.max(edge.x1, edge.x2) + point.error) return false;
  const startsAbove = plane.compareTo(point, edge.y1, "y") < 0;
  const endsAbove = plane.compareTo(point, edge.y2, "y") < 0;
  if (startsAbove === endsAbove) return false;
  // upwards, what is to the west of the edge is on its left
  return plane.side(edge, point) > 0 === endsAbove;
}

function countPiece(
  plane: ExactPlane,
  relation: Relation,
  { edge, middle }: Piece,
  sides: Sides,
  lines: readonly (readonly Edge[])[],
): void {
  const [[a1, a2], [b1, b2]] = sides as [[boolean, boolean], [boolean, boolean]];
  for (const [a, b] of [
    [a1, b1],
    [a2, b2],
  ]) {
    if (a && b) relation.interiors = 2;
    if (a && !b) relation.isCovered = false;
    if (b && !a) relation.covers = false;
  }
  if (edge.isArea) return;
  const [inFirst, inSecond] = edge.of === 0 ? [b1, b2] : [a1, a2];
  const isShared = lines[1 - edge.of]!.some((other) => isOn(plane, other, middle));
  if (isShared || (inFirst && inSecond)) relation.interiors = Math.max(relation.interiors, 1);
  if (isShared || inFirst || inSecond) return;
  if (edge.of === 0) relation.isCovered = false;
  else relation.covers = false;
}

/** Returns the location of a point; a point on a boundary that two parts share is inside. */
function areaLocation(
  plane: ExactPlane,
  at: ExactPoint,
  areas: readonly Placed[],
  pieces: readonly Piece[],
  sides: readonly Sides[],
  of: Side,
): "interior" | "boundary" | "exterior" {
  let isOnEdge = false;
  for (const { bounds, edges } of areas) {
    if (at.x < bounds[0] || at.x > bounds[2] || at.y < bounds[1] || at.y > bounds[3]) continue;
    if (edges.some((edge) => isOn(plane, edge, at))) isOnEdge = true;
    else if (edges.filter((edge) => crossesEast(plane, edge, at)).length % 2 === 1) return "interior";
  }
  if (!isOnEdge) return "exterior";
  const isBoundary = pieces.some(({ edge, ends }, i) => {
    const [first, second] = sides[i]![of]!;
    return edge.isArea && edge.of === of && first !== second && ends.some((end) => isSame(end, at));
  });
  return isBoundary ? "boundary" : "interior";
}

function isSame(a: ExactPoint, b: ExactPoint): boolean {
  return a.isVertex && a.x === b.x && a.y === b.y;
}

/** The ends of lines that are boundary: those of an odd number of lines (the mod-2 rule, OGC 06-103r4, 6.1.15.1). */
function lineBoundary(parts: readonly Placed[]): readonly (readonly [number, number])[] {
  const odd = new Map<string, readonly [number, number]>();
  for (const end of parts.flatMap(({ ends }) => ends)) {
    const key = end.join(" ");
    if (!odd.delete(key)) odd.set(key, end);
  }
  return [...odd.values()];
}

function isAmong(plane: ExactPlane, positions: readonly (readonly [number, number])[], point: ExactPoint): boolean {
  return positions.some(([x, y]) => plane.compareTo(point, x, "x") === 0 && plane.compareTo(point, y, "y") === 0);
}

function dimensionOf(parts: readonly Placed[], of: Side): number {
  const own = parts.filter((part) => part.of === of);
  if (own.some(({ isArea }) => isArea)) return 2;
  return own.some(({ edges }) => edges.length > 0) ? 1 : 0;
}
