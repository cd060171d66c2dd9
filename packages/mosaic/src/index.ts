export { type ComposeOptions, composeMosaic, type Mosaic } from "./compose.ts";
export { MosaicInputError, SceneMismatchError, SceneReadError, SceneUnreadableError } from "./errors.ts";
export {
  type BandConversion,
  harmonizeScene,
  OFFSET_REMOVED_NODATA,
  type OffsetRemoval,
  removeOffset,
  type Scaling,
  toPhysical,
} from "./harmonize.ts";
export { type BitRule, bitTable, classify, type Dilation, maskExclude, restrictRaster } from "./mask.ts";
export { hashKey, type PlanPart, planKey } from "./plan-key.ts";
export { type MarkSpan, polygonSpans, rasterizePolygon } from "./rasterize/rasterize.ts";
export { rasterizeLines, rasterizePoints } from "./rasterize/rasterize-lines.ts";
export type { Ring, Scene, SceneReadOptions } from "./scene.ts";
export { type Candidate, COVERAGE_TOLERANCE, type Selection, type SelectOptions, selectScenes } from "./select.ts";
