import type { Samples } from "../../raster/samples.ts";
import { bytes, words } from "./gather.ts";

/**
 * For each of some target pixels the upper left of the four source pixels whose centres surround its own, the
 * weights of the right and lower ones, 0 to 1, and the nearest of the four. `index` is −1 where there is no data.
 * Right and lower pixels are `stepX` and `stepY` samples on, 0 in a window of one column or row.
 */
export interface Stencils {
  readonly index: Int32Array;
  readonly nearest: Int32Array;
  readonly weightX: Float32Array;
  readonly weightY: Float32Array;
  readonly stepX: number;
  readonly stepY: number;
}

/** Target pixels that are blended at a time: their stencils stay in the processor's first cache for all bands. */
export const STENCILS = 1024;

/** Output buffer for the stencils of a window; its content is undefined. */
export function allocateStencils(windowWidth: number, windowHeight: number): Stencils {
  return {
    index: new Int32Array(STENCILS),
    nearest: new Int32Array(STENCILS),
    weightX: new Float32Array(STENCILS),
    weightY: new Float32Array(STENCILS),
    stepX: windowWidth > 1 ? 1 : 0,
    stepY: windowHeight > 1 ? windowWidth : 0,
  };
}

/**
 * Writes the weighted means of `count` stencils from number `first` to `out` from `start`. Integers are rounded as GDAL does, half upwards.
 * Signed samples of one and two bytes go through their unsigned bits, so that each loop sees one array class.
 */
export function blend(
  source: Samples,
  stencils: Stencils,
  first: number,
  count: number,
  out: Samples,
  start: number,
): void {
  if (source instanceof Uint8Array) blend8(source, stencils, first, count, bytes(out), start, 0);
  else if (source instanceof Uint16Array) blend16(source, stencils, first, count, words(out), start, 0);
  else if (source instanceof Int16Array) blend16(words(source), stencils, first, count, words(out), start, 0x8000);
  else if (source instanceof Float32Array) blendFloat(source, stencils, first, count, out as Float32Array, start);
  else if (source instanceof Int8Array) blend8(bytes(source), stencils, first, count, bytes(out), start, 0x80);
  else blendAny(source, stencils, first, count, out, start);
}

function blend8(
  s: Uint8Array,
  q: Stencils,
  first: number,
  count: number,
  out: Uint8Array,
  start: number,
  sign: number,
): void {
  const { index, weightX, weightY, stepX, stepY } = q;
  for (let i = 0; i < count; i++) {
    const k = index[first + i]!;
    if (k < 0) continue;
    const wx = weightX[first + i]!;
    const a = s[k]! ^ sign;
    const c = s[k + stepY]! ^ sign;
    const upper = a + wx * ((s[k + stepX]! ^ sign) - a);
    const lower = c + wx * ((s[k + stepX + stepY]! ^ sign) - c);
    out[start + i] = ((upper + weightY[first + i]! * (lower - upper) + 0.5) | 0) ^ sign;
  }
}

function blend16(
  s: Uint16Array,
  q: Stencils,
  first: number,
  count: number,
  out: Uint16Array,
  start: number,
  sign: number,
): void {
  const { index, weightX, weightY, stepX, stepY } = q;
  for (let i = 0; i < count; i++) {
    const k = index[first + i]!;
    if (k < 0) continue;
    const wx = weightX[first + i]!;
    // with the sign bit flipped a signed number is itself plus 32768: the order stays, so means and halves do
    const a = s[k]! ^ sign;
    const c = s[k + stepY]! ^ sign;
    const upper = a + wx * ((s[k + stepX]! ^ sign) - a);
    const lower = c + wx * ((s[k + stepX + stepY]! ^ sign) - c);
    out[start + i] = ((upper + weightY[first + i]! * (lower - upper) + 0.5) | 0) ^ sign;
  }
}

function blendFloat(
  s: Float32Array,
  q: Stencils,
  first: number,
  count: number,
  out: Float32Array,
  start: number,
): void {
  const { index, weightX, weightY, stepX, stepY } = q;
  for (let i = 0; i < count; i++) {
    const k = index[first + i]!;
    if (k < 0) continue;
    const wx = weightX[first + i]!;
    const a = s[k]!;
    const c = s[k + stepY]!;
    const upper = a + wx * (s[k + stepX]! - a);
    const lower = c + wx * (s[k + stepX + stepY]! - c);
    out[start + i] = upper + weightY[first + i]! * (lower - upper);
  }
}

function blendAny(s: Samples, q: Stencils, first: number, count: number, out: Samples, start: number): void {
  for (let i = 0; i < count; i++) {
    const k = q.index[first + i]!;
    if (k < 0) continue;
    const wx = q.weightX[first + i]!;
    const a = s[k]!;
    const c = s[k + q.stepY]!;
    const upper = a + wx * (s[k + q.stepX]! - a);
    const lower = c + wx * (s[k + q.stepX + q.stepY]! - c);
    out[start + i] = rounded(s, upper + q.weightY[first + i]! * (lower - upper));
  }
}

/** The weighted mean of the valid pixels of one stencil; the nearest pixel is valid. Their weights are scaled up. */
export function blendValid(s: Samples, valid: Uint8Array, q: Stencils, i: number): number {
  const k = q.index[i]!;
  const wx = q.weightX[i]!;
  const wy = q.weightY[i]!;
  let sum = 0;
  let weights = 0;
  for (let corner = 0; corner < 4; corner++) {
    const right = corner & 1;
    const lower = corner >> 1;
    const at = k + right * q.stepX + lower * q.stepY;
    // a value without data may be NaN, which no weight of 0 silences
    if (valid[at] === 0) continue;
    const weight = (right === 1 ? wx : 1 - wx) * (lower === 1 ? wy : 1 - wy);
    sum += weight * s[at]!;
    weights += weight;
  }
  return rounded(s, sum / weights);
}

function rounded(samples: Samples, value: number): number {
  return samples instanceof Float32Array || samples instanceof Float64Array ? value : Math.floor(value + 0.5);
}
