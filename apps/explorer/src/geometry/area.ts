/** West, south, east, north in degrees. */
export type Bbox = readonly [west: number, south: number, east: number, north: number];
export type Point = readonly [lon: number, lat: number];

/** The area drawn on the map for extraction. */
export type Area =
  | { readonly kind: "box"; readonly bbox: Bbox }
  /** Corners in order; the first is not repeated. */
  | { readonly kind: "polygon"; readonly corners: readonly Point[] };

/** Corners of an area, closed as GeoJSON has rings. */
export function ringOf(area: Area): Point[] {
  if (area.kind === "polygon") return [...area.corners, area.corners[0] as Point];
  const [west, south, east, north] = area.bbox;
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** The box around an area. */
export function areaBbox(area: Area): Bbox {
  if (area.kind === "box") return area.bbox;
  const lons = area.corners.map(([lon]) => lon);
  const lats = area.corners.map(([, lat]) => lat);
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}
