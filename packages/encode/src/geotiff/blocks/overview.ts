import type { Samples, SampleType } from "@swath/raster";
import { pixelsWithin } from "../levels/sources.ts";
import type { OverviewResampling } from "../options.ts";
import type { LevelPart } from "./level-part.ts";

/**
 * The value for an average that happens to equal nodata: its neighbour towards larger values, or smaller ones at the end
 * of the range. Otherwise valid pixels would become nodata.
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

/** The halving of a level. */
export interface Halving {
  /** Size of the level that is halved; the result has half of it, rounded up. */
  readonly width: number;
  readonly height: number;
  readonly resampling: OverviewResampling;
  readonly nodata: number | undefined;
  readonly sampleType: SampleType;
}

/**
 * Source pixels of some consecutive pixels along one axis. Pixel i of `half` = ⌈size / 2⌉ covers size / half source pixels from
 * i × size / half on, since all levels have the same extent. Where `size` is even that is two whole pixels, 2i and 2i + 1; where it is
 * odd, part of 2i − 1 too: i / half of it, all of 2i, and 1 − (i + 1) / half of 2i + 1.
 */
interface Axis {
  /** First pixel of the result, and how many there are. */
  readonly first: number;
  readonly count: number;
  /** For each three source pixels, less the start of the source part, and the part that is covered; 0 for none. */
  readonly taps: Int32Array;
  readonly weights: Float64Array;
  /** For each the source pixel that nearest neighbour takes, as GDAL does: ⌊0.5 + i × size / half⌋. */
  readonly nearest: Int32Array;
}

/** The axis of {@link pixelsWithin}. */
function axisOf(size: number, from: number, fromCount: number, to: number, toCount: number): Axis {
  const half = Math.ceil(size / 2);
  const isOdd = size % 2 === 1;
  const { first, count } = pixelsWithin(size, from, fromCount, to, toCount);
  const taps = new Int32Array(3 * count);
  const weights = new Float64Array(3 * count);
  const nearest = new Int32Array(count);
  for (let n = 0; n < count; n++) {
    const i = first + n;
    const before = isOdd ? i / half : 0;
    const after = isOdd ? 1 - (i + 1) / half : 1;
    const middle = 2 * i - from;
    // where nothing is covered the index is one that is there
    taps.set([before > 0 ? middle - 1 : middle, middle, 2 * i + 1 < size ? middle + 1 : middle], 3 * n);
    weights.set([before, 1, 2 * i + 1 < size ? after : 0], 3 * n);
    nearest[n] = isOdd && before > 0.5 ? middle - 1 : middle;
  }
  return { first, count, taps, weights, nearest };
}

/**
 * Writes those pixels of `target`, a part of the next level, all of whose source pixels are in `source`. `nearest` takes one pixel,
 * valid or not; `average` the mean of the valid ones by the area that is covered; `mode` the value that covers most of it, the first of
 * equals. The latter two are valid where any source pixel is.
 */
export function halvePart(source: LevelPart, target: LevelPart, halving: Halving): void {
  const { width, height, resampling } = halving;
  const across = axisOf(width, source.x, source.width, target.x, target.width);
  const down = axisOf(height, source.y, source.height, target.y, target.height);
  if (across.count === 0 || down.count === 0) return;
  const start = (down.first - target.y) * target.stride + across.first - target.x;
  if (resampling === "nearest") {
    halveNearest(source.valid, source.stride, target.valid, target.stride, start, across, down);
    source.bands.forEach((band, b) => {
      halveNearest(band, source.stride, target.bands[b]!, target.stride, start, across, down);
    });
    return;
  }
  const window = new PixelWindow(source, across, down);
  const isEven = width % 2 === 0 && height % 2 === 0;
  for (let b = 0; b < source.bands.length; b++) {
    const band = source.bands[b]!;
    const out = target.bands[b]!;
    if (resampling === "average" && isEven) averageOfFour(band, source, out, target.stride, start, window, halving);
    else if (resampling === "average") halveAverage(band, window, out, target.stride, start, halving);
    else halveMode(band, window, out, target.stride, start);
  }
  window.markValid(target, start);
}

function halveNearest(
  source: Samples,
  stride: number,
  out: Samples,
  outStride: number,
  start: number,
  across: Axis,
  down: Axis,
): void {
  const { nearest, count } = across;
  for (let j = 0; j < down.count; j++) {
    const row = down.nearest[j]! * stride;
    const to = start + j * outStride;
    for (let i = 0; i < count; i++) out[to + i] = source[row + nearest[i]!]!;
  }
}

/** The valid source pixels of one pixel of the result after the other, row by row, and how much of each is covered. */
class PixelWindow {
  readonly across: Axis;
  readonly down: Axis;
  /** Indices of source samples and their weights, `size` of them. */
  readonly indices = new Int32Array(9);
  readonly weights = new Float64Array(9);
  /** The pixel that represents pixels without a valid one. */
  fallback = 0;
  readonly #valid: Uint8Array;
  readonly #stride: number;

