export type { WarpContext } from "./context.ts";
export { deinterleaveRgb } from "./style/interleaved-rgb.ts";
export { type PlanOptions, planWarp, type Resampling, sourceWindow, type WarpPlan } from "./warp/plan.ts";
export { resample } from "./warp/resample/resample.ts";
export {
  planResample,
  type ResampleOptions,
  type ResamplePlan,
  type ResamplingMethod,
} from "./warp/resample/resample-plan.ts";
export { longestStep, sourceStep } from "./warp/step.ts";
export { type WarpOptions, warp, warpAll, warpInterleavedRgb } from "./warp/warp.ts";
