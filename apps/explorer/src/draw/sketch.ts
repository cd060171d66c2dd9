import { type ReadonlySignal, signal } from "@preact/signals";
import {
  type GeoJSONStoreFeatures,
  TerraDraw,
  TerraDrawLineStringMode,
  TerraDrawPolygonMode,
  TerraDrawRectangleMode,
  TerraDrawSelectMode,
} from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";
import { themeOf } from "../charts/theme.ts";
import type { Point } from "../geometry/area.ts";
import type { MapPort } from "../map/port.ts";
import { LEAST_CORNERS, type SketchKind } from "./shapes.ts";

export interface SketchState {
  /** The shape that is drawn or changed; absent: none. */
  readonly kind: SketchKind | undefined;
  readonly isEdited: boolean;
  /** Corners that are set, in order; those of a polygon are not closed. */
  readonly corners: readonly Point[];
  /** Where the pointer would set the next one. */
  readonly next?: Point | undefined;
}

const NOTHING: SketchState = { kind: undefined, isEdited: false, corners: [] };
const MODES = { box: "rectangle", polygon: "polygon", line: "linestring" } as const satisfies Record<
  SketchKind,
  string
>;
/** Digits of a degree that Terra Draw takes. */
const DIGITS = 7;

type Positions = readonly (readonly number[])[];
const pointsOf = (positions: Positions): Point[] => positions.map(([lon = 0, lat = 0]) => [lon, lat]);
const rounded = ([lon, lat]: Point): [number, number] => [Number(lon.toFixed(DIGITS)), Number(lat.toFixed(DIGITS))];

/** Corners of a feature of Terra Draw: polygons without the last one, which is the first. */
function cornersOf({ geometry }: GeoJSONStoreFeatures): Point[] {
  if (geometry.type === "LineString") return pointsOf(geometry.coordinates);
  return geometry.type === "Polygon" ? pointsOf(geometry.coordinates[0] ?? []).slice(0, -1) : [];
}

function modesIn(color: string, halo: string): ConstructorParameters<typeof TerraDraw>[0]["modes"] {
  const hex = color as `#${string}`;
  const white = halo as `#${string}`;
  const closing = { closingPointColor: white, closingPointOutlineColor: hex, closingPointOutlineWidth: 2 } as const;
  const fill = { fillColor: hex, fillOpacity: 0.1, outlineColor: hex, outlineWidth: 2 } as const;
  const edited = {
    selectedPolygonColor: hex,
    selectedPolygonFillOpacity: 0.1,
    selectedPolygonOutlineColor: hex,
    selectedLineStringColor: hex,
    selectionPointColor: white,
    selectionPointOutlineColor: hex,
    selectionPointOutlineWidth: 2,
    midPointColor: hex,
    midPointOutlineColor: white,
  } as const;
  const flags = { feature: { coordinates: { midpoints: true, draggable: true, deletable: true } } };
  // the keys are the sketch's own: Terra Draw listens to them on the map alone
  return [
    new TerraDrawRectangleMode({ styles: fill, keyEvents: null, drawInteraction: "click-move-or-drag" }),
    new TerraDrawPolygonMode({ styles: { ...fill, ...closing }, keyEvents: null }),
    new TerraDrawLineStringMode({ styles: { lineStringColor: hex, lineStringWidth: 2, ...closing }, keyEvents: null }),
    new TerraDrawSelectMode({
      styles: edited,
      flags: { polygon: flags, linestring: flags },
      keyEvents: null,
      allowManualDeselection: false,
    }),
  ];
}

/** Takes what is drawn or changed, when it is finished and after each change of a corner. */
export type OnShape = (kind: SketchKind, corners: readonly Point[]) => void;

/**
 * Draws boxes, polygons and lines on the map and changes their corners, by pointer and touch with Terra Draw, and by keyboard: arrow keys
 * move the map, {@link Sketch.add} sets a corner in its centre.
 */
export class Sketch {
  readonly #draw: TerraDraw;
  readonly #onShape: OnShape;
  readonly #state = signal<SketchState>(NOTHING);
  readonly #endClicks: () => void;
  /** Whether corners are added one by one; else Terra Draw has them while the pointer draws. */
  #isByKeys = false;

