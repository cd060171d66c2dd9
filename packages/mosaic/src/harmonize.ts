import type { Raster, Samples } from "@swath/raster";
import { MosaicInputError } from "./errors.ts";
import type { Scene } from "./scene.ts";

/** The value that marks no data in offset-removed samples, where 0 is a real value. */
export const OFFSET_REMOVED_NODATA = -32768;

/**
 * The conversion of the stored numbers (DN) of a band.
 * - `stored`: unchanged; `nodata` where there is no data.
 * - `offset-removed`: int16, DN − `dnOffset` (1000 or 0), at most 32767; −32768 where there is no data.
 * - `physical`: float32, DN × `scale` + `offset` (reflectance, kelvin), see `toPhysical`; NaN where there is no data.
 *
 * A pixel has no data where `valid` is 0 or its DN equals `nodata` (often 0). `clipNegative` turns values below 0
 * into 0.
 */
export type BandConversion =
  | { readonly kind: "stored"; readonly nodata?: number | undefined }
  | ({ readonly kind: "offset-removed" } & OffsetRemoval)
  | ({ readonly kind: "physical" } & Scaling);

/** The offset that is subtracted from stored numbers; `nodata` is the stored number that means no data. */
export interface OffsetRemoval {
  readonly dnOffset: number;
  readonly nodata?: number | undefined;
  readonly clipNegative?: boolean;
}

/** The line that turns stored numbers into physical values. */
export interface Scaling {
  readonly scale: number;
  readonly offset: number;
  readonly nodata?: number | undefined;
  readonly clipNegative?: boolean;
  /** The line that adjusts the value to another sensor: `slope` × value + `intercept`. */
  readonly adjust?: { readonly slope: number; readonly intercept: number };
}

/** DN − `dnOffset` as int16. Values outside −32767..32767 take the nearer end, so that none turns into nodata. */
export function removeOffset(dn: Samples, valid: Uint8Array, options: OffsetRemoval): Int16Array<ArrayBuffer> {
  checkLength(dn, valid);
  const { dnOffset } = options;
  const nodata = options.nodata ?? Number.NaN; // equals no number
  const floor = options.clipNegative === true ? 0 : -32767;
  const out = new Int16Array(dn.length);
  for (let i = 0; i < out.length; i++) {
    const stored = dn[i]!;
    if (valid[i] === 0 || stored === nodata) {
      out[i] = OFFSET_REMOVED_NODATA;
    } else {
      const value = stored - dnOffset;
      out[i] = Math.min(Math.max(value, floor), 32767);
    }
  }
  return out;
}

/**
 * DN × `scale` + `offset`, computed in double precision and rounded once to the type of `out`, which is float32 unless
 * another array is given. Where `scale` is one over a whole number and `offset` is a whole number of DNs, as for
 * reflectance in ten thousandths, it is the quotient (DN + offset in DN) / number: DN 1500 with an offset of −1000 is
 * 0.05, and not the double below it.
 */
export function toPhysical<T extends Float32Array | Float64Array = Float32Array>(
  dn: Samples,
  valid: Uint8Array,
  options: Scaling,
  out: T = new Float32Array(dn.length) as unknown as T,
): T {
  checkLength(dn, valid);
  const terms = termsOf(options);
  // for small bands a table would cost more than it saves
  if (dn instanceof Uint16Array && dn.length >= 4096 && out instanceof Float32Array)
    scale16(dn, valid, tableOf(terms), out);
  else scaleAny(dn, valid, terms, out);
  return out;
}

/** slope × ((DN × scale + shift) / divisor) + intercept: either `scale` or `divisor` is 1. */
interface Terms {
  readonly scale: number;
  readonly shift: number;
  readonly divisor: number;
  readonly slope: number;
  readonly intercept: number;
  readonly nodata: number;
  readonly floor: number;
}

function termsOf({ scale, offset, nodata = Number.NaN, clipNegative, adjust }: Scaling): Terms {
  const { slope, intercept } = adjust ?? { slope: 1, intercept: 0 };
  const rest = { slope, intercept, nodata, floor: clipNegative === true ? 0 : Number.NEGATIVE_INFINITY };
  const divisor = Math.round(1 / scale);
  const shift = Math.round(offset * divisor);
  const isQuotient = 1 / divisor === scale && shift / divisor === offset;
  return isQuotient ? { ...rest, scale: 1, shift, divisor } : { ...rest, scale, shift: offset, divisor: 1 };
}

