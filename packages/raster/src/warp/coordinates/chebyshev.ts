import type { PixelMap } from "./pixel-map.ts";

/** Degree of the polynomials in each direction. */
const DEGREE = 5;
const NODES = DEGREE + 1;
const CHECKS = NODES + 1;
/** Exact points one patch costs; a patch that would need more than its quarters would, is split. */
export const PATCH_POINTS = NODES * NODES + CHECKS * CHECKS;

/** Chebyshev nodes of the first kind: zeros of T6 on −1 to 1. */
const NODE_AT = Array.from({ length: NODES }, (_, i) => -Math.cos(((2 * i + 1) * Math.PI) / (2 * NODES)));
/** Extremes of T6, where the error of an interpolation at its zeros is greatest; the ends are among them. */
const CHECK_AT = Array.from({ length: CHECKS }, (_, i) => -Math.cos((i * Math.PI) / NODES));
/** TO_POWERS[p][i]: share of the value at node i in the coefficient of t^p. */
const TO_POWERS = lagrangeCoefficients();

/**
 * Source pixel coordinates over a rectangle of target pixels as polynomials: `x[q][p]` (flattened) is the coefficient
 * of u^p·v^q, where u and v go from −1 to 1 from the first pixel centre to the last. `error` is the greatest
 * difference from the exact map found where such differences are greatest, in source pixels.
 */
export interface PatchFit {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly error: number;
}

export interface PatchSamples {
  /** Undefined where a sampled point has no source coordinates. */
  readonly fit: PatchFit | undefined;
  /** Sampled points with source coordinates. */
  readonly found: number;
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Samples the exact map over `width × height` pixels from (`x0`, `y0`) and fits it. */
export function samplePatch(map: PixelMap, x0: number, y0: number, width: number, height: number): PatchSamples {
  const halfX = (width - 1) / 2;
  const halfY = (height - 1) / 2;
  const midX = x0 + 0.5 + halfX;
  const midY = y0 + 0.5 + halfY;
  const point = { x: 0, y: 0 };
  const xs = new Float64Array(NODES * NODES);
  const ys = new Float64Array(NODES * NODES);
  let [found, minX, minY, maxX, maxY] = [0, Infinity, Infinity, -Infinity, -Infinity];
  const sample = (u: number, v: number): void => {
    point.x = midX + u * halfX;
    point.y = midY + v * halfY;
    map(point);
    if (Number.isNaN(point.x)) return;
    found += 1;
    minX = Math.min(minX, point.x);
    maxX = Math.max(maxX, point.x);
    minY = Math.min(minY, point.y);
    maxY = Math.max(maxY, point.y);
  };
  for (let j = 0; j < NODES; j++) {
    for (let i = 0; i < NODES; i++) {
      sample(NODE_AT[i]!, NODE_AT[j]!);
      xs[j * NODES + i] = point.x;
      ys[j * NODES + i] = point.y;
    }
  }
  const x = found === NODES * NODES ? toPowers(xs) : undefined;
  const y = x === undefined ? undefined : toPowers(ys);
  let error = 0;
  for (let j = 0; j < CHECKS; j++) {
    for (let i = 0; i < CHECKS; i++) {
      const [u, v] = [CHECK_AT[i]!, CHECK_AT[j]!];
      sample(u, v);
      if (x === undefined || y === undefined) continue;
      error = Math.max(error, Math.abs(evaluate(x, u, v) - point.x), Math.abs(evaluate(y, u, v) - point.y));
    }
  }
  const fit = x === undefined || y === undefined || found < PATCH_POINTS ? undefined : { x, y, error };
  return { fit, found, minX, minY, maxX, maxY };
}

/** Coefficients in u at a fixed v, lowest power first, into `out`. */
export function rowCoefficients(powers: Float64Array, v: number, out: Float64Array): void {
  for (let p = 0; p < NODES; p++) {
    let value = powers[DEGREE * NODES + p]!;
    for (let q = DEGREE - 1; q >= 0; q--) value = value * v + powers[q * NODES + p]!;
    out[p] = value;
  }
}

function evaluate(powers: Float64Array, u: number, v: number): number {
  const row = new Float64Array(NODES);
  rowCoefficients(powers, v, row);
  return ((((row[5]! * u + row[4]!) * u + row[3]!) * u + row[2]!) * u + row[1]!) * u + row[0]!;
}

/** Node values, rows of u at each v, to coefficients of u^p·v^q. */
function toPowers(values: Float64Array): Float64Array {
  const inU = new Float64Array(NODES * NODES);
  for (let j = 0; j < NODES; j++) {
    for (let p = 0; p < NODES; p++) {
      let sum = 0;
      for (let i = 0; i < NODES; i++) sum += TO_POWERS[p * NODES + i]! * values[j * NODES + i]!;
      inU[j * NODES + p] = sum;
    }
  }
  const out = new Float64Array(NODES * NODES);
  for (let q = 0; q < NODES; q++) {
    for (let p = 0; p < NODES; p++) {
      let sum = 0;
      for (let j = 0; j < NODES; j++) sum += TO_POWERS[q * NODES + j]! * inU[j * NODES + p]!;
      out[q * NODES + p] = sum;
    }
  }
  return out;
}

/** Multiplies out the Lagrange basis polynomials of the nodes. */
function lagrangeCoefficients(): Float64Array {
  const table = new Float64Array(NODES * NODES);
  NODE_AT.forEach((node, i) => {
    let coefficients = [1];
    for (const other of NODE_AT) {
      if (other === node) continue;
      const next = new Array<number>(coefficients.length + 1).fill(0);
      coefficients.forEach((value, p) => {
        next[p] = next[p]! - (value * other) / (node - other);
        next[p + 1] = next[p + 1]! + value / (node - other);
      });
      coefficients = next;
    }
    for (let p = 0; p < NODES; p++) table[p * NODES + i] = coefficients[p]!;
  });
  return table;
}
