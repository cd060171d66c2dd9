import { BRIGHTNESS_LEVELS } from "../country/landscape.ts";
import { COVER_COUNT, MIX_STEPS } from "../country/spectra.ts";
import type { Scaling } from "../scenes/assets.ts";
import { bandOptics } from "../sensors/optics.ts";
import { type Response, seenByBand } from "../sensors/responses.ts";
import type { View } from "./view.ts";

/** Digital numbers of a band; 0 where there is no data. */
export function reflectance(
  view: View,
  band: number,
  { scale, offset }: Scaling,
  response: Response = "oli",
): Uint16Array {
  const stored = (seen: number): number => Math.max(Math.round((seen - offset) / scale), 1);
  return drawBand(view, band, response, stored, new Uint16Array(view.keys.length));
}

/** As ESA's TCI: reflectance 0 to 0.3558 becomes 0 to 255; 0 is kept for no data. */
export function trueColour(view: View, band: number, response: Response = "oli"): Uint8Array {
  const shown = (seen: number): number => Math.max(1, Math.min(Math.floor((seen / 0.3558) * 255), 255));
  return drawBand(view, band, response, shown, new Uint8Array(view.keys.length));
}

/** Cloudless pixels that differ: fewer than 20,000, against a million pixels. */
const DIFFERENT = COVER_COUNT * (MIX_STEPS + 1) * BRIGHTNESS_LEVELS;

/**
 * Writes a number for each pixel with data into `out`.
 *
 * @param toNumber 1 or above, of the reflectance that the sensor measures
 */
function drawBand<T extends Uint8Array | Uint16Array>(
  view: View,
  band: number,
  response: Response,
  toNumber: (seen: number) => number,
  out: T,
): T {
  const { keys, brightness, lookup, veiled, cloud, shadow, valid } = view;
  const { grid } = view.ground;
  const optics = bandOptics(band, view.sky.tops);
  const factors = view.factors(band);
  const levels = new Uint16Array(grid.width);
  // numbers of cloudless pixels by level of the factor; 0: not computed yet
  const tables = new Map<number, Uint16Array>();
  let table: Uint16Array = new Uint16Array(0);
  let [factor, level] = [1, -1];
  for (let row = 0; row < grid.height; row++) {
    factors?.row(row, levels);
    for (let column = 0; column < grid.width; column++) {
      const i = row * grid.width + column;
      if (valid[i] === 0) continue;
      if (levels[column] !== level) {
        level = levels[column]!;
        factor = factors?.factorOf(level) ?? 1;
        table = tables.get(level) ?? new Uint16Array(DIFFERENT);
        tables.set(level, table);
      }
      const at = lookup[i]!;
      const isClear = veiled[i] === 0;
      let number = isClear ? table[at]! : 0;
      if (number === 0) {
        const ground = optics(keys[i]!, brightness[i]!, cloud[i]!, shadow[i]!);
        number = toNumber(seenByBand(response, band, factor * ground));
        if (isClear) table[at] = number;
      }
      out[i] = number;
    }
  }
  return out;
}
