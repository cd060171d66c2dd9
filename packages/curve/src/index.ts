export {
  type CurveDescription,
  type CurveOptions,
  type CurveSeasons,
  type CurveTrend,
  checkCurveOptions,
  describeCurve,
  type SmoothedCurve,
  trendAt,
} from "./describe.ts";
export { type CurveDrawing, curveDrawing } from "./drawing.ts";
export { erfc } from "./erfc.ts";
export { CurveError } from "./errors.ts";
export { fillLinear } from "./linear.ts";
export { type MannKendall, mannKendall } from "./mann-kendall.ts";
export {
  CURVE_LIMITS,
  checkThreshold,
  parseSmooth,
  SMOOTH_METHODS,
  type SmoothMethod,
  type SmoothOptions,
  type SmoothSettings,
  smoothSettings,
} from "./options.ts";
export { findPeaks, type Peak } from "./peaks.ts";
export type { CurvePoint, CurveValue } from "./points.ts";
export { CURVE_REFERENCES } from "./references.ts";
export { type SavitzkyGolayOptions, smoothSavitzkyGolay } from "./savitzky-golay.ts";
export { findSeasons, SEASON_PROMINENCE, type Season } from "./season.ts";
export type { Pause } from "./slopes.ts";
export { type TheilSen, TREND_YEAR, theilSen } from "./theil-sen.ts";
export { smoothWhittaker } from "./whittaker.ts";
export { curveWords } from "./words.ts";
