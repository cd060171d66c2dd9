import type { Area, Point } from "../geometry/area.ts";

export type SketchKind = "box" | "polygon" | "line";

/** Corners without which there is no shape. */
export const LEAST_CORNERS = { box: 2, polygon: 3, line: 2 } as const satisfies Record<SketchKind, number>;

/** The area of a shape; undefined for one that is flat. */
export function areaOfShape(kind: SketchKind, corners: readonly Point[]): Area | undefined {
  if (kind === "polygon") return { kind, corners };
  const lons = corners.map(([lon]) => lon);
  const lats = corners.map(([, lat]) => lat);
  const [west, south, east, north] = [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
  return west < east && south < north ? { kind: "box", bbox: [west, south, east, north] } : undefined;
}
