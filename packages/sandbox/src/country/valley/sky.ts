import { fractal, gradientNoise, hashUnit, smoothstep } from "../noise.ts";
import { VALLEY_BOUNDS } from "./place.ts";

/** Clouds have one opacity per cell of so many metres: many scenes are made, and none shows finer clouds. */
const CELL = 40;
/** The odd metres keep edges of cells off the pixel centres of every grid. */
const [ODD_X, ODD_Y] = [3.7, 1.9];
/** Metres around the valley in which its clouds are known: shadows come from beyond its edge. */
const AROUND = 6000;

/** Opacity of the clouds over the valley, 0 to the `steps` that they were made with; metres of EPSG:32633. */
export interface ValleyClouds {
  at(easting: number, northing: number): number;
  /** Writes the opacity over the centres of a row of pixels, the first of which begins at `west`. */
  row(west: number, pixel: number, northing: number, out: Uint8Array): void;
}

/**
 * Clouds small enough that a day may be half clear over the valley.
 *
 * @param threshold of the noise above which clouds are
 * @param steps opacity of a whole cloud
 */
export function createValleyClouds(seed: number, threshold: number, steps: number): ValleyClouds {
  const noise = gradientNoise(seed);
  const [driftX, driftY] = [hashUnit(seed, 2, 1) * 400, hashUnit(seed, 2, 2) * 400];
  const [west, south, east, north] = VALLEY_BOUNDS;
  const [left, bottom] = [west - AROUND - ODD_X, south - AROUND - ODD_Y];
  const columns = Math.ceil((east - west + 2 * AROUND) / CELL);
  const rows = Math.ceil((north - south + 2 * AROUND) / CELL);
  // opacity + 1, 0: not computed yet
  const cells = new Uint8Array(columns * rows);
  const opacityAt = (column: number, row: number): number => {
    const x = (left + (column + 0.5) * CELL) / 1000 + driftX;
    const y = (bottom + (row + 0.5) * CELL) / 1000 + driftY;
    const value = fractal(noise, x / 4.6, y / 3.7, 2) + 0.34 * fractal(noise, x / 1.1 + 40, y / 0.95 + 11, 4);
    return Math.round(smoothstep(threshold, threshold + 0.26, value) * steps);
  };
  const columnOf = (easting: number): number => Math.min(columns - 1, Math.max(0, Math.floor((easting - left) / CELL)));
  const rowOf = (northing: number): number => Math.min(rows - 1, Math.max(0, Math.floor((northing - bottom) / CELL)));
  const opacityOf = (column: number, row: number): number => {
    const known = cells[row * columns + column]!;
    if (known > 0) return known - 1;
    const opacity = opacityAt(column, row);
    cells[row * columns + column] = opacity + 1;
    return opacity;
  };
  return {
    at: (easting, northing) => opacityOf(columnOf(easting), rowOf(northing)),
    row(west, pixel, northing, out) {
      const row = rowOf(northing);
      for (let i = 0; i < out.length; i++) out[i] = opacityOf(columnOf(west + (i + 0.5) * pixel), row);
    },
  };
}
