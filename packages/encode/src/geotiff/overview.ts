import type { Samples, SampleType } from "@swath/raster";
import type { OverviewResampling } from "./options.ts";

/**
 * The value for an average that happens to equal nodata: its neighbour towards larger values, or smaller ones at the end
 * of the range. Otherwise valid pixels would become holes.
 */
export function besideNodata(sampleType: SampleType, nodata: number): number {
  switch (sampleType) {
    case "int8":
      return nodata === 127 ? 126 : nodata + 1;
    case "uint8":
      return nodata === 255 ? 254 : nodata + 1;
    case "int16":
      return nodata === 32767 ? 32766 : nodata + 1;
    case "uint16":
      return nodata === 65535 ? 65534 : nodata + 1;
    case "int32":
      return nodata === 2147483647 ? 2147483646 : nodata + 1;
    case "uint32":
      return nodata === 4294967295 ? 4294967294 : nodata + 1;
    case "float32":
      return nodata === 0 ? 2 ** -126 : Math.fround(nodata * (1 - 2 ** -22));
    case "float64":
      return nodata === 0 ? 2 ** -1022 : nodata * (1 - 2 ** -51);
  }
}

/** One size of image halved: `⌈width / 2⌉ × ⌈rows / 2⌉`, of the pixels in groups of 2 × 2 from the top left. */
export interface Halving {
  readonly width: number;
  readonly rows: number;
  /** Samples from one row of the result to the next. Default: its width. */
  readonly stride?: number;
  readonly resampling: OverviewResampling;
  readonly nodata: number | undefined;
  readonly sampleType: SampleType;
}

/** Samples between the end of a row of the result and the next one's start. */
function skipOf({ width, stride }: Halving): number {
  return stride === undefined ? 0 : stride - Math.ceil(width / 2);
}

/** Halves `valid`; `nearest` takes the top left pixel of a group, the others are valid where any of the group is. */
export function halveValid(valid: Uint8Array, out: Uint8Array, halving: Halving): void {
  const { width, rows, resampling } = halving;
  const outWidth = Math.ceil(width / 2);
  const skip = skipOf(halving);
  for (let row = 0, to = 0; row < rows; row += 2, to += skip) {
    const top = row * width;
    const below = row + 1 < rows ? top + width : top;
    for (let column = 0; column < outWidth; column++, to++) {
      const left = 2 * column;
      const right = left + 1 < width ? left + 1 : left;
      const first = valid[top + left] as number;
      out[to] =
        resampling === "nearest"
          ? first
          : first | (valid[top + right] as number) | (valid[below + left] as number) | (valid[below + right] as number);
    }
  }
}

function halveNearest(source: Samples, out: Samples, halving: Halving): void {
  const { width, rows } = halving;
  const outWidth = Math.ceil(width / 2);
  const skip = skipOf(halving);
  for (let row = 0, to = 0; row < rows; row += 2, to += skip) {
    for (let column = 0, from = row * width; column < outWidth; column++, from += 2) out[to++] = source[from] as number;
  }
}

function halveAverage(source: Samples, valid: Uint8Array, out: Samples, halving: Halving): void {
  const { width, rows, sampleType, nodata } = halving;
  const outWidth = Math.ceil(width / 2);
  const isFloat = sampleType === "float32" || sampleType === "float64";
  const beside = nodata === undefined ? 0 : besideNodata(sampleType, nodata);
  const skip = skipOf(halving);
  for (let row = 0, to = 0; row < rows; row += 2, to += skip) {
    const top = row * width;
    const below = row + 1 < rows ? top + width : top;
    for (let column = 0; column < outWidth; column++, to++) {
      const left = 2 * column;
      const right = left + 1 < width ? left + 1 : left;
      let sum = 0;
      let count = 0;
      if (valid[top + left] !== 0) {
        sum += source[top + left] as number;
        count++;
      }
      if (valid[below + left] !== 0 && below !== top) {
        sum += source[below + left] as number;
        count++;
      }
      if (right !== left) {
        if (valid[top + right] !== 0) {
          sum += source[top + right] as number;
          count++;
        }
        if (valid[below + right] !== 0 && below !== top) {
          sum += source[below + right] as number;
          count++;
        }
      }
      if (count === 0) {
        out[to] = source[top + left] as number;
      } else {
        out[to] = isFloat ? sum / count : Math.floor(sum / count + 0.5);
        if (out[to] === nodata) out[to] = beside;
      }
    }
  }
}

function halveMode(source: Samples, valid: Uint8Array, out: Samples, halving: Halving): void {
  const { width, rows } = halving;
  const outWidth = Math.ceil(width / 2);
  const group = new Int32Array(4);
  const skip = skipOf(halving);
  for (let row = 0, to = 0; row < rows; row += 2, to += skip) {
    const top = row * width;
    const below = row + 1 < rows ? top + width : top;
    for (let column = 0; column < outWidth; column++, to++) {
      const left = 2 * column;
      const right = left + 1 < width ? left + 1 : left;
      let size = 0;
      if (valid[top + left] !== 0) group[size++] = top + left;
      if (right !== left && valid[top + right] !== 0) group[size++] = top + right;
      if (below !== top && valid[below + left] !== 0) group[size++] = below + left;
      if (right !== left && below !== top && valid[below + right] !== 0) group[size++] = below + right;
      let best = source[size === 0 ? top + left : (group[0] as number)] as number;
      let bestCount = 1;
      // Four values at most: counting each against the rest beats any table; the first of equals wins.
      for (let i = 0; i < size - 1; i++) {
        const value = source[group[i] as number] as number;
        let count = 1;
        for (let j = i + 1; j < size; j++) if (source[group[j] as number] === value) count++;
        if (count > bestCount) {
          best = value;
          bestCount = count;
        }
      }
      out[to] = best;
    }
  }
}

/** Halves one band; pixels outside `valid` take no part in `average` and `mode`. */
export function halveBand(source: Samples, valid: Uint8Array, out: Samples, halving: Halving): void {
  if (halving.resampling === "nearest") halveNearest(source, out, halving);
  else if (halving.resampling === "average") halveAverage(source, valid, out, halving);
  else halveMode(source, valid, out, halving);
}
