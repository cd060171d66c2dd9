import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { Map as MapLibre, Marker, NavigationControl, ScaleControl, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { problemFrom } from "../../api/problem-from.ts";
import type { BaseMap, Item } from "../../api/types.ts";
import type { Bbox, Point } from "../../geometry/area.ts";
import type { MapView } from "../../view/view.ts";
import { DARK, LIGHT } from "../map-colors.ts";
import type { Imagery, MapEvents, MapPort, Overlay, OverlayLayer, ShownBase } from "../port.ts";
import { addBaseStyle, type BaseStyle, creditOf, readBaseStyle, StyleLabels } from "./base/base-style.ts";
import { addBase, loadLand, paintBase } from "./base/own-base.ts";
import { addFootprints, markFootprint, paintFootprints, setFootprints } from "./footprints.ts";
import { loadImagery, TileError } from "./imagery.ts";
import { ImageryLayers, prefersStill } from "./imagery-layers.ts";
import { isImagery, isOfBase } from "./layer-names.ts";
import { addNames, Names, paintNames } from "./names.ts";
import { Overlays } from "./overlays.ts";
import { followPointers } from "./pointers.ts";

export interface OpenMap {
  readonly container: HTMLElement;
  readonly view: MapView;
  /** Loads an image; throws where it is not to be had. */
  readonly load: (url: string, signal: AbortSignal) => Promise<Response>;
  /** The owner's base map; absent: the page's own. */
  readonly base?: BaseMap | undefined;
  /** Called where the owner's base map could not be loaded: the page's own is shown then, or parts of it are missing. */
  readonly onBaseFault?: (missing: "all" | "parts") => void;
}

/**
 * Returns the address of the worker, whose policy comes with its file: one that a browser kept for a year would not have the
 * origins of a base map that was set later.
 */
const workerFor = ({ base }: OpenMap): string =>
  base === undefined ? workerUrl : `${workerUrl}?${new URLSearchParams({ origins: base.origins.join() })}`;

const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));

function boxOf(map: MapLibre): Bbox {
  const bounds = map.getBounds();
  return [
    clamp(bounds.getWest(), 180),
    clamp(bounds.getSouth(), 90),
    clamp(bounds.getEast(), 180),
    clamp(bounds.getNorth(), 90),
  ];
}

function viewOf(map: MapLibre): MapView {
  const { lng, lat } = map.getCenter();
  return { zoom: map.getZoom(), lat, lon: lng };
}

