import type { FootprintRing } from "../run/scene/scene-read.ts";

/** Outer rings of an item's footprint, in degrees. */
export function footprintOf(item: { readonly geometry: unknown }): readonly FootprintRing[] {
  const geometry = item.geometry as { type?: string; coordinates?: unknown } | null;
  if (geometry?.type === "Polygon") return (geometry.coordinates as FootprintRing[]).slice(0, 1);
  if (geometry?.type === "MultiPolygon")
    return (geometry.coordinates as FootprintRing[][]).flatMap((polygon) => polygon.slice(0, 1));
  return [];
}
