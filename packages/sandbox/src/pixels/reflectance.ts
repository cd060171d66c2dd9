import type { SamplePool } from "@swath/raster/kernels";
import { BRIGHTNESS_LEVELS } from "../country/landscape.ts";
import { COVER_COUNT, MIX_STEPS, REFLECTANCE_BANDS } from "../country/spectra.ts";
import type { Scaling } from "../scenes/assets.ts";
import { type BandOptics, bandOptics, reflectanceAt } from "../sensors/optics.ts";
import { lineOf, type Response, type ResponseLine, seenAlong } from "../sensors/responses.ts";
import { cleared } from "./cleared.ts";
import type { View } from "./view.ts";

/** Digital numbers of a band; 0 where there is no data. */
export function reflectance(
  view: View,
  band: number,
  { scale, offset }: Scaling,
  response: Response | undefined,
  pool: SamplePool,
): Uint16Array {
  const numbers = { offset, scale, steps: 1, rounding: 0.5, most: 65_535 };
  return drawBand(view, band, response ?? "oli", numbers, cleared<Uint16Array>(pool, "uint16", view.keys.length));
}

/** As ESA's TCI: reflectance 0 to 0.3558 becomes 0 to 255; 0 is kept for no data. */
export function trueColour(view: View, band: number, response: Response | undefined, pool: SamplePool): Uint8Array {
  const numbers = { offset: 0, scale: 0.3558, steps: 255, rounding: 0, most: 255 };
  return drawBand(view, band, response ?? "oli", numbers, cleared<Uint8Array>(pool, "uint8", view.keys.length));
}

/** The number of a reflectance: `(reflectance − offset) / scale × steps + rounding`, rounded down, from 1 to `most`. */
interface Numbers extends Scaling {
  readonly steps: number;
  readonly rounding: number;
  readonly most: number;
}

/** The tables and numbers of a band, the same for all of its pixels. */
interface Pen {
  readonly optics: BandOptics;
  readonly line: ResponseLine;
  readonly numbers: Numbers;
}

/** Cloudless pixels that differ: fewer than 20,000, against a million pixels. */
const DIFFERENT = COVER_COUNT * (MIX_STEPS + 1) * BRIGHTNESS_LEVELS;

/** Writes a number for each pixel with data into `out`. */
function drawBand<T extends Uint8Array | Uint16Array>(
  view: View,
  band: number,
  response: Response,
  numbers: Numbers,
  out: T,
): T {
  const { width, height } = view.ground.grid;
  const pen = { optics: bandOptics(band), line: lineOf(response, REFLECTANCE_BANDS[band]!), numbers };
  const factors = view.factors(band);
  const levels = new Uint16Array(width);
  // numbers of cloudless pixels by level of the factor; 0: not computed yet
  const tables = new Map<number, Uint16Array>();
  for (let row = 0; row < height; row++) {
    factors?.row(row, levels);
    const last = view.spans[row * 2 + 1]!;
    for (let column = view.spans[row * 2]!; column < last; ) {
      const level = levels[column]!;
      let end = column + 1;
      while (end < last && levels[end] === level) end++;
      const table = tables.get(level) ?? new Uint16Array(DIFFERENT);
      tables.set(level, table);
      drawRun(view, pen, factors?.factorOf(level) ?? 1, table, row * width + column, row * width + end, out);
      column = end;
    }
  }
  return out;
}

/** Writes the numbers of the pixels from `start` up to, without, `end`. */
function drawRun(
  { keys, brightness, lookup, veiled, cloud, shadow }: View,
  { optics, line, numbers }: Pen,
  factor: number,
  table: Uint16Array,
  start: number,
  end: number,
  out: Uint8Array | Uint16Array,
): void {
  const { offset, scale, steps, rounding, most } = numbers;
  for (let i = start; i < end; i++) {
    const isClear = veiled[i] === 0;
    const known = isClear ? table[lookup[i]!]! : 0;
    if (known !== 0) {
      out[i] = known;
      continue;
    }
    const seen = seenAlong(line, factor * reflectanceAt(optics, keys[i]!, brightness[i]!, cloud[i]!, shadow[i]!));
    const number = Math.max(1, Math.min(Math.floor(((seen - offset) / scale) * steps + rounding), most));
    if (isClear) table[lookup[i]!] = number;
    out[i] = number;
  }
}
