import type { OwnedWarpContext } from "../context.ts";
import { evaluateChunks } from "../expression/evaluate.ts";
import type { Expression } from "../expression/expression.ts";
import type { Samples } from "../raster/samples.ts";
import { words } from "../warp/blend/gather.ts";

/** Lowest and highest value, shown as 0 and 255. */
export type Range = readonly [min: number, max: number];

/**
 * Values to 0..255 as rio-tiler does (`linear_rescale`, then `astype("uint8")`): clipped to the range,
 * (v − min) / (max − min) × 255 in double precision, the fraction cut off. NaN becomes 0.
 */
export function rescale(samples: Samples, range: Range, context: OwnedWarpContext): Uint8Array {
  const count = samples.length;
  const out = new Uint8Array(count);
  if (samples instanceof Uint16Array || samples instanceof Int16Array) {
    // the table pays for itself on the first tile, and is kept for the next
    lookUp16(words(samples), table16(samples instanceof Int16Array, range, context), out);
  } else if (samples instanceof Uint8Array) {
    const all = Uint8Array.from({ length: 256 }, (_, value) => rescaleValue(value, range));
    for (let i = 0; i < count; i++) out[i] = all[samples[i]!]!;
  } else if (samples instanceof Float32Array) {
    rescaleFloats(samples, range[0], range[1], out);
  } else {
    for (let i = 0; i < count; i++) out[i] = rescaleValue(samples[i]!, range);
  }
  return out;
}

/**
 * Three bands of 16 bits to interleaved RGB in one pass, as `rescale` of each, in memory that `take` gives; undefined
 * for other samples.
 */
export function rescaleColors(
  bands: readonly Samples[],
  ranges: readonly Range[],
  take: (bytes: number) => Uint8Array,
  context: OwnedWarpContext,
): Uint8Array | undefined {
  const [red, green, blue] = bands;
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  const signed = red instanceof Int16Array;
  const alike = bands.every((band) => (signed ? band instanceof Int16Array : band instanceof Uint16Array));
  if (!alike) return undefined;
  const [first, second, third] = ranges.map((range) => table16(signed, range, context));
  if (first === undefined || second === undefined || third === undefined) return undefined;
  const reds = words(red);
  const greens = words(green);
  const blues = words(blue);
  const data = take(reds.length * 3);
  // the loop stands here and in no function of its own: that would be inlined, and the engine does not fully optimize
  // the loops of inlined functions where their callers are called once per image
  for (let i = 0, k = 0; i < reds.length; i++, k += 3) {
    data[k] = first[reds[i]!]!;
    data[k + 1] = second[greens[i]!]!;
    data[k + 2] = third[blues[i]!]!;
  }
  return data;
}

function rescaleValue(value: number, [min, max]: Range): number {
  const clipped = value < min ? min : value > max ? max : value;
  return ((clipped - min) / (max - min)) * 255;
}

function rescaleFloats(samples: Float32Array, min: number, max: number, out: Uint8Array): void {
  const width = max - min;
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i]!;
    const clipped = value < min ? min : Math.min(value, max);
    out[i] = ((clipped - min) / width) * 255;
  }
}

/**
 * As `evaluateExpression` and then `rescale`, a thousand values at a time, in memory that `take` gives.
 *
 * @throws {GridError} as `evaluateExpression`.
 */
export function evaluateToBytes(
  expression: Expression,
  bands: readonly Samples[],
  valid: Uint8Array,
  range: Range,
  take: (bytes: number) => Uint8Array,
): { bytes: Uint8Array; valid: Uint8Array } {
  const count = valid.length;
  const bytes = take(count);
  const outValid = new Uint8Array(count);
  evaluateChunks(expression, bands, count, (result, start, n) =>
    rescaleResults(result, n, range, valid, bytes, outValid, start),
  );
  return { bytes, valid: outValid };
}

/**
 * Rounds `count` results to single precision, as bands have them, and rescales them to `out` from `start` as `rescale`
 * does. Values that are not finite, or not valid already, become 0 and are marked so in `outValid`.
 */
function rescaleResults(
  results: Float64Array,
  count: number,
  [min, max]: Range,
  valid: Uint8Array,
  out: Uint8Array,
  outValid: Uint8Array,
  start: number,
): void {
  const width = max - min;
  for (let i = 0; i < count; i++) {
    const value = Math.fround(results[i]!);
    // a difference that is 0 only for finite numbers
    if (valid[start + i] === 0 || value - value !== 0) {
      out[start + i] = 0;
      outValid[start + i] = 0;
      continue;
    }
    const clipped = value < min ? min : Math.min(value, max);
    out[start + i] = ((clipped - min) / width) * 255;
    outValid[start + i] = 1;
  }
}

function lookUp16(samples: Uint16Array, table: Uint8Array, out: Uint8Array): void {
  for (let i = 0; i < out.length; i++) out[i] = table[samples[i]!]!;
}

/** The result for each of 65,536 samples. */
function table16(signed: boolean, range: Range, context: OwnedWarpContext): Uint8Array {
  return context.table(`${signed ? "i" : "u"} ${range[0]} ${range[1]}`, () => {
    const table = new Uint8Array(65536);
    for (let bits = 0; bits < 65536; bits++) {
      table[bits] = rescaleValue(signed && bits >= 32768 ? bits - 65536 : bits, range);
    }
    return table;
  });
}
