import type { Map as MapLibre, RasterLayerSpecification, RasterSourceSpecification } from "maplibre-gl";
import type { Imagery } from "../port.ts";
import { imageryUrl, markFirst } from "./imagery.ts";
import { BORDERS, isImagery } from "./layer-names.ts";

/** Time after which former imagery is removed even if the new one is not loaded whole, milliseconds. */
const PATIENCE_MS = 1200;

const RELIEF = "relief";

function sourceOf({ tiles, minzoom, maxzoom, bounds }: Imagery): RasterSourceSpecification {
  return { type: "raster", tiles: [imageryUrl(tiles)], tileSize: 256, minzoom, maxzoom, bounds: [...bounds] };
}

/** Whether the system is set to less motion. */
export const prefersStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The imagery of the map: one layer, and the former one below until it is loaded. */
export class ImageryLayers {
  readonly #map: MapLibre;
  readonly #announce: (drawn: string | undefined) => void;
  #count = 0;
  #opacity = 1;

  /** @param announce - called with the layer that is drawn whole, and with nothing as soon as another one is shown */
  constructor(map: MapLibre, announce: (drawn: string | undefined) => void) {
    this.#map = map;
    this.#announce = announce;
  }

  /** Announces the imagery as drawn when the map stands still with all it shows now. */
  #announceDrawn(): void {
    if (this.#count === 0) return;
    const id = `imagery-${this.#count}`;
    this.#announce(undefined);
    this.#map.once("idle", () => this.#announce(id));
  }

  /** Shows a relief below all imagery; nothing: none. */
  showBelow(imagery: Imagery | undefined): void {
    const map = this.#map;
    const isShown = map.getLayer(RELIEF) !== undefined;
    // a map that nothing is changed of stands still already
    if (isShown || imagery !== undefined) this.#announceDrawn();
    if (isShown) {
      map.removeLayer(RELIEF);
      map.removeSource(RELIEF);
    }
    if (imagery === undefined) return;
    map.addSource(RELIEF, sourceOf(imagery));
    map.addLayer({ id: RELIEF, type: "raster", source: RELIEF }, this.#layers()[0]?.id ?? BORDERS);
  }

  setOpacity(opacity: number): void {
    this.#opacity = opacity;
    for (const { id } of this.#layers()) this.#map.setPaintProperty(id, "raster-opacity", opacity);
  }

  #layers(): { readonly id: string }[] {
    return this.#map.getStyle().layers.filter(({ id }) => isImagery(id));
  }

  #paint(): NonNullable<RasterLayerSpecification["paint"]> {
    return { "raster-fade-duration": prefersStill() ? 0 : 150, "raster-opacity": this.#opacity };
  }

  show(imagery: Imagery): void {
    const map = this.#map;
    const old = this.#layers();
    const id = `imagery-${++this.#count}`;
    map.addSource(id, sourceOf(imagery));
    map.addLayer({ id, type: "raster", source: id, paint: this.#paint() }, BORDERS);
    this.#announceDrawn();
    if (this.#count === 1) markFirst(map, id);
    const clear = (): void => {
      map.off("idle", clear);
      clearTimeout(timer);
      for (const layer of old) {
        if (map.getLayer(layer.id) === undefined) continue;
        map.removeLayer(layer.id);
        map.removeSource(layer.id);
      }
    };
    const timer = setTimeout(clear, PATIENCE_MS);
    map.on("idle", clear);
  }
}
