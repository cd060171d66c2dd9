import type { Samples } from "../../raster/samples.ts";

/**
 * Copies `source[index[i]]` to `out[i]`; where the index is −1 `out` stays as it is. Bits are moved, not numbers, so
 * that four loops serve eight sample types and each sees one array class only.
 */
export function gather(source: Samples, index: Int32Array, out: Samples, from = 0, to = index.length): void {
  const size = source.BYTES_PER_ELEMENT;
  if (size === 1) gather8(bytes(source), index, bytes(out), from, to);
  else if (size === 2) gather16(words(source), index, words(out), from, to);
  else if (size === 4) gather32(doubleWords(source), index, doubleWords(out), from, to);
  else gather64(source as Float64Array, index, out as Float64Array, from, to);
}

export function bytes(a: Samples): Uint8Array {
  return a instanceof Uint8Array ? a : new Uint8Array(a.buffer, a.byteOffset, a.length);
}

export function words(a: Samples): Uint16Array {
  return a instanceof Uint16Array ? a : new Uint16Array(a.buffer, a.byteOffset, a.length);
}

function doubleWords(a: Samples): Uint32Array {
  return a instanceof Uint32Array ? a : new Uint32Array(a.buffer, a.byteOffset, a.length);
}

function gather8(source: Uint8Array, index: Int32Array, out: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const k = index[i]!;
    if (k >= 0) out[i] = source[k]!;
  }
}

function gather16(source: Uint16Array, index: Int32Array, out: Uint16Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const k = index[i]!;
    if (k >= 0) out[i] = source[k]!;
  }
}

function gather32(source: Uint32Array, index: Int32Array, out: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const k = index[i]!;
    if (k >= 0) out[i] = source[k]!;
  }
}

function gather64(source: Float64Array, index: Int32Array, out: Float64Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const k = index[i]!;
    if (k >= 0) out[i] = source[k]!;
  }
}
