import type { SamplePool } from "@swath/raster/kernels";
import { REFLECTANCE_BANDS } from "../country/spectra.ts";
import type { Scaling } from "../scenes/assets.ts";
import { type BandOptics, bandOptics, reflectanceAt } from "../sensors/optics.ts";
import { lineOf, type Response, type ResponseLine, seenAlong } from "../sensors/responses.ts";
import { cleared } from "./cleared.ts";
import { BRIGHTNESS_OF_LOOK, KEY_OF_LOOK } from "./looks.ts";
import type { Shades } from "./shades.ts";
import type { View } from "./view.ts";

/** Digital numbers of a band; 0 where there is no data. */
export function reflectance(
  view: View,
  band: number,
  { scale, offset }: Scaling,
  response: Response | undefined,
  pool: SamplePool,
): Uint16Array {
  return drawBand(view, band, response ?? "oli", { offset, scale, steps: 1, rounding: 0.5, most: 65_535 }, pool);
}

/** As ESA's TCI: reflectance 0 to 0.3558 becomes 0 to 255; 0 is kept for no data. */
export function trueColour(view: View, band: number, response: Response | undefined, pool: SamplePool): Uint8Array {
  const numbers = { offset: 0, scale: 0.3558, steps: 255, rounding: 0, most: 255 };
  const drawn = drawBand(view, band, response ?? "oli", numbers, pool);
  const out = pool.take("uint8", drawn.length) as Uint8Array;
  out.set(drawn);
  pool.release([drawn]);
  return out;
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

/** Returns a number for each pixel with data, 0 for the others. */
function drawBand(view: View, band: number, response: Response, numbers: Numbers, pool: SamplePool): Uint16Array {
  const { width, height } = view.ground.grid;
  const out = cleared<Uint16Array>(pool, "uint16", width * height);
  const pen = { optics: bandOptics(band), line: lineOf(response, REFLECTANCE_BANDS[band]!), numbers };
  const factors = view.factors(band);
  const levels = new Uint16Array(width);
  // numbers of shades by level of the factor; 0: not computed yet
  const tables: (Uint16Array | undefined)[] = [];
  for (let row = 0; row < height; row++) {
    factors?.row(row, levels);
    const last = view.spans[row * 2 + 1]!;
    for (let column = view.spans[row * 2]!; column < last; ) {
      const level = levels[column]!;
      let end = column + 1;
      while (end < last && levels[end] === level) end++;
      tables[level] ??= cleared<Uint16Array>(pool, "uint16", view.shades.count);
      drawRun(view, pen, factors?.factorOf(level) ?? 1, tables[level], row * width + column, row * width + end, out);
      column = end;
    }
  }
  pool.release(Object.values(tables) as Uint16Array[]);
  return out;
}

/** Writes the numbers of the pixels from `start` up to, without, `end`. */
function drawRun(
  view: View,
  pen: Pen,
  factor: number,
  table: Uint16Array,
  start: number,
  end: number,
  out: Uint16Array,
): void {
  const { shadeNumbers, shades } = view;
  for (let i = start; i < end; i++) {
    const shade = shadeNumbers[i]!;
    let number = table[shade]!;
    if (number === 0) {
      number = numberOf(shades, shade, pen, factor);
      table[shade] = number;
    }
    out[i] = number;
  }
}

/** The number of a shade, at least 1. */
function numberOf(shades: Shades, shade: number, { optics, line, numbers }: Pen, factor: number): number {
  const { offset, scale, steps, rounding, most } = numbers;
  const look = shades.look(shade);
  const [key, brightness] = [KEY_OF_LOOK[look]!, BRIGHTNESS_OF_LOOK[look]!];
  const reflectance = reflectanceAt(optics, key, brightness, shades.cloud(shade), shades.shadow(shade));
  const seen = seenAlong(line, factor * reflectance);
  return Math.max(1, Math.min(Math.floor(((seen - offset) / scale) * steps + rounding), most));
}
