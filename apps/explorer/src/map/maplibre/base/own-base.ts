import landUrl from "virtual:land";
import type { GeoJSONSource, Map as MapLibre } from "maplibre-gl";
import { fetchAnswer } from "../../../api/api-error.ts";
import type { MapColors } from "../../map-colors.ts";
import { decodeRings } from "../rings.ts";

const EMPTY: GeoJSON.FeatureCollection = { type: "FeatureCollection", features: [] };

/** Adds the land, which is shown where there is no imagery. */
export function addBase(map: MapLibre): void {
  map.addSource("land", { type: "geojson", data: EMPTY });
  map.addLayer({ id: "land", type: "fill", source: "land", paint: { "fill-antialias": false } });
  map.addLayer({ id: "coast", type: "line", source: "land", paint: { "line-width": 1 } });
}

/** Loads the outlines of land into the map. */
export async function loadLand(map: MapLibre): Promise<void> {
  const bytes = await (await fetchAnswer(landUrl)).arrayBuffer();
  const coordinates = decodeRings(new Uint8Array(bytes));
  await map.getSource<GeoJSONSource>("land")?.setData({
    type: "Feature",
    properties: {},
    geometry: { type: "MultiPolygon", coordinates },
  });
}

export function paintBase(map: MapLibre, colors: MapColors): void {
  map.setPaintProperty("sea", "background-color", colors.sea);
  if (map.getLayer("land") === undefined) return;
  map.setPaintProperty("land", "fill-color", colors.land);
  map.setPaintProperty("coast", "line-color", colors.coast);
}
