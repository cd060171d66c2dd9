import type { Samples } from "@swath/raster";

/** Part of a block and its target: rows and columns of both. */
export interface Patch {
  readonly fromColumn: number;
  readonly fromRow: number;
  readonly toColumn: number;
  readonly toRow: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Copies one band of a patch out of a block of `blockWidth` pixels with `stride` samples each into a band of
 * `targetWidth` pixels.
 */
export function copyBand(
  block: Samples,
  blockWidth: number,
  stride: number,
  band: number,
  target: Samples,
  targetWidth: number,
  patch: Patch,
): void {
  const { fromColumn, fromRow, toColumn, toRow, width, height } = patch;
  if (stride === 1) {
    for (let row = 0; row < height; row++) {
      const from = (fromRow + row) * blockWidth + fromColumn;
      target.set(block.subarray(from, from + width), (toRow + row) * targetWidth + toColumn);
    }
    return;
  }
  for (let row = 0; row < height; row++) {
    let from = ((fromRow + row) * blockWidth + fromColumn) * stride + band;
    let to = (toRow + row) * targetWidth + toColumn;
    for (const end = to + width; to < end; to++) {
      target[to] = block[from]!;
      from += stride;
    }
  }
}

/** All three bands of a patch of interleaved bytes in one pass: the true-colour case. */
export function copyThreeBands(
  block: Uint8Array,
  blockWidth: number,
  first: Uint8Array,
  second: Uint8Array,
  third: Uint8Array,
  targetWidth: number,
  patch: Patch,
): void {
  const { fromColumn, fromRow, toColumn, toRow, width, height } = patch;
  for (let row = 0; row < height; row++) {
    let from = ((fromRow + row) * blockWidth + fromColumn) * 3;
    let to = (toRow + row) * targetWidth + toColumn;
    for (const end = to + width; to < end; to++) {
      first[to] = block[from]!;
      second[to] = block[from + 1]!;
      third[to] = block[from + 2]!;
      from += 3;
    }
  }
}

/** Fills one band of a patch with a value: where a block is sparse. */
export function fillBand(target: Samples, targetWidth: number, patch: Patch, value: number): void {
  for (let row = 0; row < patch.height; row++) {
    const start = (patch.toRow + row) * targetWidth + patch.toColumn;
    target.fill(value, start, start + patch.width);
  }
}

/**
 * Sets `valid` to 1 where `band` is not `nodata`; pixels that are 1 stay 1: a pixel is nodata where all its bands are.
 * Gives the count of pixels still void, so that a caller can stop at 0.
 */
export function markData(valid: Uint8Array, band: Samples, nodata: number): number {
  // the tag holds decimal text, the samples are single precision
  const value = band instanceof Float32Array ? Math.fround(nodata) : nodata;
  // the engine's own search takes a small part of a loop's time; it ends at the first pixel without data
  if (!band.includes(value)) {
    valid.fill(1);
    return 0;
  }
  if (Number.isNaN(value)) return markNumbers(valid, band);
  if (band instanceof Uint16Array) return mark16(valid, band, value);
  return band instanceof Uint8Array ? mark8(valid, band, value) : markOthers(valid, band, value);
}

// three of the same loop, so that the two common ones see one array class each
function mark16(valid: Uint8Array, band: Uint16Array, nodata: number): number {
  let empty = 0;
  for (let i = 0; i < valid.length; i++) {
    if (band[i] !== nodata) valid[i] = 1;
    else if (valid[i] === 0) empty++;
  }
  return empty;
}

function mark8(valid: Uint8Array, band: Uint8Array, nodata: number): number {
  let empty = 0;
  for (let i = 0; i < valid.length; i++) {
    if (band[i] !== nodata) valid[i] = 1;
    else if (valid[i] === 0) empty++;
  }
  return empty;
}

function markOthers(valid: Uint8Array, band: Samples, nodata: number): number {
  let empty = 0;
  for (let i = 0; i < valid.length; i++) {
    if (band[i] !== nodata) valid[i] = 1;
    else if (valid[i] === 0) empty++;
  }
  return empty;
}

function markNumbers(valid: Uint8Array, band: Samples): number {
  let empty = 0;
  for (let i = 0; i < valid.length; i++) {
    if (!Number.isNaN(band[i]!)) valid[i] = 1;
    else if (valid[i] === 0) empty++;
  }
  return empty;
}

/** Turns mask or alpha values into 1 and 0 in the same array. */
export function toValidity(values: Samples, valid: Uint8Array): void {
  for (let i = 0; i < valid.length; i++) valid[i] = values[i] === 0 ? 0 : 1;
}
