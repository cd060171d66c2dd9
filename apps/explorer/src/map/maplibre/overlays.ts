import type { AddLayerObject, GeoJSONSource, Map as MapLibre } from "maplibre-gl";
import type { MapColors } from "../map-colors.ts";
import type { Overlay, OverlayLayer } from "../port.ts";

/** Layers of tools above the imagery, in the colours of the scheme. */
export class Overlays {
  readonly #map: MapLibre;
  readonly #layers = new Map<string, OverlayLayer>();
  #colors: MapColors;

  constructor(map: MapLibre, colors: MapColors) {
    this.#map = map;
    this.#colors = colors;
  }

  add(id: string, layers: readonly OverlayLayer[]): Overlay {
    const map = this.#map;
    const source = `overlay-${id}`;
    map.addSource(source, { type: "geojson", data: { type: "FeatureCollection", features: [] } });
    const ids = layers.map((layer, i) => {
      const name = `${source}-${i}`;
      this.#layers.set(name, layer);
      const { type, layout = {} } = layer;
      map.addLayer({ id: name, type, source, layout, paint: layer.paint(this.#colors) } as AddLayerObject);
      return name;
    });
    return {
      set: (features) => {
        void map.getSource<GeoJSONSource>(source)?.setData({ type: "FeatureCollection", features: [...features] });
      },
      remove: () => {
        for (const name of ids) {
          this.#layers.delete(name);
          map.removeLayer(name);
        }
        map.removeSource(source);
      },
    };
  }

  paint(colors: MapColors): void {
    this.#colors = colors;
    for (const [name, layer] of this.#layers) {
      for (const [property, value] of Object.entries(layer.paint(colors))) {
        this.#map.setPaintProperty(name, property as never, value as never);
      }
    }
  }
}
