import type { Raster, Samples } from "@swath/raster";
import { MosaicInputError } from "./errors.ts";

/** A stored value belongs to `classCode` (0..255) when `(value & mask) >> lowest bit of mask` is in `min..max`. */
export interface BitRule {
  readonly mask: number;
  /** Smallest field value that matches. Default 1: a flag that is set. */
  readonly min?: number;
  /** Largest field value that matches. Default: the largest the field can hold. */
  readonly max?: number;
  readonly classCode: number;
}

/**
 * A table from every 16-bit value to a class code, for bit-packed bands. The first rule that
 * matches decides; `otherwise` is the code where none does.
 */
export function bitTable(rules: readonly BitRule[], otherwise: number): Uint8Array {
  const fields = rules.map(({ mask, min = 1, max, classCode }) => {
    if (!isInteger(mask, 65535) || mask === 0)
      throw new MosaicInputError(`Expected a mask of 1 to 65535, got ${mask}.`);
    const shift = 31 - Math.clz32(mask & -mask);
    return { mask, shift, min, max: max ?? mask >>> shift, classCode: checkCode(classCode) };
  });
  const table = new Uint8Array(65536).fill(checkCode(otherwise));
  for (let value = 0; value < table.length; value++) {
    const rule = fields.find((field) => {
      const bits = (value & field.mask) >>> field.shift;
      return bits >= field.min && bits <= field.max;
    });
    if (rule !== undefined) table[value] = rule.classCode;
  }
  return table;
}

/** Class code of each pixel. Values outside the table (a table of 256 entries on uint16 data) take `outside`. */
export function classify(samples: Samples, table: Uint8Array, outside = 0): Uint8Array<ArrayBuffer> {
  const codes = new Uint8Array(samples.length);
  for (let i = 0; i < codes.length; i++) codes[i] = table[samples[i]!] ?? outside;
  return codes;
}

/** The distance around a dropped class within which pixels are dropped too. */
export interface Dilation {
  /** Radius in pixels, measured between pixel centres; may be a fraction. */
  readonly pixels: number;
  /** Classes that grow. Default: every excluded class. */
  readonly classes?: ReadonlySet<number>;
}

/**
 * Marks the pixels to keep: 1 where the class is not in `exclude` and no growing class is within `dilation.pixels` (a
 * disk, pixel centre to pixel centre), else 0. Growing classes that are not excluded only take their surroundings along
 * with them. Classes outside the raster are unknown: to grow across an edge, read a margin.
 *
 * @throws {MosaicInputError} when `codes` has not `width × height` values or the radius is negative or no number.
 */
export function maskExclude(
  codes: Uint8Array,
  width: number,
  height: number,
  exclude: ReadonlySet<number>,
  dilation?: Dilation,
): Uint8Array<ArrayBuffer> {
  if (codes.length !== width * height) {
    throw new MosaicInputError(`Expected ${width} × ${height} classes, got ${codes.length}.`);
  }
  const excluded = classTable(exclude);
  const keep = new Uint8Array(codes.length);
  for (let i = 0; i < keep.length; i++) keep[i] = 1 - excluded[codes[i]!]!;
  if (dilation === undefined || dilation.pixels === 0) return keep;
  if (!(dilation.pixels >= 0)) throw new MosaicInputError(`Expected a radius of 0 or more, got ${dilation.pixels}.`);
  dropAround(keep, codes, width, height, classTable(dilation.classes ?? exclude), dilation.pixels);
  return keep;
}

/** The raster with data only where `keep` is 1 too. Bands are shared, not copied. */
export function restrictRaster(raster: Raster, keep: Uint8Array): Raster {
  const { length } = raster.valid;
  if (keep.length !== length) throw new MosaicInputError(`Expected ${length} values, got ${keep.length}.`);
  const valid = new Uint8Array(length);
  for (let i = 0; i < length; i++) valid[i] = raster.valid[i]! & (keep[i] === 0 ? 0 : 1);
  return { grid: raster.grid, bands: raster.bands, valid };
}

/** Clears `keep` within `radius` of every seed: distances down the columns, then intervals along the rows; linear in pixels for any radius. */
function dropAround(
  keep: Uint8Array,
  codes: Uint8Array,
  width: number,
  height: number,
  grows: Uint8Array,
  radius: number,
): void {
  const reach = Math.min(Math.floor(radius), Math.max(width, height));
  const halfWidths = Int32Array.from({ length: reach + 1 }, (_, dy) =>
    Math.floor(Math.sqrt(radius * radius - dy * dy)),
  );
  const far = reach + 1;
  const above = new Int32Array(width).fill(far); // rows since the last seed in each column
  const below = new Int32Array(codes.length); // rows to the next seed
  const next = new Int32Array(width).fill(far);
  for (let y = height - 1; y >= 0; y--) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const distance = grows[codes[i]!] === 1 ? 0 : Math.min(next[x]! + 1, far);
      next[x] = distance;
      below[i] = distance;
    }
  }
  const starts = new Int32Array(width + 1);
  for (let y = 0; y < height; y++) {
    starts.fill(0);
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const up = grows[codes[i]!] === 1 ? 0 : Math.min(above[x]! + 1, far);
      above[x] = up;
      const distance = Math.min(up, below[i]!);
      if (distance > reach) continue;
      const half = halfWidths[distance]!;
      starts[Math.max(0, x - half)]! += 1;
      starts[Math.min(width, x + half + 1)]! -= 1;
    }
    let covering = 0;
    for (let x = 0, i = y * width; x < width; x++, i++) {
      covering += starts[x]!;
      if (covering > 0) keep[i] = 0;
    }
  }
}

function classTable(codes: ReadonlySet<number>): Uint8Array {
  const table = new Uint8Array(256);
  for (const code of codes) table[checkCode(code)] = 1;
  return table;
}

function checkCode(code: number): number {
  if (!isInteger(code, 255)) throw new MosaicInputError(`Expected a class code of 0 to 255, got ${code}.`);
  return code;
}

function isInteger(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max;
}
