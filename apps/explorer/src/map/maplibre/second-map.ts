import { type ReadonlySignal, signal } from "@preact/signals";
import { Map as MapLibre } from "maplibre-gl";
import type { Problem } from "../../api/api-error.ts";
import { problemFrom } from "../../api/problem-from.ts";
import { debounced } from "../../ui/debounced.ts";
import type { Imagery } from "../port.ts";
import { TileError } from "./imagery.ts";
import { isOfBase } from "./layer-names.ts";
import { type SecondImagery, secondStyle } from "./second-style.ts";

/** Time without changes after which the style of the first map is taken over, milliseconds. */
const MIRROR_MS = 150;

export interface SecondMapOptions {
  /** The map whose place and layers the second one has. */
  readonly first: MapLibre;
  readonly container: HTMLElement;
  /** Whether a layer of the first map, by its id, is shown on the second too. */
  readonly keeps: (layer: string) => boolean;
  /** Called where a tile could not be loaded. */
  readonly onProblem: (problem: Problem) => void;
  /** Whether its pixels will be read: it has one to a CSS pixel then, and they stay until they are drawn anew. */
  readonly isRead?: boolean;
}

/**
 * A map without controls that follows another one: the same place, the same layers, other imagery. It takes no gestures:
 * those are for the first map, which moves it.
 */
export class SecondMap {
  readonly #first: MapLibre;
  readonly #map: MapLibre;
  readonly #keeps: SecondMapOptions["keeps"];
  readonly #isLoading = signal(true);
  readonly #stop: () => void;
  #imagery: SecondImagery | undefined;
  #count = 0;

  constructor({ first, container, keeps, onProblem, isRead = false }: SecondMapOptions) {
    this.#first = first;
    this.#keeps = keeps;
    this.#map = new MapLibre({
      container,
      interactive: false,
      attributionControl: false,
      fadeDuration: 0,
      minZoom: first.getMinZoom(),
      maxZoom: first.getMaxZoom(),
      ...this.#place(),
      ...(isRead ? { pixelRatio: 1, canvasContextAttributes: { preserveDrawingBuffer: true } } : {}),
    });
    this.#map.on("error", (event) => {
      if (isOfBase(event)) return;
      const { error } = event;
      const problem = problemFrom(error instanceof TileError ? error.cause : error);
      if (problem.status !== 404) onProblem(problem);
    });
    this.#map.on("idle", () => {
      this.#isLoading.value = false;
      if (this.#imagery !== undefined) container.dataset.drawn = this.#imagery.id;
    });
    this.#map.on("dataloading", () => {
      this.#isLoading.value = true;
    });
    this.#stop = isRead ? () => {} : this.#follow();
  }

  #place(): { center: [number, number]; zoom: number } {
    const { lng, lat } = this.#first.getCenter();
    return { center: [lng, lat], zoom: this.#first.getZoom() };
  }

  #follow(): () => void {
    const move = (): void => void this.#map.jumpTo(this.#place());
    const mirror = debounced(MIRROR_MS, () => this.#draw());
    const onData = ({ sourceDataType }: { sourceDataType?: string }): void => {
      if (sourceDataType === "content") mirror();
    };
    this.#first.on("move", move);
    this.#first.on("styledata", mirror);
    this.#first.on("sourcedata", onData);
    return () => {
      mirror.cancel();
      this.#first.off("move", move);
      this.#first.off("styledata", mirror);
      this.#first.off("sourcedata", onData);
    };
  }

  #draw(): void {
    this.#map.setStyle(secondStyle(this.#first.getStyle(), this.#imagery, this.#keeps));
  }

  /** Whether imagery is on its way. */
  get isLoading(): ReadonlySignal<boolean> {
    return this.#isLoading;
  }

  /** Pixels of the map, as they are drawn. */
  get canvas(): HTMLCanvasElement {
    return this.#map.getCanvas();
  }

  show(imagery: Imagery): void {
    delete this.#map.getContainer().dataset.drawn;
    this.#imagery = { id: `second-${++this.#count}`, imagery };
    this.#isLoading.value = true;
    this.#draw();
  }

  /** Zooms so that the width of the container holds the width that the first map holds. */
  zoomTo(width: number): void {
    const { clientWidth } = this.#first.getContainer();
    this.#map.jumpTo({ ...this.#place(), zoom: this.#first.getZoom() + Math.log2(width / clientWidth) });
  }

  /** Resolves when all of the map is drawn. */
  async drawn(): Promise<void> {
    await this.#map.once("idle");
  }

  /** Ends the map and takes its container away. */
  remove(): void {
    const container = this.#map.getContainer();
    this.#stop();
    this.#map.remove();
    container.remove();
  }
}

/** Puts a second map over the first, below its markers. */
export function coverMap(options: Omit<SecondMapOptions, "container" | "isRead">): SecondMap {
  const container = document.createElement("div");
  container.className = "second-map";
  options.first.getCanvas().after(container);
  return new SecondMap({ ...options, container });
}
