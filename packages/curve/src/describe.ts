import { checkThreshold, type SmoothOptions, type SmoothSettings, smoothSettings } from "./options.ts";
import { type CurvePoint, type CurveValue, hasValue } from "./points.ts";
import { CURVE_REFERENCES } from "./references.ts";
import { findSeasons, SEASON_PROMINENCE, type Season } from "./season.ts";
import { fillLinear } from "./smooth/linear.ts";
import { smoothSavitzkyGolay } from "./smooth/savitzky-golay.ts";
import { smoothWhittaker } from "./smooth/whittaker.ts";
import { type MannKendall, mannKendall } from "./trend/mann-kendall.ts";
import type { Pause } from "./trend/slopes.ts";
import { type TheilSen, TREND_YEAR, theilSen } from "./trend/theil-sen.ts";

/** Descriptions of a curve that are wanted. */
export interface CurveOptions {
  readonly smooth?: SmoothOptions | undefined;
  readonly trend?: "theil-sen" | undefined;
  /** `threshold`: share of the amplitude at which a season starts and ends, above 0 and below 1. */
  readonly season?: { readonly threshold: number } | undefined;
}

/** A method, and where it is published. */
interface Cited<M extends string> {
  readonly method: M;
  readonly reference: string;
  /** Reason why there are no numbers; absent: there are. */
  readonly reason?: string;
}

/** The curve smoothed, or with its gaps filled. */
export type SmoothedCurve = Omit<Cited<SmoothSettings["method"]>, "method"> &
  SmoothSettings & {
    /** One for each point; `null` before the first value and after the last, where no method extrapolates. */
    readonly values: readonly (number | null)[];
  };

/** The trend of the values as they are, not smoothed, with a test of whether it is one. */
export type CurveTrend = Cited<"theil-sen"> & TheilSen & { readonly mannKendall: Cited<"mann-kendall"> & MannKendall };

/** The seasons of the smoothed curve, or of the values with gaps filled linearly. */
export interface CurveSeasons extends Cited<"threshold"> {
  readonly threshold: number;
  /** Share of the curve's range that a summit rises by where it is a season. */
  readonly prominence: number;
  /** Oldest first. */
  readonly seasons: readonly Season[];
}

/** Descriptions of a curve: of those that were asked for. */
export interface CurveDescription {
  readonly smooth?: SmoothedCurve;
  readonly trend?: CurveTrend;
  readonly season?: CurveSeasons;
}

/** Checks options without a curve. @throws {CurveError} that names the one which does not fit. */
export function checkCurveOptions({ smooth, season }: CurveOptions): void {
  if (smooth !== undefined) smoothSettings(smooth);
  if (season !== undefined) checkThreshold(season.threshold);
}

/**
 * Smooths a curve, fits its trend and finds its seasons, as far as they are asked for. The points stay as they are.
 *
 * @param points in ascending time; gaps are `null`
 * @param pause awaited between parts of some milliseconds of work
 * @throws {CurveError} for options that do not fit; what `pause` throws
 */
export async function describeCurve(
  points: readonly CurvePoint[],
  options: CurveOptions,
  { pause }: { readonly pause?: Pause | undefined } = {},
): Promise<CurveDescription> {
  checkCurveOptions(options);
  const smooth = options.smooth === undefined ? undefined : smoothed(points, smoothSettings(options.smooth));
  await pause?.();
  const trend = options.trend === undefined ? undefined : await trendOf(points, pause);
  await pause?.();
  const season = options.season === undefined ? undefined : seasonsOf(points, smooth, options.season.threshold);
  return {
    ...(smooth === undefined ? {} : { smooth }),
    ...(trend === undefined ? {} : { trend }),
    ...(season === undefined ? {} : { season }),
  };
}

/** The value of a trend's line at a time; `null` where it has none. */
export function trendAt({ slope, intercept, origin }: TheilSen, time: number): number | null {
  if (slope === null || intercept === null || origin === null) return null;
  return intercept + (slope * (time - origin)) / TREND_YEAR;
}

function smoothed(points: readonly CurvePoint[], settings: SmoothSettings): SmoothedCurve {
  const reference = CURVE_REFERENCES[settings.method];
  const values = smoothBy(points, settings);
  const isEmpty = values.every((value) => value === null);
  return { ...settings, reference, values, ...(isEmpty ? { reason: reasonOf(settings) } : {}) };
}

function smoothBy(points: readonly CurvePoint[], settings: SmoothSettings): (number | null)[] {
  if (settings.method === "linear") return fillLinear(points);
  if (settings.method === "whittaker") return smoothWhittaker(points, settings.lambda);
  return smoothSavitzkyGolay(points, settings);
}

function reasonOf(settings: SmoothSettings): string {
  if (settings.method === "linear") return "No observation has a value.";
  if (settings.method === "whittaker") return "Fewer than two observations have a value.";
  return `Fewer than ${settings.window} observations lie between the first value and the last.`;
}

async function trendOf(points: readonly CurvePoint[], pause: Pause | undefined): Promise<CurveTrend> {
  const line = await theilSen(points, { pause });
  const isOneTime = points.every((point) => !hasValue(point) || point.time === line.origin);
  const reason = isOneTime ? "No two values differ in time." : "The slope does not fit into a number of 64 bits.";
  return {
    method: "theil-sen",
    reference: CURVE_REFERENCES["theil-sen"],
    ...line,
    ...(line.slope === null ? { reason } : {}),
    mannKendall: { method: "mann-kendall", reference: CURVE_REFERENCES["mann-kendall"], ...mannKendall(points) },
  };
}

function seasonsOf(points: readonly CurvePoint[], smooth: SmoothedCurve | undefined, threshold: number): CurveSeasons {
  const values = smooth?.values ?? fillLinear(points);
  const curve = points.map(({ time }, i): CurvePoint => ({ time, value: values[i]! })).filter(hasValue);
  const seasons = findSeasons(curve satisfies CurveValue[], threshold);
  return {
    method: "threshold",
    reference: CURVE_REFERENCES.threshold,
    threshold,
    prominence: SEASON_PROMINENCE,
    seasons,
    ...(seasons.length === 0 ? { reason: "The curve does not rise and fall within the interval." } : {}),
  };
}
