import { type OwnedWarpContext, ownedContext, type WarpContext } from "../context.ts";
import { StyleError } from "../errors.ts";
import type { Expression } from "../expression/expression.ts";
import { packRgbaByKernel, packRgbByKernel } from "../kernels/packing.ts";
import type { SamplePool } from "../memory/sample-pool.ts";
import { checkRaster, isComplete, type Raster } from "../raster/raster.ts";
import type { Samples } from "../raster/samples.ts";
import type { Image } from "./image.ts";
import { evaluateToBytes, type Range, rescale, rescaleColors } from "./rescale.ts";

/** The rule that turns pixels into RGB, RGBA or palette images. */
export interface Style {
  /** Makes one band of all. */
  readonly expression?: Expression;
  /** One for all bands, or one per band. Without it bands must be uint8, shown as they are. */
  readonly rescale?: readonly Range[];
  /** 256 × RGBA for the one band, as from `colormap`. */
  readonly colormap?: Uint8Array;
}

/** Memory and kernels for styling. */
export interface StyleOptions {
  /** Gives the memory of `data`; the caller gives it back. Default: new memory. */
  readonly pool?: SamplePool | undefined;
  /** Gives the kernels and keeps lookup tables. Default: the context of this thread. */
  readonly context?: WarpContext | undefined;
}

/**
 * Styles one or three bands. Three bands: RGB where every pixel is valid, else RGBA with alpha 0 (and no color) where
 * not. One band: with a colormap an image with a palette, without one grey. Where a pixel of one band is not valid,
 * index 0 is kept for it and is transparent; the color of value 0 then moves to an index that no pixel uses, and
 * only if all 255 others are used takes the color of value 1.
 *
 * @throws {StyleError} `invalid-style` for another number of bands, a rescale or colormap that does not fit them.
 */
export function styleRaster(raster: Raster, style: Style, { pool, ...options }: StyleOptions = {}): Image {
  const context = ownedContext(options.context);
  checkRaster(raster);
  const { width, height } = raster.grid;
  const take = (bytes: number): Uint8Array =>
    pool === undefined ? new Uint8Array(bytes) : (pool.take("uint8", bytes) as Uint8Array);
  let bands: readonly Samples[] = raster.bands;
  let { valid } = raster;
  let plane: Uint8Array | undefined;
  if (style.expression !== undefined) {
    if (style.rescale === undefined) throw noRescale();
    const result = evaluateToBytes(style.expression, bands, valid, rangeOf(style.rescale, 0, 1), take);
    plane = result.bytes;
    bands = [plane];
    valid = result.valid;
  }
  if (bands.length !== 1 && bands.length !== 3) {
    throw new StyleError("invalid-style", `Expected 1 or 3 bands, got ${bands.length}.`);
  }
  const allValid = isComplete({ valid }, { context });
  if (allValid && bands.length === 3 && style.colormap === undefined && style.rescale !== undefined) {
    const data = rescaleColors(
      bands,
      bands.map((_, i) => rangeOf(style.rescale ?? [], i, 3)),
      take,
      context,
    );
    if (data !== undefined) return { width, height, channels: 3, data };
  }
  const planes =
    plane === undefined ? bands.map((band, i) => toPlane(band, style.rescale, i, bands.length, context)) : [plane];
  const [first, second, third] = planes as [Uint8Array, Uint8Array | undefined, Uint8Array | undefined];
  if (second !== undefined && third !== undefined) {
    if (style.colormap !== undefined) throw new StyleError("invalid-style", "Expected one band for a colormap, got 3.");
    return allValid
      ? { width, height, channels: 3, data: packRgb(first, second, third, take, context) }
      : { width, height, channels: 4, data: packRgba(first, second, third, valid, take, context) };
  }
  if (style.colormap !== undefined && style.colormap.length !== 1024) {
    throw new StyleError("invalid-style", `Expected a colormap of 256 × 4 bytes, got ${style.colormap.length}.`);
  }
  if (allValid) {
    // a plane may be the raster's own band: images never share it
    const data = first === raster.bands[0] ? first.slice() : first;
    return style.colormap === undefined
      ? { width, height, channels: 1, data }
      : { width, height, channels: 1, data, palette: style.colormap.slice() };
  }
  return { width, height, channels: 1, ...indexWithout(first, valid, style.colormap ?? GREYS) };
}

