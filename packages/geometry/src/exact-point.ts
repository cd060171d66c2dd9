import { orient2d } from "robust-predicates";

/** A segment of a plane, from its first to its second end. */
export interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** Homogeneous coordinates times a power of two: x = `x / (w · 2^scale)`, `w` above zero. */
interface Rational {
  readonly x: bigint;
  readonly y: bigint;
  readonly w: bigint;
}

/**
 * A point that is known exactly: a vertex, where two segments cross, or halfway between two such points. `x` and `y`
 * are within `error` of it, which decides nearly all comparisons; the others compute with integers of any length.
 */
export interface ExactPoint {
  readonly x: number;
  readonly y: number;
  readonly error: number;
  /** True for a point whose coordinates are `x` and `y` themselves. */
  readonly isVertex: boolean;
  readonly rational: () => Rational;
}

/** Points of one comparison of geometries, all with the same scale. */
export class ExactPlane {
  /** Bits that make all coordinates integers. */
  readonly #scale: () => bigint;
  /** The largest coordinate, which bounds the errors of floating-point arithmetic. */
  readonly #most: number;

  /** @param coordinates all coordinates that will be used; finite */
  constructor(coordinates: readonly number[]) {
    this.#scale = once(() => BigInt(coordinates.reduce((most, value) => Math.max(most, fractionBits(value)), 0)));
    this.#most = coordinates.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  }

  vertex(x: number, y: number): ExactPoint {
    const rational = (): Rational => ({ x: this.#integer(x), y: this.#integer(y), w: 1n });
    return { x, y, error: 0, isVertex: true, rational };
  }

  /** Returns the point where two segments cross that are known to cross in one point. */
  crossing(p: Segment, q: Segment): ExactPoint {
    const [dx, dy, ex, ey] = [p.x2 - p.x1, p.y2 - p.y1, q.x2 - q.x1, q.y2 - q.y1];
    const determinant = dx * ey - dy * ex;
    const share = ((q.x1 - p.x1) * ey - (q.y1 - p.y1) * ex) / determinant;
    const errorOfShare = (2 ** -48 * this.#most * this.#most) / Math.abs(determinant);
    const error = errorOfShare * (Math.abs(dx) + Math.abs(dy)) + 2 ** -50 * this.#most;
    const [x, y] = [p.x1 + share * dx, p.y1 + share * dy];
    const isKnown = Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(error);
    return {
      x: isKnown ? x : p.x1,
      y: isKnown ? y : p.y1,
      error: isKnown ? error : Infinity,
      isVertex: false,
      rational: once(() => this.#rationalCrossing(p, q)),
    };
  }

  middle(a: ExactPoint, b: ExactPoint): ExactPoint {
    const error = Math.max(a.error, b.error) + 2 ** -50 * this.#most;
    const rational = once(() => {
      const [p, q] = [a.rational(), b.rational()];
      return { x: p.x * q.w + q.x * p.w, y: p.y * q.w + q.y * p.w, w: 2n * p.w * q.w };
    });
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, error, isVertex: false, rational };
  }

  /** Negative where `a` is less than `b` along the axis, zero only where they are the same. */
  compare(a: ExactPoint, b: ExactPoint, axis: "x" | "y"): number {
    const difference = a[axis] - b[axis];
    if (a.isVertex && b.isVertex) return difference;
    if (Math.abs(difference) > a.error + b.error) return difference;
    const [p, q] = [a.rational(), b.rational()];
    return signOf(p[axis] * q.w - q[axis] * p.w);
  }

  /** Negative where the point is less than a coordinate, zero only where it is the same. */
  compareTo(point: ExactPoint, value: number, axis: "x" | "y"): number {
    const difference = point[axis] - value;
    if (point.isVertex || Math.abs(difference) > point.error) return difference;
    const { w, ...rational } = point.rational();
    return signOf(rational[axis] - this.#integer(value) * w);
  }

  /** Returns the side of the line through a segment that a point is on: zero on it, of one sign to one side. */
  side({ x1, y1, x2, y2 }: Segment, point: ExactPoint): number {
    if (point.isVertex) return -orient2d(x1, y1, x2, y2, point.x, point.y);
    const [dx, dy] = [x2 - x1, y2 - y1];
    const turn = dx * (point.y - y1) - dy * (point.x - x1);
    const length = Math.abs(dx) + Math.abs(dy);
    if (Math.abs(turn) > length * (point.error + 2 ** -48 * this.#most)) return turn;
    const { x, y, w } = point.rational();
    const [ax, ay] = [this.#integer(x1), this.#integer(y1)];
    const [bx, by] = [this.#integer(x2), this.#integer(y2)];
    return signOf((bx - ax) * (y - ay * w) - (by - ay) * (x - ax * w));
  }

  #rationalCrossing(p: Segment, q: Segment): Rational {
    const [ax, ay, bx, by] = [p.x1, p.y1, p.x2, p.y2].map((value) => this.#integer(value)) as Four;
    const [cx, cy, dx, dy] = [q.x1, q.y1, q.x2, q.y2].map((value) => this.#integer(value)) as Four;
    const w = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx);
    const share = (cx - ax) * (dy - cy) - (cy - ay) * (dx - cx);
    const sign = w < 0n ? -1n : 1n;
    return { x: sign * (ax * w + share * (bx - ax)), y: sign * (ay * w + share * (by - ay)), w: sign * w };
  }

  #integer(value: number): bigint {
    const bits = fractionBits(value);
    // by halves, since 2 ** 1074 times a number may be infinite
    let whole = value;
    for (let left = bits; left > 0; left -= 512) whole *= 2 ** Math.min(left, 512);
    return BigInt(whole) << (this.#scale() - BigInt(bits));
  }
}

type Four = [bigint, bigint, bigint, bigint];

/** Doublings after which a number is an integer: 0 to 1,074. */
function fractionBits(value: number): number {
  let bits = 0;
  for (let rest = value; !Number.isInteger(rest); rest *= 2) bits += 1;
  return bits;
}

function once<T>(compute: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}

function signOf(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}
