/** Pixels and bands that cost one unit: 512 × 512 of three bands. */
const UNIT_PIXELS = 262_144;
const UNIT_BANDS = 3;
/** Least units of statistics. */
const LEAST_STATISTICS = 0.01;

/** What statistics read. */
export interface StatisticsWork {
  readonly width: number;
  readonly height: number;
  /** Bands that are read; masks cost nothing. */
  readonly bands: number;
  /** Days of acquisition, each counted once an interval. */
  readonly dates: number;
}

/** Units of statistics: width × height of the bounding grid, bands and dates, at least 0.01. Not rounded. */
export function statisticsUnits({ width, height, bands, dates }: StatisticsWork): number {
  return Math.max(LEAST_STATISTICS, ((width * height) / UNIT_PIXELS) * (bands / UNIT_BANDS) * dates);
}

/** Least units of a time series. */
export const LEAST_TIMESERIES = 0.01;
/** Least units of one overpass of it: opening its files costs the same for one pixel as for many. */
const LEAST_OVERPASS = 0.001;

/** Units of one overpass of a time series, of so many pixels and bands; masks cost nothing. Not rounded. */
export function overpassUnits({ pixels, bands }: { readonly pixels: number; readonly bands: number }): number {
  return Math.max(LEAST_OVERPASS, (pixels / UNIT_PIXELS) * (bands / UNIT_BANDS));
}
