import type { Area, Point } from "./state.ts";

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
