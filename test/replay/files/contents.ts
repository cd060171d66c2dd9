import { basename } from "node:path";
import type { Json, RecordedItem } from "../recordings.ts";
import { gridOf } from "./grid.ts";
import { type SampleType, writeTiff } from "./tiff.ts";

/** The samples of the files of one kind. */
interface Samples {
  readonly type: SampleType;
  readonly nodata?: number;
  /** Stored values of a pixel; one for each sample. */
  readonly base: readonly number[];
  /** The increase of the stored value from block to block, in eight steps; absent: all blocks hold the same. */
  readonly step?: number;
  readonly isPoint?: boolean;
}

/** Blocks of a file hold eight values in turn, so that a value says which block was read. */
const STEPS = 8;
const stepOf = (column: number, row: number): number => (5 * column + 3 * row) % STEPS;

/** By file name: the first that fits. `$1` of spectral bands is the number of the band. */
const KINDS: readonly (readonly [pattern: RegExp, samples: (band: number) => Samples])[] = [
  // Landsat Collection 2
  [/_SR_B(\d)\.TIF$/, (band) => ({ type: "uint16", nodata: 0, base: [9000 + 1000 * band], step: 100 })],
  [/_ST_B(?:6|10)\.TIF$/, () => ({ type: "uint16", nodata: 0, base: [44_000], step: 10 })],
  [/_(?:ST_\w+|SR_ATMOS_OPACITY)\.TIF$/, () => ({ type: "int16", nodata: -9999, base: [100], step: 1 })],
  // fill is 1 and has no tag; 21824 is clear land
  [/_QA_PIXEL\.TIF$/, () => ({ type: "uint16", base: [21_824] })],
  [/_QA_RADSAT\.TIF$/, () => ({ type: "uint16", base: [0] })],
  [/_SR_(?:QA_AEROSOL|CLOUD_QA)\.TIF$/, () => ({ type: "uint8", base: [96] })],
  [/^LM.*_B(\d)\.TIF$/, (band) => ({ type: "uint8", nodata: 0, base: [20 + 20 * band], step: 1 })],
  // HLS v2.0
  [/^HLS.*\.Fmask\.tif$/, () => ({ type: "uint8", nodata: 255, base: [64] })],
  [/^HLS.*\.[SV][AZ]A\.tif$/, () => ({ type: "uint16", nodata: 40_000, base: [3000], step: 10 })],
  [/^HLS\.L30.*\.B1[01]\.tif$/, () => ({ type: "int16", nodata: -9999, base: [2500], step: 10 })],
  [/^HLS.*\.B(\d\d|8A)\.tif$/, (band) => ({ type: "int16", nodata: -9999, base: [500 + 200 * band], step: 10 })],
  // Sentinel-1 RTC and elevation
  [
    /\bv[vh]\.rtc\.tiff$|_v[vh]\.rtc\.tiff$/,
    () => ({ type: "float32", nodata: -32_768, base: [0.0625], step: 0.015625 }),
  ],
  [/_DEM\.tif$/, () => ({ type: "float32", base: [512], step: 8, isPoint: true })],
  // Sentinel-2
  [/SCL/, () => ({ type: "uint8", nodata: 0, base: [4] })],
  [/TCI|L2A_PVI/, () => ({ type: "uint8", nodata: 0, base: [90, 80, 70] })],
  [/CLD|SNW/, () => ({ type: "uint8", base: [0] })],
  [/AOT|WVP/, () => ({ type: "uint16", nodata: 0, base: [200], step: 1 })],
  [
    /B(\d\d|8A)(?:_\d\dm)?\.(?:tif|jp2)$/,
    (band) => ({ type: "uint16", nodata: 0, base: [2000 + 200 * band], step: 10 }),
  ],
];

/** `8A` counts as eight and a half. */
const bandNumber = (text: string | undefined): number => (text === "8A" ? 8.5 : Number(text ?? 0));

/** Returns the samples of a file of this name; `undefined` for a file that is no known raster. */
function samplesOf(file: string): Samples | undefined {
  for (const [pattern, samples] of KINDS) {
    const match = pattern.exec(file);
    if (match !== null) return samples(bandNumber(match[1]));
  }
  return undefined;
}

/** Stored values that pixels of a file can have: each is one of eight, in one sample. */
export function storedValues(href: string, sample = 0): readonly number[] {
  const samples = samplesOf(basename(href));
  if (samples === undefined) throw new RangeError(`No raster is known by the name ${basename(href)}.`);
  const { base, step = 0 } = samples;
  const first = base[sample] as number;
  return [...new Set(Array.from({ length: STEPS }, (_, i) => first + i * step))];
}

/** The bytes of an asset's file in its recorded grid, some kilobytes; `undefined` for what is no raster or has no grid. */
export function tiffOf(item: RecordedItem, asset: Json): Buffer | undefined {
  const samples = samplesOf(basename(String(asset.href)));
  const grid = gridOf(item, asset);
  if (samples === undefined || grid === undefined) return undefined;
  const { base, step = 0, type, nodata, isPoint = false } = samples;
  return writeTiff({
    ...grid,
    type,
    samples: base.length,
    block: grid.crs.kind === "hls-utm" ? 256 : 512,
    isPoint,
    ...(nodata === undefined ? {} : { nodata }),
    valueOf: (column, row) => base.map((value) => value + step * stepOf(column, row)),
  });
}