  constructor(map: MapPort, onShape: OnShape) {
    this.#onShape = onShape;
    const { chosen, paper } = themeOf(document.body);
    const adapter = new TerraDrawMapLibreGLAdapter({ map: map.native });
    this.#draw = new TerraDraw({ adapter, modes: modesIn(chosen, paper) });
    this.#draw.start();
    // corners may be set by keys and by the pointer in turn
    this.#endClicks = map.on("click", ({ at }) => {
      if (this.#isByKeys) this.add(at);
    });
    this.#draw.on("change", () => this.#follow());
    this.#draw.on("finish", (id, { action }) => this.#finished(id, action === "draw"));
  }

  get state(): ReadonlySignal<SketchState> {
    return this.#state;
  }

  /** Starts to draw; ends what is drawn already. */
  start(kind: SketchKind): void {
    this.stop();
    this.#draw.setMode(MODES[kind]);
    this.#state.value = { kind, isEdited: false, corners: [] };
  }

  /** Lets the corners of a shape be moved, added and removed. */
  edit(kind: Exclude<SketchKind, "box">, corners: readonly Point[]): void {
    this.stop();
    const id = this.#put(kind, corners);
    if (id === undefined) return;
    this.#draw.selectFeature(id);
    this.#state.value = { kind, isEdited: true, corners };
  }

  /** Sets a corner at a point, as a click there would. */
  add(at: Point): void {
    const { kind, isEdited, corners } = this.#state.peek();
    if (kind === undefined || isEdited) return;
    const all = [...corners, rounded(at)];
    this.#isByKeys = true;
    this.#draw.setMode("static");
    this.#draw.clear();
    this.#state.value = { kind, isEdited: false, corners: all };
    if (kind === "box" && all.length === 2) this.finish();
    else if (all.length >= LEAST_CORNERS.line) this.#put(all.length === 2 ? "line" : kind, all);
  }

  /** Takes the last corner back. */
  undo(): void {
    const { corners, kind, isEdited } = this.#state.peek();
    if (kind === undefined || isEdited || corners.length === 0) return;
    const [last, ...before] = [...corners].reverse();
    const left = before.reverse();
    this.#state.value = { kind, isEdited, corners: left.slice(0, -1) };
    if (left.length === 0 || last === undefined) this.start(kind);
    else this.add(left.at(-1) as Point);
  }

  /** Ends a shape that has corners enough. */
  finish(): void {
    const { kind, corners } = this.#state.peek();
    // the clicks of a double click both set a corner
    const distinct = corners.filter(
      ([lon, lat], i) => i === 0 || lon !== corners[i - 1]?.[0] || lat !== corners[i - 1]?.[1],
    );
    if (kind === undefined || distinct.length < LEAST_CORNERS[kind]) return;
    this.stop();
    this.#onShape(kind, distinct);
  }

  /** Ends without a shape. */
  stop(): void {
    this.#draw.setMode("static");
    this.#draw.clear();
    this.#isByKeys = false;
    this.#state.value = NOTHING;
  }

  dispose(): void {
    this.stop();
    this.#endClicks();
    this.#draw.stop();
  }

  /** Puts a shape on the map; undefined where Terra Draw does not take it. */
  #put(kind: SketchKind, corners: readonly Point[]): string | number | undefined {
    const positions = corners.map(rounded);
    const ring = [...positions, positions[0] as [number, number]];
    const isLine = kind === "line";
    const [added] = this.#draw.addFeatures([
      {
        type: "Feature",
        properties: { mode: isLine ? "linestring" : "polygon" },
        geometry: isLine ? { type: "LineString", coordinates: positions } : { type: "Polygon", coordinates: [ring] },
      },
    ]);
    return added?.valid === true ? added.id : undefined;
  }

  /** Reads what the pointer draws: its last corner is the pointer itself. */
  #follow(): void {
    const { kind, isEdited } = this.#state.peek();
    if (kind === undefined || this.#isByKeys) return;
    const feature = this.#draw.getSnapshot().find(({ properties }) => properties.mode === MODES[kind]);
    if (feature === undefined || isEdited) return;
    const corners = cornersOf(feature);
    if (kind === "box") this.#state.value = { kind, isEdited, corners: corners.slice(0, 1) };
    else this.#state.value = { kind, isEdited, corners: corners.slice(0, -1), next: corners.at(-1) };
  }

  #finished(id: string | number, isDrawn: boolean): void {
    const { kind } = this.#state.peek();
    const feature = this.#draw.getSnapshotFeature(id);
    if (kind === undefined || feature === undefined) return;
    const corners = cornersOf(feature);
    if (isDrawn) this.stop();
    else this.#state.value = { kind, isEdited: true, corners };
    this.#onShape(kind, corners);
  }
}
