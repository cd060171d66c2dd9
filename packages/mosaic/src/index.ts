export type { PolygonGeometry } from "@swath/geometry";
export { type ComposeOptions, composeMosaic, type Mosaic } from "./compose.ts";
export { MosaicInputError, SceneMismatchError, SceneReadError, SceneUnreadableError } from "./errors.ts";
export {
  type BandConversion,
  convertBand,
  fillNodata,
  harmonizeRaster,
  harmonizeScene,
  OFFSET_REMOVED_NODATA,
  type OffsetRemoval,
  removeOffset,
  type Scaling,
  toPhysical,
} from "./harmonize.ts";
export { type BitRule, bitTable, classify, type Dilation, maskExclude, restrictRaster, valueTable } from "./mask.ts";
export { type AngleGrid, computedAngles, type NodeGrid, nodePositions, nodesOver } from "./nbar/angle-grid.ts";
export { type FactorGrid, multiplyByFactors, nadirFactors } from "./nbar/factor-grid.ts";
export {
  type Angles,
  type KernelWeights,
  kernelReflectance,
  liSparseReciprocal,
  nadirFactor,
  rossThick,
} from "./nbar/kernels.ts";
export { type Orbit, trackView, type ViewDirection } from "./nbar/orbit.ts";
export { prescribedSunZenith, type SunPosition, sunPosition } from "./nbar/sun.ts";
export { hashKey, type PlanPart, planKey } from "./plan-key.ts";
export { type MarkSpan, polygonSpans, rasterizePolygon } from "./rasterize/rasterize.ts";
export { rasterizeLines, rasterizePoints } from "./rasterize/rasterize-lines.ts";
export type { Ring, Scene, SceneReadOptions } from "./scene.ts";
export { type Candidate, COVERAGE_TOLERANCE, type Selection, type SelectOptions, selectScenes } from "./select.ts";
