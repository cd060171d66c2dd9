import { cutEdges, type Edge, isOn, type Piece, piecesOf, type Side } from "./arrangement.ts";
import { ExactPlane, type ExactPoint } from "./exact-point.ts";
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

/** What the named relations are made of: parts of the DE-9IM matrix of two geometries that share a point. */
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
      return isCovered && covers;
    case "overlaps":
      return p === q && interiors === p && !isCovered && !covers;
    case "crosses":
      if (p === q) return p === 1 && interiors === 0;
      return interiors >= 0 && (p < q ? !isCovered : !covers);
  }
}

/** Turns that a part is placed at: more are touched only by longitudes that mean nothing. */
const MAX_TURNS = 8;

/** A part of a shape, moved by whole turns. */
interface Placed {
  readonly of: Side;
  readonly isArea: boolean;
  readonly edges: readonly Edge[];
  /** Its position where it is a point. */
  readonly point: readonly [number, number] | undefined;
  readonly ends: readonly (readonly [number, number])[];
  readonly bounds: readonly [west: number, south: number, east: number, north: number];
}

function relate(a: Shape, b: Shape): Relation {
  const placed = placedParts([a, b]);
  const edges = placed.flatMap((part) => part.edges);
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
    isCovered: true,
    covers: true,
    dimensions: [dimensionOf(placed, 0), dimensionOf(placed, 1)],
  };
  const areas = ([0, 1] as const).map((of) => placed.filter((part) => part.isArea && part.of === of));
  const lines = ([0, 1] as const).map((of) => edges.filter((edge) => !edge.isArea && edge.of === of));
  const sides = pieces.map((piece) => sidesOf(plane, piece, areas));
  for (const [i, piece] of pieces.entries()) countPiece(plane, relation, piece, sides[i]!, lines);
  const ends = ([0, 1] as const).map((of) => lineBoundary(placed.filter((part) => part.of === of)));
  for (const meeting of meetings) {
    const isBoundary = ends.some((boundary) => meeting.isVertex && boundary.has(`${meeting.x} ${meeting.y}`));
    if (!isBoundary && isInWindow(meeting)) relation.interiors = Math.max(relation.interiors, 0);
  }
  for (const { of, at } of points) {
    if (!isInWindow(at)) continue;
    const other = (1 - of) as Side;
    const isPoint = points.some((point) => point.of === other && point.at.x === at.x && point.at.y === at.y);
    const onLine = lines[other]!.some((edge) => isOn(plane, edge, at));
    const inArea = areaLocation(plane, at, areas[other]!, pieces, sides, other);
    const isInside = isPoint || inArea === "interior" || (onLine && !ends[other]!.has(`${at.x} ${at.y}`));
    if (isInside) relation.interiors = Math.max(relation.interiors, 0);
    if (isPoint || onLine || inArea !== "exterior") continue;
    if (of === 0) relation.isCovered = false;
    else relation.covers = false;
  }
  return relation;
}

/** For each of the two geometries: whether it has area on the one and on the other side of a piece. */
type Sides = readonly (readonly [boolean, boolean])[];

/**
 * Counts the edges of each area that a ray to the east crosses from the middle of a piece. Those that run along the
 * piece are left out: the count is that of the eastern side (the northern one of a horizontal piece), and the other
 * side differs by their number.
 */
function sidesOf(plane: ExactPlane, { edge, middle }: Piece, areas: readonly (readonly Placed[])[]): Sides {
  return areas.map((parts) => {
    let [first, second] = [false, false];
    for (const { bounds, edges } of parts) {
      const { x, y, error } = middle;
      if (x < bounds[0] - error || x > bounds[2] + error || y < bounds[1] - error || y > bounds[3] + error) continue;
      let [crossings, along] = [0, 0];
      for (const other of edges) {
        if (other === edge || isAlong(plane, other, middle)) along += 1;
        else if (crossesEast(plane, other, middle)) crossings += 1;
      }
      first ||= crossings % 2 === 1;
      second ||= (crossings + along) % 2 === 1;
    }
    return [first, second] as const;
  });
}

/** Whether an edge runs through the middle of a piece, which it meets nowhere else than along it. */
function isAlong(plane: ExactPlane, edge: Edge, middle: ExactPoint): boolean {
  return isOn(plane, edge, middle);
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

/** Where a point is; on a boundary that two parts share it is inside. */
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
function lineBoundary(parts: readonly Placed[]): Set<string> {
  const odd = new Set<string>();
  for (const [x, y] of parts.flatMap(({ ends }) => ends)) {
    const key = `${x} ${y}`;
    if (!odd.delete(key)) odd.add(key);
  }
  return odd;
}

function dimensionOf(parts: readonly Placed[], of: Side): number {
  const own = parts.filter((part) => part.of === of);
  if (own.some(({ isArea }) => isArea)) return 2;
  return own.some(({ edges }) => edges.length > 0) ? 1 : 0;
}

function* coordinatesOf(parts: readonly Placed[]): Generator<number> {
  for (const { edges, point } of parts) {
    for (const { x1, y1, x2, y2 } of edges) yield* [x1, y1, x2, y2];
    if (point !== undefined) yield* point;
  }
}

/** One turn is looked at; what continues beyond it is there again at its other end. */
function isInWindow({ x }: ExactPoint): boolean {
  return x >= -180 && x <= 180;
}

/**
 * The parts at the turns at which they touch longitudes −180 to 180: most at one, those across the antimeridian at two,
 * so that both shapes are complete around everything in between.
 */
function placedParts(shapes: readonly [Shape, Shape]): Placed[] {
  const placed: Placed[] = [];
  for (const side of [0, 1] as const) {
    for (const { segments, isArea, west, south, east, north } of shapes[side].parts) {
      const first = Math.ceil((-180 - east) / 360);
      const last = Math.floor((180 - west) / 360);
      for (let turn = first; turn <= last && turn < first + MAX_TURNS; turn++) {
        const shift = turn * 360;
        const part = placed.length;
        const bounds = [west + shift, south, east + shift, north] as const;
        placed.push({ of: side, isArea, bounds, ...placeSegments(segments, shift, { of: side, part, isArea }) });
      }
    }
  }
  return placed;
}

function placeSegments(
  segments: Float64Array,
  shift: number,
  own: { readonly of: Side; readonly part: number; readonly isArea: boolean },
): Pick<Placed, "edges" | "point" | "ends"> {
  const edges: Edge[] = [];
  for (let i = 0; i < segments.length; i += 4) {
    const [x1, y1, x2, y2] = [segments[i]! + shift, segments[i + 1]!, segments[i + 2]! + shift, segments[i + 3]!];
    if (x1 !== x2 || y1 !== y2) edges.push({ ...own, x1, y1, x2, y2, cuts: [] });
  }
  const start = [segments[0]! + shift, segments[1]!] as const;
  if (own.isArea) return { edges, point: undefined, ends: [] };
  if (edges.length === 0) return { edges, point: start, ends: [] };
  return { edges, point: undefined, ends: [start, [segments.at(-2)! + shift, segments.at(-1)!]] };
}
