import type { ExpressionSpecification, GeoJSONSource, Map as MapLibre } from "maplibre-gl";
import type { Item } from "../../api/types.ts";
import type { MapColors } from "../map-colors.ts";

const SOURCE = "footprints";
/** The layer that clicks are looked up in, and below which imagery lies. */
export const FOOTPRINTS = "footprint-areas";

export function addFootprints(map: MapLibre): void {
  map.addSource(SOURCE, { type: "geojson", data: { type: "FeatureCollection", features: [] }, promoteId: "id" });
  map.addLayer({ id: FOOTPRINTS, type: "fill", source: SOURCE, paint: { "fill-opacity": 0 } });
  map.addLayer({ id: "footprint-halos", type: "line", source: SOURCE });
  map.addLayer({ id: "footprint-lines", type: "line", source: SOURCE });
}

export function setFootprints(map: MapLibre, items: readonly Item[]): void {
  const features = items.map((item) => ({
    type: "Feature" as const,
    properties: { id: item.id },
    geometry: item.geometry as GeoJSON.Geometry,
  }));
  void map.getSource<GeoJSONSource>(SOURCE)?.setData({ type: "FeatureCollection", features });
}

/** Marks a footprint as hovered or chosen, and no other. */
export function markFootprint(
  map: MapLibre,
  name: "hovered" | "chosen",
  before: string | undefined,
  now: string | undefined,
): void {
  if (before !== undefined) map.setFeatureState({ source: SOURCE, id: before }, { [name]: false });
  if (now !== undefined) map.setFeatureState({ source: SOURCE, id: now }, { [name]: true });
}

type Value = string | number | ExpressionSpecification;

const where = (name: string, yes: Value, no: Value): ExpressionSpecification => [
  "case",
  ["boolean", ["feature-state", name], false],
  yes,
  no,
];

export function paintFootprints(map: MapLibre, colors: MapColors): void {
  const either = (yes: Value, no: Value): ExpressionSpecification => where("chosen", yes, where("hovered", yes, no));
  map.setPaintProperty("footprint-halos", "line-color", colors.halo);
  map.setPaintProperty("footprint-halos", "line-opacity", either(0.8, 0.35));
  map.setPaintProperty("footprint-halos", "line-width", either(5, 2.5));
  map.setPaintProperty("footprint-lines", "line-color", either(colors.chosen, colors.outline));
  map.setPaintProperty("footprint-lines", "line-opacity", either(1, 0.55));
  map.setPaintProperty("footprint-lines", "line-width", either(2.5, 1));
}
