export { type LongEdges, polygonGeometry, ringTurns, unwrapPolygons, unwrapRing } from "./antimeridian.ts";
export {
  type Bbox,
  type Bounds,
  bboxesIntersect,
  bboxGeometry,
  boundsRing,
  splitBbox,
  uniteBounds,
  unwrapBbox,
  wrapBbox,
} from "./bbox.ts";

export { type Geometry, type PolygonGeometry, type Position, polygonsOf } from "./geojson.ts";
export { innerPoint } from "./inner-point.ts";
export { overlappingEdges, type SpatialRelation, shapesRelate } from "./relate.ts";
export {
  clipRing,
  doubleArea,
  edgesMeet,
  type FlatRing,
  flatBoundsRing,
  flattenRing,
  ringBounds,
  ringCovers,
  shiftRing,
} from "./ring.ts";
export {
  bboxShape,
  footprintShape,
  geometriesIntersect,
  type Shape,
  shapeBbox,
  shapesIntersect,
  toShape,
} from "./shape.ts";
export { findSelfIntersection, type SelfIntersection } from "./simple-polygon.ts";
