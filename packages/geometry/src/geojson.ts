/** Longitude, latitude in degrees (CRS84); a third number is a height and is kept but never used. */
export type Position = readonly number[];

/** The types of GeoJSON (RFC 7946, 3.1). */
export type Geometry =
  | { readonly type: "Point"; readonly coordinates: Position }
  | { readonly type: "MultiPoint"; readonly coordinates: readonly Position[] }
  | { readonly type: "LineString"; readonly coordinates: readonly Position[] }
  | { readonly type: "MultiLineString"; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: "Polygon"; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly (readonly Position[])[])[] }
  | { readonly type: "GeometryCollection"; readonly geometries: readonly Geometry[] };

/** GeoJSON Polygon or MultiPolygon. The coordinates may be in any CRS that goes with it. */
export type PolygonGeometry = Extract<Geometry, { type: "Polygon" | "MultiPolygon" }>;

/** The polygons of a geometry, each a list of rings: the outer one, then the inner ones. */
export function polygonsOf(geometry: PolygonGeometry): readonly (readonly (readonly Position[])[])[] {
  return geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
}