function noRescale(): StyleError {
  return new StyleError("invalid-style", "Expected a rescale for bands that are not uint8.");
}

function toPlane(
  band: Samples,
  ranges: readonly Range[] | undefined,
  index: number,
  count: number,
  context: OwnedWarpContext,
): Uint8Array {
  if (ranges === undefined) {
    if (band instanceof Uint8Array) return band;
    throw noRescale();
  }
  return rescale(band, rangeOf(ranges, index, count), context);
}

function rangeOf(ranges: readonly Range[], index: number, count: number): Range {
  const range = ranges.length === 1 ? ranges[0] : ranges.length === count ? ranges[index] : undefined;
  if (range === undefined) {
    throw new StyleError("invalid-style", `Expected 1 or ${count} ranges to rescale by, got ${ranges.length}.`);
  }
  if (!(Number.isFinite(range[0]) && Number.isFinite(range[1]) && range[0] < range[1])) {
    throw new StyleError("invalid-style", `Expected a range with min < max, got ${range[0]}, ${range[1]}.`);
  }
  return range;
}

type Take = (bytes: number) => Uint8Array;

/** Interleaves three planes. */
function packRgb(
  red: Uint8Array,
  green: Uint8Array,
  blue: Uint8Array,
  take: Take,
  { kernels }: OwnedWarpContext,
): Uint8Array {
  const count = red.length;
  const data = take(count * 3);
  if (kernels !== undefined) {
    packRgbByKernel(kernels, [red, green, blue], data);
    return data;
  }
  for (let i = 0, k = 0; i < count; i++, k += 3) {
    data[k] = red[i]!;
    data[k + 1] = green[i]!;
    data[k + 2] = blue[i]!;
  }
  return data;
}

/** Interleaves three planes and opacity. */
function packRgba(
  red: Uint8Array,
  green: Uint8Array,
  blue: Uint8Array,
  valid: Uint8Array,
  take: Take,
  { kernels }: OwnedWarpContext,
): Uint8Array {
  const count = red.length;
  const data = take(count * 4);
  if (kernels !== undefined) {
    packRgbaByKernel(kernels, [red, green, blue], valid, data);
    return data;
  }
  data.fill(0);
  for (let i = 0, k = 0; i < count; i++, k += 4) {
    if (valid[i] === 0) continue;
    data[k] = red[i]!;
    data[k + 1] = green[i]!;
    data[k + 2] = blue[i]!;
    data[k + 3] = 255;
  }
  return data;
}

/** Indices and palette with index 0 for pixels that are not valid. */
function indexWithout(
  plane: Uint8Array,
  valid: Uint8Array,
  colors: Uint8Array,
): { data: Uint8Array; palette: Uint8Array } {
  const used = new Uint8Array(256);
  for (let i = 0; i < plane.length; i++) if (valid[i] !== 0) used[plane[i]!] = 1;
  const free = used.indexOf(0, 1);
  const palette = colors.slice();
  const zero = free > 0 ? free : 1;
  if (free > 0) palette.copyWithin(free * 4, 0, 4);
  palette.fill(0, 0, 4);
  const data = new Uint8Array(plane.length);
  for (let i = 0; i < plane.length; i++) {
    if (valid[i] === 0) continue;
    const value = plane[i]!;
    data[i] = value === 0 ? zero : value;
  }
  return { data, palette };
}

const GREYS = Uint8Array.from({ length: 1024 }, (_, i) => (i % 4 === 3 ? 255 : i >> 2));