const scaled = (dn: number, { scale, shift, divisor, slope, intercept, floor }: Terms): number =>
  Math.max(slope * ((dn * scale + shift) / divisor) + intercept, floor);

/** The results for all stored numbers of 16 bits, by conversion; scenes of a request share a few. */
const tables = new Map<string, Float32Array>();
const MAX_TABLES = 16;

function tableOf(terms: Terms): Float32Array {
  const key = Object.values(terms).join(" ");
  let table = tables.get(key);
  if (table === undefined) {
    table = Float32Array.from({ length: 65_536 }, (_, stored) =>
      stored === terms.nodata ? Number.NaN : scaled(stored, terms),
    );
    if (tables.size >= MAX_TABLES) tables.clear();
    tables.set(key, table);
  }
  return table;
}

function scale16(dn: Uint16Array, valid: Uint8Array, table: Float32Array, out: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = table[dn[i]!]!;
  for (let i = valid.indexOf(0); i !== -1 && i < out.length; i++) if (valid[i] === 0) out[i] = Number.NaN;
}

function scaleAny(dn: Samples, valid: Uint8Array, terms: Terms, out: Float32Array | Float64Array): void {
  const { nodata } = terms;
  for (let i = 0; i < out.length; i++) {
    const stored = dn[i]!;
    out[i] = valid[i] === 0 || stored === nodata ? Number.NaN : scaled(stored, terms);
  }
}

/** `samples` with `nodata` where `valid` is 0; `samples` itself where nothing has to change. */
export function fillNodata<T extends Samples>(samples: T, valid: Uint8Array, nodata: number): T {
  checkLength(samples, valid);
  let out = samples;
  for (let i = valid.indexOf(0); i !== -1; i = valid.indexOf(0, i + 1)) {
    if (Object.is(out[i], nodata) || out[i] === nodata) continue;
    if (out === samples) out = samples.slice() as T;
    out[i] = nodata;
  }
  return out;
}

/** One band after its conversion. Stored samples that need no change are returned as they are, without a copy. */
export function convertBand(dn: Samples, valid: Uint8Array, conversion: BandConversion): Samples {
  switch (conversion.kind) {
    case "stored":
      return conversion.nodata === undefined ? dn : fillNodata(dn, valid, conversion.nodata);
    case "offset-removed":
      return removeOffset(dn, valid, conversion);
    case "physical":
      return toPhysical(dn, valid, conversion);
  }
}

/**
 * All bands of a raster, `conversions[i]` for band i. `valid` stays: a band with a gap of its own (a thermal band
 * under valid reflectance) keeps it as that band's nodata.
 *
 * @throws {MosaicInputError} unless there is one conversion for each band.
 */
export function harmonizeRaster(raster: Raster, conversions: readonly BandConversion[]): Raster {
  if (conversions.length !== raster.bands.length) {
    throw new MosaicInputError(`Expected ${raster.bands.length} conversions, one a band, got ${conversions.length}.`);
  }
  const bands = raster.bands.map((band, i) => convertBand(band, raster.valid, conversions[i]!));
  return { grid: raster.grid, bands, valid: raster.valid };
}

/**
 * The scene with its own conversions applied to whatever it reads, so that a mosaic of scenes with different offsets
 * is right in every pixel.
 */
export function harmonizeScene(scene: Scene, conversions: readonly BandConversion[]): Scene {
  return {
    id: scene.id,
    ...(scene.bbox && { bbox: scene.bbox }),
    ...(scene.footprint && { footprint: scene.footprint }),
    read: async (grid, options) => {
      const raster = await scene.read(grid, options);
      return raster === undefined ? undefined : harmonizeRaster(raster, conversions);
    },
  };
}

function checkLength(samples: Samples, valid: Uint8Array): void {
  if (samples.length !== valid.length) {
    throw new MosaicInputError(`Expected as many samples as flags, got ${samples.length} and ${valid.length}.`);
  }
}
