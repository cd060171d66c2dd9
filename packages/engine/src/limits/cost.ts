import type { BandSchema } from "@swath/schema";

/** Pixels and bands that cost one unit: 512 × 512 of three bands. */
const UNIT_PIXELS = 262_144;
const UNIT_BANDS = 3;
/** Units of a page of a search or an items listing. */
export const SEARCH_UNITS = 0.01;
/** Least units of an image and of an extraction. */
const LEAST_PIXELS = 0.005;
/** Least units of statistics. */
const LEAST_STATISTICS = 0.01;

/** Whether a band holds classes or quality bits, which cost nothing. */
export function isMask({ kind }: Pick<BandSchema, "kind">): boolean {
  return kind === "class" || kind === "bits";
}

/** The size of an output, and the count of bands that are read for it. */
export interface PixelWork {
  readonly width: number;
  readonly height: number;
  /** Bands that are read (`visual` counts as three); masks cost nothing. */
  readonly bands: number;
}

/** Units of pixels of some bands, without a floor. Not rounded. */
export const pixelUnits = ({ width, height, bands }: PixelWork): number =>
  ((width * height) / UNIT_PIXELS) * (bands / UNIT_BANDS);

/** Units of a tile or preview, at least 0.005. Not rounded. One without any scene costs nothing: it is not asked for here. */
export function imageUnits(work: PixelWork): number {
  return Math.max(LEAST_PIXELS, pixelUnits(work));
}

/** Units of an extraction, at least 0.005; samples of 32 bits cost twice. Not rounded. */
export function extractUnits(work: PixelWork & { readonly is32Bit: boolean }): number {
  return Math.max(LEAST_PIXELS, pixelUnits(work) * (work.is32Bit ? 2 : 1));
}

/** The pixels that statistics read. */
export interface StatisticsWork extends PixelWork {
  /** Days of acquisition, each counted once per interval. */
  readonly dates: number;
}

/** Units of statistics: width × height of the bounding grid, bands and dates, at least 0.01. Not rounded. */
export function statisticsUnits({ dates, ...work }: StatisticsWork): number {
  return Math.max(LEAST_STATISTICS, pixelUnits(work) * dates);
}

/** Units of statistics of several places: those of each by its pixels, at least 0.01 together. Not rounded. */
export function placesUnits(places: readonly StatisticsWork[]): number {
  const units = places.reduce((sum, { dates, ...work }) => sum + pixelUnits(work) * dates, 0);
  return Math.max(LEAST_STATISTICS, units);
}

/** Least units of a time series. */
export const LEAST_TIMESERIES = 0.01;
/** Least units of one overpass of it: opening its files costs the same for one pixel as for many. */
const LEAST_OVERPASS = 0.001;

/** Returns the units of one overpass of a time series; masks cost nothing. Not rounded. */
export function overpassUnits({ pixels, bands }: { readonly pixels: number; readonly bands: number }): number {
  return Math.max(LEAST_OVERPASS, (pixels / UNIT_PIXELS) * (bands / UNIT_BANDS));
}
