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
export { CurveError } from "./errors.ts";
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
export { findSeasons, SEASON_PROMINENCE, type Season } from "./season.ts";
export { fillLinear } from "./smooth/linear.ts";
export { type SavitzkyGolayOptions, smoothSavitzkyGolay } from "./smooth/savitzky-golay.ts";
export { smoothWhittaker } from "./smooth/whittaker.ts";
export { erfc } from "./trend/erfc.ts";
export { type MannKendall, mannKendall } from "./trend/mann-kendall.ts";
export type { Pause } from "./trend/slopes.ts";
export { type TheilSen, TREND_YEAR, theilSen } from "./trend/theil-sen.ts";
export { curveWords } from "./words.ts";
