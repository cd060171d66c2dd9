import type { ReadonlySignal } from "@preact/signals";
import type { Map as MapLibre } from "maplibre-gl";
import type { Problem } from "../api/api-error.ts";
import type { Item } from "../api/types.ts";
import type { Bbox, Point } from "../geometry/area.ts";
import type { MapView } from "../view/view.ts";
import type { MapColors } from "./map-colors.ts";

/** The address of imagery and its extent. */
export interface Imagery {
  /** Template with `{z}`, `{x}` and `{y}`; `tileAddress` makes the address of what it is filled with. */
  readonly tiles: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds: Bbox;
}

/** A press, move or release of a pointer on the map. */
export interface MapPointer {
  readonly at: Point;
  /** CSS pixels from the top left corner of the map. */
  readonly x: number;
  readonly y: number;
  /** Footprints under the pointer, topmost first. */
  readonly scenes: readonly string[];
  preventDefault(): void;
}

export interface MapEvents {
  readonly click: MapPointer;
  readonly doubleClick: MapPointer;
  readonly press: MapPointer;
  readonly move: MapPointer;
  readonly release: MapPointer;
  /** The pointer has left the map. */
  readonly leave: undefined;
  /** A tile or another part of the map could not be loaded. */
  readonly error: Problem;
  /** All of the map is loaded, and nothing has failed since it last began. */
  readonly whole: undefined;
}

/** One layer of an overlay, in colours that follow the colour scheme. */
export interface OverlayLayer {
  readonly type: "fill" | "line" | "circle" | "symbol";
  readonly paint: (colors: MapColors) => Readonly<Record<string, unknown>>;
  readonly layout?: Readonly<Record<string, unknown>>;
}

/** Features of a tool above the imagery. */
export interface Overlay {
  set(features: readonly GeoJSON.Feature[]): void;
  remove(): void;
}

/** The owner's base map. */
export interface ShownBase {
  readonly credit: string;
  /** Whether names on the map are its own. */
  readonly hasLabels: boolean;
}

/** The map as components see it. The library behind it is known to `src/map/maplibre` alone. */
export interface MapPort {
  /** Centre and zoom, after each move. */
  readonly view: ReadonlySignal<MapView>;
  /** The box in view, after each move. */
  readonly bbox: ReadonlySignal<Bbox>;
  /** The owner's base map; undefined: the page's own is shown. */
  readonly base: ReadonlySignal<ShownBase | undefined>;
  /** Whether imagery is on its way. */
  readonly isLoading: ReadonlySignal<boolean>;
  /** The library's own map, for tools that need more than this interface (Terra Draw, a second map to compare with). */
  readonly native: MapLibre;
  /** @returns a function that ends the listener */
  on<K extends keyof MapEvents>(name: K, listener: (event: MapEvents[K]) => void): () => void;
  /** CSS pixels of a point. */
  project(at: Point): { readonly x: number; readonly y: number };
  jumpTo(view: MapView): void;
  fit(bbox: Bbox): void;
  resize(): void;
  /** Ends the map; nothing may be asked of it then. */
  remove(): void;
  focus(): void;
  cursor(name: "" | "pointer" | "crosshair"): void;
  /** Turns off gestures that a tool takes for itself. */
  gestures(allowed: { readonly drag: boolean; readonly doubleClick: boolean }): void;
  /** Shows other imagery; the former stays below until the new one is loaded. */
  showImagery(imagery: Imagery): void;
  /** Shows a relief below the imagery; nothing: none. */
  showRelief(imagery: Imagery | undefined): void;
  /** Shows borders and names of countries and cities. */
  showNames(isShown: boolean): void;
  /** Lets what lies below the imagery shine through; 1: opaque. */
  setOpacity(opacity: number): void;
  showFootprints(items: readonly Item[]): void;
  hoverFootprint(id: string | undefined): void;
  chooseFootprint(id: string | undefined): void;
  /** Adds layers for a tool's features; `id` is the tool's own. */
  overlay(id: string, layers: readonly OverlayLayer[]): Overlay;
  /** Puts an element at a point. */
  pin(element: HTMLElement): { moveTo(at: Point): void; remove(): void };
}
