import type { ExplorerMap } from "./map.ts";
import type { Area, Point } from "./state.ts";

export type DrawKind = "box" | "polygon";

interface Sight {
  readonly point: { readonly x: number; readonly y: number };
  readonly lngLat: { readonly lng: number; readonly lat: number };
  readonly originalEvent: Event;
  preventDefault(): void;
}

/** Pixels within which a click on the first corner closes a polygon. */
const NEAR = 14;

/** Largest distance in pixels of a press and its release that count as a click. */
const STILL = 6;

/** Draws a box (drag, or two clicks) or a polygon (clicks; the first corner, a double click or Enter ends it) on the map. */
export class Drawing {
  readonly #map: ExplorerMap;
  readonly #onArea: (area: Area) => void;
  readonly #onState: (kind: DrawKind | undefined, corners: number) => void;
  #kind: DrawKind | undefined;
  #corners: Point[] = [];

  constructor(
    map: ExplorerMap,
    onArea: (area: Area) => void,
    onState: (kind: DrawKind | undefined, corners: number) => void,
  ) {
    this.#map = map;
    this.#onArea = onArea;
    this.#onState = onState;
    const { map: view } = map;
    view.on("mousedown", (event) => this.#press(event));
    view.on("touchstart", (event) => {
      if (event.points.length === 1) this.#press(event);
    });
    view.on("mousemove", (event) => this.#follow(event));
    view.on("touchmove", (event) => this.#follow(event));
    view.on("mouseup", (event) => this.#release(event));
    view.on("touchend", (event) => this.#release(event));
    view.on("click", (event) => this.#click(event));
    view.on("dblclick", (event) => {
      if (this.#kind !== "polygon") return;
      event.preventDefault();
      this.finish();
    });
    document.addEventListener("keydown", (event) => {
      if (this.#kind === undefined) return;
      if (event.key === "Escape") this.stop();
      if (event.key === "Enter" && !(event.target instanceof HTMLButtonElement)) this.finish();
    });
  }

  get kind(): DrawKind | undefined {
    return this.#kind;
  }

  start(kind: DrawKind): void {
    this.stop();
    this.#kind = kind;
    this.#map.map.doubleClickZoom.disable();
    if (kind === "box") this.#map.map.dragPan.disable();
    this.#onState(kind, 0);
  }

  stop(): void {
    if (this.#kind === undefined) return;
    this.#kind = undefined;
    this.#corners = [];
    this.#map.map.doubleClickZoom.enable();
    this.#map.map.dragPan.enable();
    this.#map.showDraft([], false);
    this.#onState(undefined, 0);
  }

  /** Ends a polygon of three corners or more. */
  finish(): void {
    // the two clicks of a double click both set a corner
    const corners = this.#corners.filter(
      ([lon, lat], i, all) => i === 0 || lon !== all[i - 1]?.[0] || lat !== all[i - 1]?.[1],
    );
    if (this.#kind !== "polygon" || corners.length < 3) return;
    this.stop();
    this.#onArea({ kind: "polygon", corners });
  }

  #press(event: Sight): void {
    if (this.#kind !== "box") return;
    event.preventDefault();
    if (this.#corners.length > 0) return;
    this.#corners = [[event.lngLat.lng, event.lngLat.lat]];
  }

  #follow(event: Sight): void {
    const [first] = this.#corners;
    if (first === undefined || this.#kind === undefined) return;
    const here: Point = [event.lngLat.lng, event.lngLat.lat];
    if (this.#kind === "polygon") this.#map.showDraft([...this.#corners, here], true);
    else this.#map.showDraft([first, [here[0], first[1]], here, [first[0], here[1]]], true);
  }

  #release(event: Sight): void {
    const [first] = this.#corners;
    if (this.#kind !== "box" || first === undefined) return;
    const at = this.#map.map.project([first[0], first[1]]);
    if (Math.hypot(event.point.x - at.x, event.point.y - at.y) <= STILL) {
      // a click or tap without a drag sets the first corner; the next one ends the box
      this.#map.showDraft([first], false);
      this.#onState("box", 1);
      return;
    }
    const { lng, lat } = event.lngLat;
    const bbox = [
      Math.min(first[0], lng),
      Math.min(first[1], lat),
      Math.max(first[0], lng),
      Math.max(first[1], lat),
    ] as const;
    this.stop();
    if (bbox[0] < bbox[2] && bbox[1] < bbox[3]) this.#onArea({ kind: "box", bbox });
  }

  #click(event: Sight): void {
    if (this.#kind !== "polygon") return;
    const [first] = this.#corners;
    if (first !== undefined && this.#corners.length > 2) {
      const at = this.#map.map.project([first[0], first[1]]);
      if (Math.hypot(at.x - event.point.x, at.y - event.point.y) <= NEAR) {
        this.finish();
        return;
      }
    }
    this.#corners.push([event.lngLat.lng, event.lngLat.lat]);
    this.#map.showDraft(this.#corners, true);
    this.#onState("polygon", this.#corners.length);
  }
}
