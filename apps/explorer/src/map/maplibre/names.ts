import labelsUrl from "virtual:labels";
import type { GeoJSONSource, Map as MapLibre, SymbolLayerSpecification } from "maplibre-gl";
import { fetchAnswer } from "../../api/api-error.ts";
import type { MapColors } from "../map-colors.ts";
import { BORDERS } from "./layer-names.ts";

const LAYERS = [BORDERS, "country-names", "place-names"] as const;
const EMPTY: GeoJSON.FeatureCollection = { type: "FeatureCollection", features: [] };
/** Square degrees of a country, twice, from which its name is on a map of the world. */
const WIDE = 60;

interface Labels {
  readonly units: number;
  readonly countries: readonly (readonly [name: string, lon: number, lat: number, size: number])[];
  readonly cities: readonly (readonly [name: string, lon: number, lat: number, thousands: number])[];
  readonly borders: readonly (readonly number[])[];
}

/** Adds the layers of borders and names, which are empty until they are loaded, and hidden until they are wanted. */
export function addNames(map: MapLibre): void {
  for (const id of ["borders", "countries", "places"]) map.addSource(id, { type: "geojson", data: EMPTY });
  const layout = { visibility: "none" } as const;
  map.addLayer({
    id: BORDERS,
    type: "line",
    source: "borders",
    layout,
    paint: { "line-width": 1, "line-opacity": 0.7 },
  });
  const text: SymbolLayerSpecification["layout"] = {
    ...layout,
    "text-field": ["get", "name"],
    "text-max-width": 7,
    "symbol-sort-key": ["get", "rank"],
  };
  map.addLayer({
    id: "place-names",
    type: "symbol",
    source: "places",
    minzoom: 3.5,
    // large cities first, smaller ones as the map comes nearer
    filter: [">=", ["get", "size"], ["step", ["zoom"], 4000, 5, 1500, 6, 700, 7, 0]],
    layout: { ...text, "text-font": ["sans-serif"], "text-size": 12 },
  });
  map.addLayer({
    id: "country-names",
    type: "symbol",
    source: "countries",
    maxzoom: 7,
    filter: [">=", ["get", "size"], ["step", ["zoom"], WIDE, 4, 5, 5, 0]],
    layout: { ...text, "text-font": ["sans-serif"], "text-size": 13, "text-letter-spacing": 0.08 },
  });
}

export function paintNames(map: MapLibre, colors: MapColors): void {
  if (map.getLayer("place-names") === undefined) return;
  map.setPaintProperty(BORDERS, "line-color", colors.border);
  for (const id of ["country-names", "place-names"]) {
    map.setPaintProperty(id, "text-color", colors.text);
    map.setPaintProperty(id, "text-halo-color", colors.halo);
    map.setPaintProperty(id, "text-halo-width", 1.4);
  }
}

const pointOf = ([name, lon, lat, size]: Labels["cities"][number], rank: number): GeoJSON.Feature => ({
  type: "Feature",
  properties: { name, size, rank },
  geometry: { type: "Point", coordinates: [lon, lat] },
});

function linesOf({ borders, units }: Labels): GeoJSON.Feature {
  const coordinates = borders.map((line) =>
    Array.from({ length: line.length / 2 }, (_, i) => [(line[2 * i] ?? 0) / units, (line[2 * i + 1] ?? 0) / units]),
  );
  return { type: "Feature", properties: {}, geometry: { type: "MultiLineString", coordinates } };
}

async function loadNames(map: MapLibre): Promise<void> {
  const labels = (await (await fetchAnswer(labelsUrl)).json()) as Labels;
  const put = (id: string, features: GeoJSON.Feature[]): void => {
    void map.getSource<GeoJSONSource>(id)?.setData({ type: "FeatureCollection", features });
  };
  put("borders", [linesOf(labels)]);
  put("countries", labels.countries.map(pointOf));
  put("places", labels.cities.map(pointOf));
}

/** Shows and hides borders and names; they are loaded when they are first shown. */
export class Names {
  readonly #map: MapLibre;
  #loading: Promise<void> | undefined;

  constructor(map: MapLibre) {
    this.#map = map;
  }

  async show(isShown: boolean): Promise<void> {
    for (const id of LAYERS) this.#map.setLayoutProperty(id, "visibility", isShown ? "visible" : "none");
    if (!isShown) return;
    this.#loading ??= loadNames(this.#map).catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    await this.#loading;
  }
}
