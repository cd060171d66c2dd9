export {
  type CurveDescription,
  type CurveOptions,
  type CurveSeasons,
  type CurveTrend,
  describeCurve,
  type SmoothedCurve,
  trendAt,
} from "./describe.ts";
export { type CurveDrawing, curveDrawing } from "./drawing.ts";
export { CurveError } from "./errors.ts";
export { checkThreshold, type SmoothOptions, type SmoothSettings, smoothSettings } from "./options.ts";
export type { CurvePoint, CurveValue } from "./points.ts";
export { findSeasons, type Season } from "./season.ts";
export { fillLinear } from "./smooth/linear.ts";
export { type SavitzkyGolayOptions, smoothSavitzkyGolay } from "./smooth/savitzky-golay.ts";
export { smoothWhittaker } from "./smooth/whittaker.ts";
export { type MannKendall, mannKendall } from "./trend/mann-kendall.ts";
export type { Pause } from "./trend/slopes.ts";
export { type TheilSen, theilSen } from "./trend/theil-sen.ts";
export { curveWords } from "./words.ts";
