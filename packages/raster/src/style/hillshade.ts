import { StyleError } from "../errors.ts";
import type { Grid } from "../grid/grid.ts";
import { windowGrid } from "../grid/grid.ts";
import { groundSizes } from "../grid/ground.ts";
import { checkRaster, type Raster } from "../raster/raster.ts";
import type { Samples } from "../raster/samples.ts";

/** The direction to the sun, degrees. */
export interface Sun {
  /** Direction that the light comes from, clockwise from the top of the image: 315 is the upper left. */
  readonly azimuth: number;
  /** Height above the horizon, more than 0 to 90. */
  readonly altitude: number;
}

/** Pixels that a hillshade needs around each side of the pixels that it shades. */
export const HILLSHADE_MARGIN = 1;

const RADIANS = Math.PI / 180;

/**
 * Shaded relief of a surface lit by one sun: 1 in the dark to 255 where the light meets the ground at a right angle.
 * Slopes are those of Horn 1981 (Hill shading and the reflectance map, Proceedings of the IEEE 69), rise over ground
 * distance, so that neither the stretch of Mercator nor degrees as units steepen them; otherwise the formula and the
 * rounding are those of `gdaldem hillshade -alg Horn -compute_edges`.
 *
 * @param raster one band of elevations in metres, with `HILLSHADE_MARGIN` pixels around the pixels wanted. A pixel of
 *   the 3 × 3 neighbourhood that is not valid is taken to be as high as the middle one.
 * @returns one band without the margin; valid where the elevation is.
 * @throws {StyleError} `invalid-style` unless there is one band, of at least 3 × 3 pixels, and the sun is above the horizon.
 */
export function hillshade(raster: Raster, { azimuth, altitude }: Sun): Raster<Uint8Array> {
  checkRaster(raster);
  const [band, ...others] = raster.bands;
  const grid = withoutMargin(raster.grid);
  if (band === undefined || others.length > 0 || grid === undefined) {
    const { width, height } = raster.grid;
    const got = `${raster.bands.length} of ${width} × ${height}`;
    throw new StyleError("invalid-style", `Expected one band of at least 3 × 3 pixels for a hillshade, got ${got}.`);
  }
  if (!(Number.isFinite(azimuth) && altitude > 0 && altitude <= 90)) {
    const sun = `azimuth ${azimuth}, altitude ${altitude}`;
    throw new StyleError("invalid-style", `Expected a sun above the horizon, got ${sun}.`);
  }
  const up = 254 * Math.sin(altitude * RADIANS);
  const across = 254 * Math.cos(altitude * RADIANS);
  const light = { up, east: across * Math.sin(azimuth * RADIANS), north: across * Math.cos(azimuth * RADIANS) };
  const { widths, heights } = groundSizes(raster.grid);
  const shades = new Uint8Array(grid.width * grid.height);
  const valid = new Uint8Array(shades.length);
  for (let row = 0; row < grid.height; row++) {
    shadeRow(band, raster, row + 1, light, widths[row + 1]!, heights[row + 1]!, shades, valid);
  }
  return { grid, bands: [shades], valid };
}

function withoutMargin(grid: Grid): Grid | undefined {
  const width = grid.width - 2 * HILLSHADE_MARGIN;
  const height = grid.height - 2 * HILLSHADE_MARGIN;
  if (width < 1 || height < 1) return undefined;
  return windowGrid(grid, { x: HILLSHADE_MARGIN, y: HILLSHADE_MARGIN, width, height });
}

interface Light {
  readonly up: number;
  readonly east: number;
  readonly north: number;
}

/** Shades row `row` of `elevations` into row `row − 1` of `shades`. */
function shadeRow(
  elevations: Samples,
  { grid, valid }: Raster,
  row: number,
  { up, east, north }: Light,
  pixelWidth: number,
  pixelHeight: number,
  shades: Uint8Array,
  outValid: Uint8Array,
): void {
  const { width } = grid;
  const perColumn = 1 / (8 * pixelWidth);
  const perRow = 1 / (8 * pixelHeight);
  for (let i = row * width + 1, out = (row - 1) * (width - 2), end = i + width - 2; i < end; i++, out++) {
    if (valid[i] === 0) continue;
    const middle = elevations[i]!;
    const above = i - width;
    const below = i + width;
    const a = valid[above - 1] === 0 ? middle : elevations[above - 1]!;
    const b = valid[above] === 0 ? middle : elevations[above]!;
    const c = valid[above + 1] === 0 ? middle : elevations[above + 1]!;
    const d = valid[i - 1] === 0 ? middle : elevations[i - 1]!;
    const f = valid[i + 1] === 0 ? middle : elevations[i + 1]!;
    const g = valid[below - 1] === 0 ? middle : elevations[below - 1]!;
    const h = valid[below] === 0 ? middle : elevations[below]!;
    const k = valid[below + 1] === 0 ? middle : elevations[below + 1]!;
    const toEast = (c + f + f + k - (a + d + d + g)) * perColumn;
    const toNorth = (a + b + b + c - (g + h + h + k)) * perRow;
    const lit = (up - toEast * east - toNorth * north) / Math.sqrt(1 + toEast * toEast + toNorth * toNorth);
    // a difference that is 0 only for finite numbers
    if (lit - lit !== 0) continue;
    shades[out] = lit <= 0 ? 1 : 1.5 + lit;
    outValid[out] = 1;
  }
}
