import { OFFSET_REMOVED_NODATA, removeOffset, toPhysical } from "@swath/mosaic";
import { allocateSamples, type Raster, type SamplePool, type Samples, sampleTypeOf } from "@swath/raster";
import type { ExtractAsset, ExtractJob } from "./extract-job.ts";

/** One band of one scene in the numbers of the output. */
export interface BandPixels {
  /** Of the output's sample type; its nodata where the band has none. */
  readonly samples: Samples;
  /** 1 where the scene has a value of this band. */
  readonly valid: Uint8Array;
}

type Target = Pick<ExtractJob, "sampleType" | "nodata"> & {
  /** Gives the memory of what is converted. */
  readonly pool: SamplePool;
};

/** A band as it was read in the output's numbers; `undefined` is a band that does not touch the grid. */
export function toOutput(raster: Raster | undefined, count: number, asset: ExtractAsset, target: Target): BandPixels {
  const stored = raster?.bands[0];
  if (raster === undefined || stored === undefined) {
    return { samples: allocateSamples(target.sampleType, count).fill(target.nodata), valid: new Uint8Array(count) };
  }
  return { samples: convert(stored, raster.valid, asset, target), valid: raster.valid };
}

function convert(stored: Samples, valid: Uint8Array, { conversion, nodata }: ExtractAsset, target: Target): Samples {
  if (conversion.kind === "physical") {
    return toPhysical(stored, valid, conversion, target.pool.take("float32", stored.length) as Float32Array);
  }
  if (conversion.kind === "offset-removed") {
    const removed = removeOffset(stored, valid, conversion);
    return target.sampleType === "float32" ? toFloat(removed, valid, OFFSET_REMOVED_NODATA) : removed;
  }
  if (target.sampleType === "float32") return toFloat(stored, valid, nodata);
  const isSame = sampleTypeOf(stored) === target.sampleType;
  if (isSame && valid.indexOf(0) < 0) return stored; // warped for this strip alone
  const out = target.pool.take(target.sampleType, stored.length);
  out.set(stored);
  fillEmpty(out, valid, target.nodata);
  return out;
}

/** Where nothing is valid there is `nodata`; run by run, because what is not valid lies together. */
function fillEmpty(samples: Samples, valid: Uint8Array, nodata: number): void {
  for (let start = valid.indexOf(0); start !== -1; ) {
    const next = valid.indexOf(1, start);
    samples.fill(nodata, start, next === -1 ? valid.length : next);
    start = next === -1 ? -1 : valid.indexOf(0, next);
  }
}

/** The same numbers as float32, which holds all 16-bit ones exactly; NaN where there is none. */
function toFloat(samples: Samples, valid: Uint8Array, nodata: number | undefined): Float32Array {
  const out = new Float32Array(samples.length);
  for (let i = 0; i < out.length; i++) {
    const value = samples[i] as number;
    out[i] = valid[i] === 0 || value === nodata ? Number.NaN : value;
  }
  return out;
}

/**
 * Pixels that a scene takes in a mosaic: those where any of its bands has data, so that all bands of a pixel are of
 * one scene.
 */
export function ownedPixels(
  bands: readonly { readonly raster: Raster | undefined; readonly nodata: number | undefined }[],
  count: number,
): Uint8Array {
  const owned = new Uint8Array(count);
  // files of one pixel grid without holes share one array
  const known = new Set<Uint8Array>();
  for (const { raster, nodata } of bands) {
    const stored = raster?.bands[0];
    if (raster === undefined || stored === undefined) continue;
    const { valid } = raster;
    if (nodata === undefined) {
      if (known.has(valid)) continue;
      if (valid.indexOf(0) < 0) return owned.fill(1);
      for (let i = 0; i < count; i++) owned[i]! |= valid[i]!;
      known.add(valid);
    } else for (let i = 0; i < count; i++) if (valid[i] === 1 && stored[i] !== nodata) owned[i] = 1;
  }
  return owned;
}
