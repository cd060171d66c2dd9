export { type Affine, applyAffine, composeAffine, invertAffine, scaleAffine } from "./affine.ts";
export { type Bbox, type Bounds, transformBounds } from "./bounds.ts";
export { BufferShelf, bufferSize } from "./buffer-shelf.ts";
export { COLORMAPS, colormap } from "./colormap.ts";
export { splitColors } from "./colors.ts";
export { type Crs, crsFromProj4, registerCrs, resolveCrs, sameCrs } from "./crs.ts";
export { listEpsgCodes } from "./epsg.ts";
export { CrsError, ExpressionError, GridError, StyleError, TileError } from "./errors.ts";
export { evaluateExpression } from "./evaluate.ts";
export { type Expression, parseExpression } from "./expression.ts";
export { type Grid, gridBbox, gridBounds, gridFromBounds, isNorthUp, sameGrid, windowGrid } from "./grid.ts";
export type { Image } from "./image.ts";
export { planWarp, type Resampling, sourceStep, sourceWindow, type WarpPlan } from "./plan.ts";
export { countValid, emptyRaster, isComplete, type Raster } from "./raster.ts";
export type { Range } from "./rescale.ts";
export { SamplePool } from "./sample-pool.ts";
export {
  allocateSamples,
  bytesPerSample,
  type Samples,
  type SampleType,
  sampleTypeOf,
  viewSamples,
} from "./samples.ts";
export { type Style, type StyleOptions, styleRaster } from "./style.ts";
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
} from "./tiles.ts";
export { type PointTransform, transformer } from "./transform.ts";
export { type WarpOptions, warp, warpAll, warpColors } from "./warp.ts";
export { canLoadKernels, type Kernels, type WasmExports, wasmKernels } from "./wasm-kernels.ts";
export { intersectWindows, type Window } from "./window.ts";
