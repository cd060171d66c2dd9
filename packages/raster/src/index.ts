export { type Affine, applyAffine, composeAffine, invertAffine, scaleAffine } from "./grid/affine.ts";
export { type Bbox, type Bounds, transformBounds } from "./grid/bounds.ts";
export { BufferShelf, bufferSize } from "./memory/buffer-free-list.ts";
export { COLORMAPS, colormap } from "./style/colormap.ts";
export { splitColors } from "./style/interleaved-rgb.ts";
export { type Crs, crsFromProj4, registerCrs, resolveCrs, sameCrs } from "./crs/crs.ts";
export { listEpsgCodes } from "./crs/epsg.ts";
export { CrsError, ExpressionError, GridError, StyleError, TileError } from "./errors.ts";
export { evaluateExpression } from "./expression/evaluate.ts";
export { type Expression, parseExpression } from "./expression/expression.ts";
export { type Grid, gridBbox, gridBounds, gridFromBounds, isNorthUp, sameGrid, windowGrid } from "./grid/grid.ts";
export type { Image } from "./style/image.ts";
export { planWarp, type Resampling, sourceStep, sourceWindow, type WarpPlan } from "./warp/plan.ts";
export { countValid, emptyRaster, isComplete, type Raster } from "./raster/raster.ts";
export type { Range } from "./style/rescale.ts";
export { SamplePool } from "./memory/sample-pool.ts";
export {
  allocateSamples,
  bytesPerSample,
  type Samples,
  type SampleType,
  sampleTypeOf,
  viewSamples,
} from "./raster/samples.ts";
export { type Style, type StyleOptions, styleRaster } from "./style/style.ts";
export {
  isTile,
  matrixSize,
  parentTile,
  TILE_MATRIX_SETS,
  type TileMatrixSet,
  type TileMatrixSetId,
  tileBbox,
  tileBounds,
  tileGrid,
} from "./grid/tiles.ts";
export { type PointTransform, transformer } from "./crs/transform.ts";
export { type WarpOptions, warp, warpAll, warpColors } from "./warp/warp.ts";
export { canLoadKernels, type Kernels, type WasmExports, wasmKernels } from "./kernels/wasm-kernels.ts";
export { intersectWindows, type Window } from "./grid/window.ts";