  constructor({ valid, stride }: LevelPart, across: Axis, down: Axis) {
    this.across = across;
    this.down = down;
    this.#valid = valid;
    this.#stride = stride;
  }

  /** Moves to pixel `i` of row `j`; returns how many of its source pixels are valid. */
  move(i: number, j: number): number {
    const { across, down, indices, weights } = this;
    const valid = this.#valid;
    let size = 0;
    for (let y = 3 * j; y < 3 * j + 3; y++) {
      const weight = down.weights[y]!;
      if (weight === 0) continue;
      const row = down.taps[y]! * this.#stride;
      for (let x = 3 * i; x < 3 * i + 3; x++) {
        const part = across.weights[x]!;
        if (part === 0) continue;
        const at = row + across.taps[x]!;
        if (valid[at] === 0) continue;
        indices[size] = at;
        weights[size++] = weight * part;
      }
    }
    this.fallback = down.taps[3 * j + 1]! * this.#stride + across.taps[3 * i + 1]!;
    return size;
  }

  /** Writes which pixels of the result have a valid source pixel. */
  markValid({ valid: out, stride }: LevelPart, start: number): void {
    const { across, down } = this;
    const { taps, count } = across;
    const valid = this.#valid;
    for (let j = 0; j < down.count; j++) {
      const above = down.taps[3 * j]! * this.#stride;
      const middle = down.taps[3 * j + 1]! * this.#stride;
      const below = down.taps[3 * j + 2]! * this.#stride;
      for (let i = 0, to = start + j * stride; i < count; i++, to++) {
        // a tap without weight is the middle one
        const left = taps[3 * i]!;
        const at = taps[3 * i + 1]!;
        const right = taps[3 * i + 2]!;
        const any =
          valid[middle + at]! |
          valid[middle + left]! |
          valid[middle + right]! |
          valid[above + left]! |
          valid[above + at]! |
          valid[above + right]! |
          valid[below + left]! |
          valid[below + at]! |
          valid[below + right]!;
        out[to] = any === 0 ? 0 : 1;
      }
    }
  }
}

function halveAverage(
  source: Samples,
  window: PixelWindow,
  out: Samples,
  stride: number,
  start: number,
  { sampleType, nodata }: Halving,
): void {
  const isFloat = sampleType === "float32" || sampleType === "float64";
  const beside = nodata === undefined ? 0 : besideNodata(sampleType, nodata);
  const { indices, weights } = window;
  for (let j = 0; j < window.down.count; j++) {
    for (let i = 0, to = start + j * stride; i < window.across.count; i++, to++) {
      const size = window.move(i, j);
      if (size === 0) {
        out[to] = source[window.fallback]!;
        continue;
      }
      let sum = 0;
      let total = 0;
      for (let n = 0; n < size; n++) {
        sum += weights[n]! * source[indices[n]!]!;
        total += weights[n]!;
      }
      out[to] = isFloat ? sum / total : Math.floor(sum / total + 0.5);
      if (out[to] === nodata) out[to] = beside;
    }
  }
}

/** Does the same as `halveAverage` for two whole pixels in each direction, several times as fast. */
function averageOfFour(
  samples: Samples,
  { valid, stride }: LevelPart,
  out: Samples,
  outStride: number,
  start: number,
  { across, down }: PixelWindow,
  { sampleType, nodata }: Halving,
): void {
  const isFloat = sampleType === "float32" || sampleType === "float64";
  const beside = nodata === undefined ? 0 : besideNodata(sampleType, nodata);
  for (let j = 0; j < down.count; j++) {
    let at = down.taps[3 * j + 1]! * stride + (across.taps[1] ?? 0);
    for (let i = 0, to = start + j * outStride; i < across.count; i++, to++, at += 2) {
      const below = at + stride;
      const count = valid[at]! + valid[below]! + valid[at + 1]! + valid[below + 1]!;
      if (count === 0) {
        out[to] = samples[at]!;
        continue;
      }
      let sum = 0;
      if (valid[at] !== 0) sum += samples[at]!;
      if (valid[below] !== 0) sum += samples[below]!;
      if (valid[at + 1] !== 0) sum += samples[at + 1]!;
      if (valid[below + 1] !== 0) sum += samples[below + 1]!;
      out[to] = isFloat ? sum / count : Math.floor(sum / count + 0.5);
      if (out[to] === nodata) out[to] = beside;
    }
  }
}

function halveMode(source: Samples, window: PixelWindow, out: Samples, stride: number, start: number): void {
  const { indices, weights } = window;
  for (let j = 0; j < window.down.count; j++) {
    for (let i = 0, to = start + j * stride; i < window.across.count; i++, to++) {
      const size = window.move(i, j);
      let best = source[size === 0 ? window.fallback : indices[0]!]!;
      let most = 0;
      // nine values at most: adding up each against the rest beats any table
      for (let n = 0; n < size; n++) {
        const value = source[indices[n]!]!;
        let covered = 0;
        for (let m = n; m < size; m++) if (source[indices[m]!] === value) covered += weights[m]!;
        if (covered > most) {
          best = value;
          most = covered;
        }
      }
      out[to] = best;
    }
  }
}
