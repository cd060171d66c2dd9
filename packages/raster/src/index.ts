export { type Crs, crsFromProj4, loadCrs, metresPerUnit, registerCrs, resolveCrs, sameCrs } from "./crs/crs.ts";
export { ECCENTRICITY2, EQUATOR_RADIUS, METRES_PER_DEGREE, utmEpsg, utmZone } from "./crs/earth.ts";
export type { CrsRefusal } from "./crs/epsg-table.ts";
export { type PointTransform, transformer } from "./crs/transform.ts";
export { CrsError, ExpressionError, GridError, TileError } from "./errors.ts";
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
