/** Colors that tell lines and sensors apart: custom properties `--mark-1` and so on of the page's style sheet. */
export const MARK_COLORS = 8;

/** A point of a chart: a value, or a place on the time axis where there is none. */
export interface Mark {
  /** Epoch seconds. */
  readonly time: number;
  /** `null`: masked; it is drawn hollow, below all values. */
  readonly value: number | null;
  /** Index of the line that it belongs to. */
  readonly line: number;
  /** Index of its color and shape. */
  readonly kind: number;
  /** The observation, as an index into a list of the caller's. */
  readonly source: number;
}

/** Moves a time that is not later than the one before it, seconds: each place of a time axis has one mark. */
const STEP_S = 0.001;

/** Marks of all lines in the order of time, each at a time of its own. */
export function inOrder(marks: readonly Mark[]): Mark[] {
  let before = Number.NEGATIVE_INFINITY;
  return [...marks]
    .sort((a, b) => a.time - b.time)
    .map((mark) => {
      const time = mark.time > before ? mark.time : before + STEP_S;
      before = time;
      return { ...mark, time };
    });
}

/** Data of a chart: times, and the values of each line; `undefined` where another line has its mark. */
export function alignedData(
  marks: readonly Mark[],
  lines: number,
): readonly [number[], ...(number | null | undefined)[][]] {
  const values = Array.from({ length: lines }, (_, line) =>
    marks.map((mark) => (mark.line === line ? mark.value : undefined)),
  );
  return [marks.map(({ time }) => time), ...values];
}

/** Pixels of the pointer within which marks are as near by time. */
const AS_NEAR = 8;

/**
 * The mark that the pointer means: of those that are nearest by time the one that is nearest by value.
 *
 * @param places of the marks in pixels
 */
export function markAt(
  places: readonly { readonly x: number; readonly y: number }[],
  pointer: { readonly x: number; readonly y: number },
): number | undefined {
  const away = places.map(({ x }) => Math.abs(x - pointer.x));
  const nearest = away.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  let found: number | undefined;
  for (const [i, distance] of away.entries()) {
    if (distance > nearest + AS_NEAR) continue;
    const best = found === undefined ? Number.POSITIVE_INFINITY : farness(places[found], pointer);
    if (farness(places[i], pointer) < best) found = i;
  }
  return found;
}

const farness = (place: { readonly x: number; readonly y: number } | undefined, pointer: { x: number; y: number }) =>
  place === undefined ? Number.POSITIVE_INFINITY : Math.hypot(place.x - pointer.x, (place.y - pointer.y) / 2);

/** Kinds have shapes of their own, so that they can be told apart without color. */
const SHAPES = ["circle", "square", "triangle", "diamond"] as const;

/** Shapes move on by one after each round of the colors, so that 32 kinds differ in one or the other. */
const shapeOf = (kind: number) => SHAPES[(kind + Math.floor(kind / MARK_COLORS)) % SHAPES.length];

/** The outline of a kind's mark around a place, in pixels. */
export function markPath(kind: number, x: number, y: number, radius: number): Path2D {
  const path = new Path2D();
  const shape = shapeOf(kind);
  if (shape === "circle") {
    path.arc(x, y, radius, 0, 2 * Math.PI);
    return path;
  }
  const corners = { square: 4, triangle: 3, diamond: 4 }[shape ?? "square"];
  const turn = { square: Math.PI / 4, triangle: -Math.PI / 2, diamond: 0 }[shape ?? "square"];
  for (let i = 0; i < corners; i++) {
    const angle = turn + (i * 2 * Math.PI) / corners;
    path.lineTo(x + radius * 1.2 * Math.cos(angle), y + radius * 1.2 * Math.sin(angle));
  }
  path.closePath();
  return path;
}

/** The same outline for a legend: points of an SVG polygon in a box of 12, or undefined for a circle. */
export function legendPoints(kind: number): string | undefined {
  const shape = shapeOf(kind);
  return {
    circle: undefined,
    square: "1.8,1.8 10.2,1.8 10.2,10.2 1.8,10.2",
    triangle: "6,0.8 10.8,9.4 1.2,9.4",
    diamond: "6,0.4 11.6,6 6,11.6 0.4,6",
  }[shape ?? "circle"];
}
