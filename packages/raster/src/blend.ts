import { bytes, words } from "./gather.ts";
import type { Samples } from "./samples.ts";

/** Four source pixels and their weights, which sum to 1, for each of up to 1024 target pixels; index −1: no data. */
export interface Quads {
  readonly index: Int32Array;
  readonly right: Int32Array;
  readonly below: Int32Array;
  readonly diagonal: Int32Array;
  readonly weight: Float64Array;
  readonly weightRight: Float64Array;
  readonly weightBelow: Float64Array;
  readonly weightDiagonal: Float64Array;
}

export const QUADS = 1024;

export function allocateQuads(): Quads {
  return {
    index: new Int32Array(QUADS),
    right: new Int32Array(QUADS),
    below: new Int32Array(QUADS),
    diagonal: new Int32Array(QUADS),
    weight: new Float64Array(QUADS),
    weightRight: new Float64Array(QUADS),
    weightBelow: new Float64Array(QUADS),
    weightDiagonal: new Float64Array(QUADS),
  };
}

/**
 * Writes `count` weighted means to `out` from `start`. Integers are rounded as GDAL does, half upwards.
 * Signed samples of one and two bytes go through their unsigned bits, so that each loop sees one array class.
 */
export function blend(source: Samples, quads: Quads, count: number, out: Samples, start: number): void {
  if (source instanceof Uint8Array) blend8(source, quads, count, bytes(out), start, 0);
  else if (source instanceof Uint16Array) blend16(source, quads, count, words(out), start, 0);
  else if (source instanceof Int16Array) blend16(words(source), quads, count, words(out), start, 0x8000);
  else if (source instanceof Float32Array) blendFloat(source, quads, count, out as Float32Array, start);
  else if (source instanceof Int8Array) blend8(bytes(source), quads, count, bytes(out), start, 0x80);
  else blendAny(source, quads, count, out, start);
}

function blend8(s: Uint8Array, q: Quads, count: number, out: Uint8Array, start: number, sign: number): void {
  const { index, right, below, diagonal, weight, weightRight, weightBelow, weightDiagonal } = q;
  for (let i = 0; i < count; i++) {
    const k = index[i]!;
    if (k < 0) continue;
    const mean =
      (s[k]! ^ sign) * weight[i]! +
      (s[right[i]!]! ^ sign) * weightRight[i]! +
      (s[below[i]!]! ^ sign) * weightBelow[i]! +
      (s[diagonal[i]!]! ^ sign) * weightDiagonal[i]!;
    out[start + i] = ((mean + 0.5) | 0) ^ sign;
  }
}

function blend16(s: Uint16Array, q: Quads, count: number, out: Uint16Array, start: number, sign: number): void {
  const { index, right, below, diagonal, weight, weightRight, weightBelow, weightDiagonal } = q;
  for (let i = 0; i < count; i++) {
    const k = index[i]!;
    if (k < 0) continue;
    // with the sign bit flipped a signed number is itself plus 32768: the order stays, so means and halves do
    const mean =
      (s[k]! ^ sign) * weight[i]! +
      (s[right[i]!]! ^ sign) * weightRight[i]! +
      (s[below[i]!]! ^ sign) * weightBelow[i]! +
      (s[diagonal[i]!]! ^ sign) * weightDiagonal[i]!;
    out[start + i] = ((mean + 0.5) | 0) ^ sign;
  }
}

function blendFloat(s: Float32Array, q: Quads, count: number, out: Float32Array, start: number): void {
  const { index, right, below, diagonal, weight, weightRight, weightBelow, weightDiagonal } = q;
  for (let i = 0; i < count; i++) {
    const k = index[i]!;
    if (k < 0) continue;
    out[start + i] =
      s[k]! * weight[i]! +
      s[right[i]!]! * weightRight[i]! +
      s[below[i]!]! * weightBelow[i]! +
      s[diagonal[i]!]! * weightDiagonal[i]!;
  }
}

function blendAny(s: Samples, q: Quads, count: number, out: Samples, start: number): void {
  const half = s instanceof Float64Array ? 0 : 0.5;
  for (let i = 0; i < count; i++) {
    const k = q.index[i]!;
    if (k < 0) continue;
    const mean =
      s[k]! * q.weight[i]! +
      s[q.right[i]!]! * q.weightRight[i]! +
      s[q.below[i]!]! * q.weightBelow[i]! +
      s[q.diagonal[i]!]! * q.weightDiagonal[i]!;
    out[start + i] = half === 0 ? mean : Math.floor(mean + half);
  }
}