function createMap({ container, view }: OpenMap): MapLibre {
  const map = new MapLibre({
    container,
    center: [view.lon, view.lat],
    zoom: view.zoom,
    maxZoom: 17,
    minZoom: 2,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    fadeDuration: prefersStill() ? 0 : 150,
    locale: { "Map.Title": "Map. Arrow keys move it, plus and minus zoom." },
    style: { version: 8, sources: {}, layers: [{ id: "sea", type: "background" }] },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.addControl(new ScaleControl({ maxWidth: 110 }), "bottom-right");
  return map;
}

/** Opens the map; resolves as soon as layers can be added to it. */
export async function openMap(options: OpenMap): Promise<MapPort> {
  setWorkerUrl(workerFor(options));
  loadImagery(options.load);
  const style = options.base === undefined ? undefined : readBaseStyle(options.base);
  style?.catch(() => options.onBaseFault?.("all"));
  const map = createMap(options);
  await new Promise<void>((resolve) => {
    if (map.isStyleLoaded()) resolve();
    else map.once("style.load", () => resolve());
  });
  const base = await style?.catch(() => undefined);
  const onFault = (): void => options.onBaseFault?.("parts");
  return new MapLibrePort(map, base === undefined ? undefined : { style: base, credit: options.base?.credit, onFault });
}

/** The owner's base map as it was loaded, with the credit that replaces the style's own. */
interface LoadedBase {
  readonly style: BaseStyle;
  readonly credit: string | undefined;
  readonly onFault: () => void;
}

/** Adds what lies below the imagery, and above it what has names. */
function addReference(map: MapLibre, base: LoadedBase | undefined): Names | StyleLabels {
  if (base === undefined) addBase(map);
  else addBaseStyle(map, base.style);
  if (base !== undefined && base.style.labels.length > 0) return new StyleLabels(map, base.style);
  addNames(map);
  return new Names(map);
}

class MapLibrePort implements MapPort {
  readonly native: MapLibre;
  readonly #view: Signal<MapView>;
  readonly #bbox: Signal<Bbox>;
  readonly #listeners = new Map<keyof MapEvents, Set<(event: never) => void>>();
  readonly #imagery: ImageryLayers;
  readonly #overlays: Overlays;
  readonly #names: Names | StyleLabels;
  readonly #base: Signal<ShownBase | undefined> = signal(undefined);
  readonly #isLoading = signal(false);
  readonly #endScheme: () => void;
  #hasFailed = false;
  #hovered: string | undefined;
  #chosen: string | undefined;

  constructor(map: MapLibre, base: LoadedBase | undefined) {
    this.native = map;
    this.#view = signal(viewOf(map));
    this.#bbox = signal(boxOf(map));
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const colors = (): typeof LIGHT => (dark.matches ? DARK : LIGHT);
    this.#names = addReference(map, base);
    addFootprints(map);
    this.#imagery = new ImageryLayers(map, (drawn) => this.#announce("drawn", drawn));
    this.#overlays = new Overlays(map, colors());
    const paint = (): void => {
      paintBase(map, colors());
      paintNames(map, colors());
      paintFootprints(map, colors());
      this.#overlays.paint(colors());
    };
    paint();
    dark.addEventListener("change", paint);
    this.#endScheme = () => dark.removeEventListener("change", paint);
    map.on("moveend", () => {
      this.#view.value = viewOf(map);
      this.#bbox.value = boxOf(map);
    });
    map.on("error", (event) => {
      if (!isOfBase(event)) this.#fail(event.error);
      else if (!("status" in event.error && event.error.status === 404)) base?.onFault();
    });
    map.on("dataloading", (event) => {
      if (!("sourceId" in event) || !isImagery(event.sourceId) || this.#isLoading.peek()) return;
      this.#isLoading.value = true;
      this.#hasFailed = false;
    });
    map.on("idle", () => {
      this.#isLoading.value = false;
      if (!this.#hasFailed) this.#emit("whole", undefined);
    });
    if (base === undefined) loadLand(map).catch((error: unknown) => this.#fail(error));
    else this.#followCredit(base);
    followPointers(map, (name, event) => this.#emit(name, event));
  }

  get view(): ReadonlySignal<MapView> {
    return this.#view;
  }

  get bbox(): ReadonlySignal<Bbox> {
    return this.#bbox;
  }

  get base(): ReadonlySignal<ShownBase | undefined> {
    return this.#base;
  }

  /** Keeps the credit that of the sources that are loaded: some say it in documents of their own. */
  #followCredit({ style, credit }: LoadedBase): void {
    const hasLabels = style.labels.length > 0;
    const say = (): void => {
      this.#base.value = { credit: credit ?? creditOf(this.native, style), hasLabels };
    };
    say();
    this.native.on("sourcedata", (event) => {
      if (event.sourceDataType === "metadata" && isOfBase(event)) say();
    });
  }

  get isLoading(): ReadonlySignal<boolean> {
    return this.#isLoading;
  }

  on<K extends keyof MapEvents>(name: K, listener: (event: MapEvents[K]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  #emit<K extends keyof MapEvents>(name: K, event: MapEvents[K]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(event as never);
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    this.#emit("error", problemFrom(error instanceof TileError ? error.cause : error));
  }

  project(at: Point): { readonly x: number; readonly y: number } {
    return this.native.project([at[0], at[1]]);
  }

  jumpTo({ lon, lat, zoom }: MapView): void {
    this.native.jumpTo({ center: [lon, lat], zoom });
  }

  fit([west, south, east, north]: Bbox): void {
    this.native.fitBounds([west, south, east, north], { padding: 40, maxZoom: 13, duration: 500 });
  }

  resize(): void {
    this.native.resize();
  }

  remove(): void {
    this.#endScheme();
    this.native.remove();
  }

  focus(): void {
    this.native.getCanvas().focus();
  }

  cursor(name: "" | "pointer" | "crosshair"): void {
    this.native.getCanvas().style.cursor = name;
  }

  gestures({ drag, doubleClick }: { readonly drag: boolean; readonly doubleClick: boolean }): void {
    const { dragPan, doubleClickZoom } = this.native;
    if (drag) dragPan.enable();
    else dragPan.disable();
    if (doubleClick) doubleClickZoom.enable();
    else doubleClickZoom.disable();
  }

  showImagery(imagery: Imagery): void {
    this.#imagery.show(imagery);
  }

  showRelief(imagery: Imagery | undefined): void {
    this.#imagery.showBelow(imagery);
  }

  showNames(isShown: boolean): void {
    this.#names.show(isShown).catch((error: unknown) => this.#fail(error));
  }

  setOpacity(opacity: number): void {
    this.#imagery.setOpacity(opacity);
  }

  showFootprints(items: readonly Item[]): void {
    setFootprints(this.native, items);
  }

  hoverFootprint(id: string | undefined): void {
    this.#announce("hovered", id);
    markFootprint(this.native, "hovered", this.#hovered, id);
    this.#hovered = id;
  }

  chooseFootprint(id: string | undefined): void {
    this.#announce("chosen", id);
    markFootprint(this.native, "chosen", this.#chosen, id);
    this.#chosen = id;
  }

  /** Writes what is marked on the map to its element too, for style sheets and tests. */
  #announce(name: string, value: string | undefined): void {
    const { dataset } = this.native.getContainer();
    if (value === undefined) delete dataset[name];
    else dataset[name] = value;
  }

  overlay(id: string, layers: readonly OverlayLayer[]): Overlay {
    return this.#overlays.add(id, layers);
  }

  pin(element: HTMLElement): { moveTo(at: Point): void; remove(): void } {
    const marker = new Marker({ element });
    return {
      moveTo: ([lon, lat]) => void marker.setLngLat([lon, lat]).addTo(this.native),
      remove: () => void marker.remove(),
    };
  }
}
