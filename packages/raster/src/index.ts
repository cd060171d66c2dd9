export type { WarpContext } from "./context.ts";
export { type Crs, crsFromProj4, loadCrs, metresPerUnit, resolveCrs, sameCrs } from "./crs/crs.ts";
export { ECCENTRICITY2, EQUATOR_RADIUS, METRES_PER_DEGREE, utmEpsg, utmZone } from "./crs/earth.ts";
export type { CrsRefusal } from "./crs/epsg-table.ts";
export { type PointTransform, transformer } from "./crs/transform.ts";
export { CrsError, ExpressionError, GridError, StyleError, TileError } from "./errors.ts";
export { evaluateExpression } from "./expression/evaluate.ts";
export { type Expression, parseExpression } from "./expression/expression.ts";
export { type Affine, applyAffine, invertAffine, scaleAffine } from "./grid/affine.ts";
export { type Bbox, type Bounds, transformBounds } from "./grid/bounds.ts";
export { type Grid, gridBbox, gridBounds, gridFromBounds, sameGrid, windowGrid } from "./grid/grid.ts";
export {
  isTile,
  matrixSize,
  TILE_MATRIX_SETS,
  type TileMatrixSet,
  type TileMatrixSetId,
  tileBbox,
  tileBounds,
  tileGrid,
} from "./grid/tiles.ts";
export { intersectWindows, type Window } from "./grid/window.ts";
export {
  canLoadKernels,
  type KernelMemory,
  type Kernels,
  type WasmExports,
  type WasmModule,
  wasmKernels,
  wasmModule,
} from "./kernels/wasm-kernels.ts";
export { BufferFreeList, bufferSize } from "./memory/buffer-free-list.ts";
export { SamplePool } from "./memory/sample-pool.ts";
export type {} from "./platform-types.ts";
export { countValid, isComplete, type Raster } from "./raster/raster.ts";
export {
  allocateSamples,
  bytesPerSample,
  type Samples,
  type SampleType,
  sampleTypeOf,
  viewSamples,
} from "./raster/samples.ts";
export { COLORMAPS, colormap } from "./style/colormap.ts";
export { HILLSHADE_MARGIN, hillshade, type Sun } from "./style/hillshade.ts";
export type { Image } from "./style/image.ts";
export { deinterleaveRgb } from "./style/interleaved-rgb.ts";
export type { Range } from "./style/rescale.ts";
export { type Style, type StyleOptions, styleRaster } from "./style/style.ts";
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
