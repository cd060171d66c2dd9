import { OFFSET_REMOVED_NODATA, removeOffset, toPhysical } from "@swath/mosaic";
import { multiplyByFactors } from "@swath/mosaic/nbar";
import { allocateSamples, type Raster, type Samples, sampleTypeOf } from "@swath/raster";
import type { SamplePool } from "@swath/raster/kernels";
import { type ClassNumbers, classNumbersTable } from "./class-numbers.ts";
import type { FileRead, OutputType, SampleConversion } from "./scene-read.ts";

/** The target of converting bands, and the pool of its memory. */
export interface ConversionTarget {
  readonly sampleType: OutputType;
  readonly nodata: number;
  readonly pool: SamplePool;
}

/** A band that does not touch the grid: `count` samples of nodata, or of its conversion's number for it. */
export function missingBand(
  count: number,
  { sampleType, nodata }: ConversionTarget,
  conversion?: SampleConversion,
): Samples {
  const fill = conversion?.kind === "classes" ? conversion.missing : nodata;
  return allocateSamples(sampleType, count).fill(fill);
}

/**
 * A band as it was read, in the numbers that its file's conversion asks for. Samples that need no change are returned
 * as they are.
 */
export function convertSamples(
  stored: Samples,
  { grid, valid }: Pick<Raster, "grid" | "valid">,
  { conversion }: FileRead,
  target: ConversionTarget | undefined,
): Samples {
  if (conversion === undefined) return stored;
  if (conversion.kind === "shift") return shifted(stored, valid, conversion.shift);
  if (target === undefined) throw new TypeError(`A conversion to ${conversion.kind} samples needs an output type.`);
  if (conversion.kind === "classes") return toNumbers(stored, valid, conversion, target);
  if (conversion.kind === "physical") {
    const out = target.pool.take(target.sampleType, stored.length) as Float32Array | Float64Array;
    const values = toPhysical(stored, valid, conversion, out);
    if (conversion.decibels === true) toDecibels(values);
    if (conversion.brightness !== undefined) toBrightness(values, conversion.brightness);
    if (conversion.factors !== undefined) multiplyByFactors(values, conversion.factors, grid);
    return values;
  }
  if (conversion.kind === "offset-removed") {
    const removed = removeOffset(stored, valid, conversion);
    return isFloat(target.sampleType) ? toFloat(removed, valid, OFFSET_REMOVED_NODATA, target) : removed;
  }
  if (isFloat(target.sampleType)) return toFloat(stored, valid, conversion.nodata, target);
  if (sampleTypeOf(stored) === target.sampleType && valid.indexOf(0) < 0) return stored;
  const out = target.pool.take(target.sampleType, stored.length);
  out.set(stored);
  fillInvalid(out, valid, target.nodata);
  return out;
}

/** 10 × log10 of each value, in place; NaN where power is 0 or below. */
function toDecibels(values: Float32Array | Float64Array): void {
  for (let i = 0; i < values.length; i++) {
    const power = values[i] as number;
    values[i] = power > 0 ? 10 * Math.log10(power) : Number.NaN;
  }
}

/** Brightness temperature of each radiance, in place (Planck's law with the band's constants). */
function toBrightness(
  values: Float32Array | Float64Array,
  { k1, k2, offset }: { readonly k1: number; readonly k2: number; readonly offset: number },
): void {
  for (let i = 0; i < values.length; i++) {
    const radiance = values[i] as number;
    values[i] = radiance > 0 ? k2 / Math.log(k1 / radiance + 1) + offset : Number.NaN;
  }
}

const isFloat = (type: OutputType): boolean => type === "float32" || type === "float64";

/** Stored samples with `shift` added where there is data; 16-bit samples stop at their largest value. */
function shifted(band: Samples, valid: Uint8Array, shift: number): Samples {
  if (shift === 0) return band;
  const moved = band.slice();
  const largest = band instanceof Uint16Array ? 65_535 : Number.POSITIVE_INFINITY;
  for (let i = 0; i < moved.length; i++) if (valid[i] === 1) moved[i] = Math.min((moved[i] as number) + shift, largest);
  return moved;
}

/** Writes `nodata` run by run, because invalid pixels come in runs. */
export function fillInvalid(samples: Samples, valid: Uint8Array, nodata: number): void {
  for (let start = valid.indexOf(0); start !== -1; ) {
    const next = valid.indexOf(1, start);
    samples.fill(nodata, start, next === -1 ? valid.length : next);
    start = next === -1 ? -1 : valid.indexOf(0, next);
  }
}

/** The same numbers as floats, which hold all 16-bit ones exactly; NaN where there is no data. */
function toFloat(
  samples: Samples,
  valid: Uint8Array,
  nodata: number | undefined,
  { sampleType }: ConversionTarget,
): Samples {
  const out = allocateSamples(sampleType, samples.length);
  for (let i = 0; i < out.length; i++) {
    const value = samples[i] as number;
    out[i] = valid[i] === 0 || value === nodata ? Number.NaN : value;
  }
  return out;
}

/** The number of each sample's class. */
function toNumbers(
  stored: Samples,
  valid: Uint8Array,
  numbers: ClassNumbers,
  { pool, sampleType }: ConversionTarget,
): Samples {
  const table = classNumbersTable(numbers);
  const { missing } = numbers;
  const out = pool.take(sampleType, stored.length);
  for (let i = 0; i < out.length; i++) out[i] = valid[i] === 1 ? table[stored[i]! & 0xffff]! : missing;
  return out;
}

/** Returns the mask of pixels where every raster is valid. Rasters that share one mask give that mask. */
export function validInEvery(rasters: readonly Pick<Raster, "valid">[]): Uint8Array {
  const [first, ...others] = [...new Set(rasters.map(({ valid }) => valid))] as [Uint8Array, ...Uint8Array[]];
  if (others.length === 0) return first;
  const valid = first.slice();
  for (const other of others)
    for (let i = 0; i < valid.length; i++) valid[i] = (valid[i] as number) & (other[i] as number);
  return valid;
}

/**
 * Returns the mask of pixels where any raster is valid, so that all bands of a pixel of a mosaic are of one scene. A
 * sample that equals its file's `yields` does not count, and files that do not claim pixels count where there are no
 * others.
 */
export function validInAny(
  rasters: readonly ({ readonly raster: Raster | undefined } & Pick<FileRead, "yields" | "claims">)[],
  count: number,
): Uint8Array {
  const claiming = rasters.filter(({ claims }) => claims !== false);
  const found = new Uint8Array(count);
  // files of one pixel grid without gaps share one mask
  const known = new Set<Uint8Array>();
  for (const { raster, yields } of claiming.length === 0 ? rasters : claiming) {
    const stored = raster?.bands[0];
    if (raster === undefined || stored === undefined) continue;
    const { valid } = raster;
    if (yields === undefined) {
      if (known.has(valid)) continue;
      if (valid.indexOf(0) < 0) return found.fill(1);
      for (let i = 0; i < count; i++) found[i]! |= valid[i]!;
      known.add(valid);
    } else for (let i = 0; i < count; i++) if (valid[i] === 1 && stored[i] !== yields) found[i] = 1;
  }
  return found;
}
