import landUrl from "virtual:land";
import {
  type ExpressionSpecification,
  type GeoJSONSource,
  Map as MapLibre,
  type MapMouseEvent,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import type { Item } from "./api.ts";
import type { Problem } from "./api-error.ts";
import { ringOf } from "./area.ts";
import { imageryUrl, loadImagery, markFirst, TileError } from "./imagery.ts";
import { DARK, LIGHT, type MapColors } from "./map-colors.ts";
import { problemFrom } from "./problems.ts";
import { decodeRings } from "./rings.ts";
import type { Area, Bbox, MapView, Point } from "./state.ts";

setWorkerUrl(workerUrl);

/** The address of imagery and its extent. */
export interface Imagery {
  readonly tiles: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds: Bbox;
}

const EMPTY: GeoJSON.FeatureCollection = { type: "FeatureCollection", features: [] };
const feature = (geometry: unknown, properties: Record<string, unknown> = {}) => ({
  type: "Feature" as const,
  properties,
  geometry: geometry as GeoJSON.Geometry,
});

export interface MapCallbacks {
  readonly onMove: (view: MapView) => void;
  readonly onError: (problem: Problem) => void;
  /** Scenes under a click, topmost first. */
  readonly onScenes: (ids: readonly string[]) => void;
  readonly onHover: (id: string | undefined) => void;
  /** Loads an image; throws where it is not to be had. */
  readonly load: (url: string, signal: AbortSignal) => Promise<Response>;
}

/** The map: land, imagery, footprints and the drawn area. */
export class ExplorerMap {
  readonly map: MapLibre;
  readonly #waiting: (() => void)[] = [];
  #isReady = false;
  readonly #callbacks: MapCallbacks;
  #imageryCount = 0;
  #picksScenes = true;
  #hovered: string | undefined;
  #chosen: string | undefined;

  constructor(container: HTMLElement, view: MapView, callbacks: MapCallbacks) {
    this.#callbacks = callbacks;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.map = new MapLibre({
      container,
      center: [view.lon, view.lat],
      zoom: view.zoom,
      maxZoom: 17,
      minZoom: 2,
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      fadeDuration: reduced ? 0 : 150,
      locale: { "Map.Title": "Map. Arrow keys move it, plus and minus zoom." },
      style: { version: 8, sources: {}, layers: [{ id: "sea", type: "background" }] },
    });
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    this.map.addControl(new NavigationControl({ showCompass: false }), "top-right");
    this.map.addControl(new ScaleControl({ maxWidth: 110 }), "bottom-right");
    this.map.on("error", ({ error }) =>
      callbacks.onError(problemFrom(error instanceof TileError ? error.cause : error)),
    );
    loadImagery(callbacks.load);
    this.map.on("moveend", () => {
      const { lng, lat } = this.map.getCenter();
      callbacks.onMove({ zoom: this.map.getZoom(), lat, lon: lng });
    });
    this.map.once("style.load", () => {
      this.#addLayers();
      this.#paint(dark.matches ? DARK : LIGHT);
      dark.addEventListener("change", () => this.#paint(dark.matches ? DARK : LIGHT));
      this.#listen();
      this.#isReady = true;
      for (const act of this.#waiting.splice(0)) act();
    });
  }

  /** Runs `act` now, or as soon as there are layers. */
  #when(act: () => void): void {
    if (this.#isReady) act();
    else this.#waiting.push(act);
  }

  #source(id: string): GeoJSONSource {
    return this.map.getSource(id) as GeoJSONSource;
  }

  #addLayers(): void {
    const { map } = this;
    for (const id of ["land", "footprints", "area", "draft"]) {
      map.addSource(id, { type: "geojson", data: EMPTY, ...(id === "footprints" ? { promoteId: "id" } : {}) });
    }
    map.addLayer({ id: "land", type: "fill", source: "land", paint: { "fill-antialias": false } });
    map.addLayer({ id: "coast", type: "line", source: "land", paint: { "line-width": 1 } });
    map.addLayer({ id: "footprint-areas", type: "fill", source: "footprints", paint: { "fill-opacity": 0 } });
    map.addLayer({ id: "footprint-halos", type: "line", source: "footprints" });
    map.addLayer({ id: "footprint-lines", type: "line", source: "footprints" });
    map.addLayer({ id: "area-fill", type: "fill", source: "area", paint: { "fill-opacity": 0.06 } });
    map.addLayer({ id: "area-halo", type: "line", source: "area", paint: { "line-width": 5, "line-opacity": 0.7 } });
    map.addLayer({ id: "area-line", type: "line", source: "area", paint: { "line-width": 2 } });
    map.addLayer({
      id: "draft-line",
      type: "line",
      source: "draft",
      paint: { "line-width": 2, "line-dasharray": [2, 1.5] },
    });
    map.addLayer({
      id: "draft-points",
      type: "circle",
      source: "draft",
      paint: { "circle-radius": 4, "circle-stroke-width": 2 },
    });
    fetch(landUrl)
      .then((response) => response.arrayBuffer())
      .then((bytes) => {
        const coordinates = decodeRings(new Uint8Array(bytes));
        return this.#source("land").setData(feature({ type: "MultiPolygon", coordinates }));
      })
      .catch((error: unknown) => this.#callbacks.onError(problemFrom(error)));
  }

  #paint(colors: MapColors): void {
    const { map } = this;
    map.setPaintProperty("sea", "background-color", colors.sea);
    map.setPaintProperty("land", "fill-color", colors.land);
    map.setPaintProperty("coast", "line-color", colors.coast);
    type Value = string | number | ExpressionSpecification;
    const state = (name: string, yes: Value, no: Value): ExpressionSpecification => [
      "case",
      ["boolean", ["feature-state", name], false],
      yes,
      no,
    ];
    const either = (yes: Value, no: Value): ExpressionSpecification => state("chosen", yes, state("hovered", yes, no));
    map.setPaintProperty("footprint-halos", "line-color", colors.halo);
    map.setPaintProperty("footprint-halos", "line-opacity", either(0.8, 0.35));
    map.setPaintProperty("footprint-halos", "line-width", either(5, 2.5));
    map.setPaintProperty("footprint-lines", "line-color", either(colors.chosen, colors.outline));
    map.setPaintProperty("footprint-lines", "line-opacity", either(1, 0.55));
    map.setPaintProperty("footprint-lines", "line-width", either(2.5, 1));
    for (const [layer, property] of [
      ["area-fill", "fill-color"],
      ["area-line", "line-color"],
      ["draft-line", "line-color"],
      ["draft-points", "circle-stroke-color"],
    ] as const) {
      map.setPaintProperty(layer, property, colors.chosen);
    }
    map.setPaintProperty("area-halo", "line-color", colors.halo);
    map.setPaintProperty("draft-points", "circle-color", colors.halo);
  }

  #listen(): void {
    const { map } = this;
    const under = (event: MapMouseEvent): string[] =>
      map
        .queryRenderedFeatures(event.point, { layers: ["footprint-areas"] })
        .map(({ properties }) => String(properties.id));
    map.on("click", (event) => {
      if (!this.#picksScenes) return;
      const ids = [...new Set(under(event))];
      if (ids.length > 0) this.#callbacks.onScenes(ids);
    });
    map.on("mousemove", (event) => {
      if (!this.#picksScenes) return;
      const [id] = under(event);
      map.getCanvas().style.cursor = id === undefined ? "" : "pointer";
      if (id !== this.#hovered) this.#callbacks.onHover(id);
    });
    map.on("mouseout", () => {
      if (this.#picksScenes) this.#callbacks.onHover(undefined);
    });
  }

  /** Whether clicks choose scenes; otherwise they belong to a tool. */
  picksScenes(yes: boolean): void {
    this.#picksScenes = yes;
    this.map.getCanvas().style.cursor = yes ? "" : "crosshair";
    if (!yes) this.hover(undefined);
  }

  /** Shows other imagery; the former stays below until the new one is loaded. */
  showImagery(imagery: Imagery): void {
    this.#when(() => this.#showImagery(imagery));
  }

  #showImagery({ tiles, minzoom, maxzoom, bounds }: Imagery): void {
    const { map } = this;
    const old = map.getStyle().layers.filter(({ id }) => id.startsWith("imagery-"));
    const id = `imagery-${++this.#imageryCount}`;
    map.addSource(id, {
      type: "raster",
      tiles: [imageryUrl(tiles)],
      tileSize: 256,
      minzoom,
      maxzoom,
      bounds: [...bounds],
    });
    map.addLayer({ id, type: "raster", source: id, paint: { "raster-fade-duration": 150 } }, "footprint-areas");
    this.#announce("drawn", undefined);
    map.once("idle", () => this.#announce("drawn", id));
    if (this.#imageryCount === 1) markFirst(map, id);
    const clear = (): void => {
      map.off("idle", clear);
      clearTimeout(timer);
      for (const layer of old) {
        if (map.getLayer(layer.id) === undefined) continue;
        map.removeLayer(layer.id);
        map.removeSource(layer.id);
      }
    };
    const timer = setTimeout(clear, 1200);
    map.on("idle", clear);
  }

  showFootprints(items: readonly Item[]): void {
    const features = items.map((item) => feature(item.geometry, { id: item.id }));
    this.#when(() => void this.#source("footprints").setData({ type: "FeatureCollection", features }));
  }

  hover(id: string | undefined): void {
    this.#announce("hovered", id);
    this.#mark("hovered", this.#hovered, id);
    this.#hovered = id;
  }

  choose(id: string | undefined): void {
    this.#announce("chosen", id);
    this.#mark("chosen", this.#chosen, id);
    this.#chosen = id;
  }

  /** Writes what is marked on the map to its element too, for style sheets and tests. */
  #announce(name: string, value: string | undefined): void {
    if (value === undefined) delete this.map.getContainer().dataset[name];
    else this.map.getContainer().dataset[name] = value;
  }

  #mark(name: string, before: string | undefined, now: string | undefined): void {
    this.#when(() => {
      if (before !== undefined) this.map.setFeatureState({ source: "footprints", id: before }, { [name]: false });
      if (now !== undefined) this.map.setFeatureState({ source: "footprints", id: now }, { [name]: true });
    });
  }

  showArea(area: Area | undefined): void {
    const data = area === undefined ? EMPTY : feature({ type: "Polygon", coordinates: [ringOf(area)] });
    this.#when(() => void this.#source("area").setData(data as GeoJSON.GeoJSON));
  }

  showDraft(corners: readonly Point[], closed: boolean): void {
    const line = closed && corners.length > 2 ? [...corners, corners[0] as Point] : corners;
    const features = [
      ...(line.length > 1 ? [feature({ type: "LineString", coordinates: line })] : []),
      ...corners.map((coordinates) => feature({ type: "Point", coordinates })),
    ];
    void this.#source("draft").setData({ type: "FeatureCollection", features } as GeoJSON.GeoJSON);
  }

  get bbox(): Bbox {
    const bounds = this.map.getBounds();
    const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));
    return [
      clamp(bounds.getWest(), 180),
      clamp(bounds.getSouth(), 90),
      clamp(bounds.getEast(), 180),
      clamp(bounds.getNorth(), 90),
    ];
  }

  fit([west, south, east, north]: Bbox): void {
    this.map.fitBounds([west, south, east, north], { padding: 40, maxZoom: 13, duration: 500 });
  }
}
