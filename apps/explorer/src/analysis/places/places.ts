import type { Field } from "../../fields/read-fields.ts";
import type { Area, Point } from "../../geometry/area.ts";
import { ringOf } from "../../geometry/area.ts";
import { areaOf, areaText } from "../../geometry/geodesic.ts";
import { coordinates } from "../../ui/format.ts";

/** The one place that is not of a file. */
const ID = "place";

/** The point or the drawn area of the view, as a field. */
export function placeOf(point: Point | undefined, area: Area | undefined): Field | undefined {
  if (point !== undefined) {
    return { id: ID, name: coordinates(...point), geometry: { type: "Point", coordinates: point }, areaKm2: 0 };
  }
  if (area === undefined) return undefined;
  const ring = ringOf(area);
  const kind = area.kind === "box" ? "The box" : "The polygon";
  return { id: ID, name: kind, geometry: { type: "Polygon", coordinates: [ring] }, areaKm2: areaOf([ring]) };
}

/** The size of a field in words. */
export const sizeText = ({ geometry, areaKm2 }: Field): string =>
  geometry.type === "Point" ? "a point" : areaText(areaKm2);
