import { allocateSamples, type Grid, type Raster, resolveCrs, type SampleType } from "@swath/raster";
import { random } from "./images.ts";

export const SAMPLE_TYPES: readonly SampleType[] = [
  "int8",
  "uint8",
  "int16",
  "uint16",
  "int32",
  "uint32",
  "float32",
  "float64",
];

/** A north-up UTM grid with pixels of 10 m. */
export function utmGrid(width: number, height: number): Grid {
  return { crs: resolveCrs("EPSG:32633"), transform: [10, 0, 499980, 0, -10, 5000040], width, height };
}

/**
 * Terrain with noise over the whole range of the type's low bits; about a tenth of the pixels, in one piece, is not valid.
 * Invalid pixels hold values too, which must not reach the file where a nodata value is given.
 */
export function terrain(type: SampleType, width: number, height: number, bandCount: number, seed = 1): Raster {
  const next = random(seed);
  const bands = Array.from({ length: bandCount }, (_, band) => {
    const samples = allocateSamples(type, width * height);
    for (let i = 0; i < samples.length; i++) {
      const x = i % width;
      const y = Math.floor(i / width);
      const value = 60 + 30 * Math.sin(x / 17 + band) + 25 * Math.cos(y / 11) + 8 * next();
      samples[i] = type.startsWith("float") ? value / 100 : type.endsWith("8") ? value : value * 20;
    }
    return samples;
  });
  const valid = new Uint8Array(width * height);
  for (let i = 0; i < valid.length; i++) {
    const x = (i % width) / width;
    const y = Math.floor(i / width) / height;
    valid[i] = x > 0.3 && x < 0.6 && y > 0.2 && y < 0.55 ? 0 : 1;
  }
  return { grid: utmGrid(width, height), bands, valid };
}

/** Values as they must come back: those of invalid pixels replaced by `nodata`. */
export function expectedValues(raster: Raster, band: number, nodata: number | undefined): number[] {
  return Array.from(raster.bands[band]!, (value, i) =>
    raster.valid[i] === 0 && nodata !== undefined ? nodata : value,
  );
}
