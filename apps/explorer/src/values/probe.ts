import { type ReadonlySignal, signal, untracked } from "@preact/signals";
import { utmEpsg } from "@swath/raster";
import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import type { Band, Collection, Item } from "../api/types.ts";
import type { Point } from "../geometry/area.ts";
import type { Explorer } from "../state/explorer.ts";
import { bandsOfAll, finestPixel } from "../view/bands.ts";
import { dataFilter } from "../view/data-filter.ts";
import type { Pixels } from "./pixels.ts";
import { PROBE_SIDE, pixelGrid, probeWindow } from "./probe-grid.ts";

/** Windows kept. */
const KEPT = 40;

interface Window {
  readonly pixels: Pixels;
  readonly scenes: string | undefined;
}

/** Values of one pixel, or why there are none. */
export type Reading =
  | {
      readonly kind: "values";
      readonly at: Point;
      readonly bands: readonly Band[];
      /** In the order of the bands; undefined: no data. */
      readonly values: readonly (number | undefined)[];
      readonly scenes: string | undefined;
    }
  | { readonly kind: "no scene"; readonly at: Point }
  | { readonly kind: "problem"; readonly at: Point; readonly problem: Problem };

interface Place {
  readonly collection: Collection;
  readonly bands: readonly Band[];
  readonly epsg: number;
  readonly resolution: number;
  readonly origin: readonly [number, number] | undefined;
  readonly filter: Readonly<Record<string, unknown>>;
}

/** Reads band values of pixels: windows of 32 × 32 pixels, one request at a time, kept for reuse. */
export class Probe {
  readonly #explorer: Explorer;
  readonly #windows = new Map<string, Window>();
  readonly #reading = signal<Reading | undefined>(undefined);
  readonly #isBusy = signal(false);
  #wanted: Point | undefined;
  #isRunning = false;

  constructor(explorer: Explorer) {
    this.#explorer = explorer;
  }

  get reading(): ReadonlySignal<Reading | undefined> {
    return this.#reading;
  }

  /** Whether values are on their way. */
  get isBusy(): ReadonlySignal<boolean> {
    return this.#isBusy;
  }

  /** Reads the pixel at a point; only the latest of the points asked for meanwhile comes next. */
  async read(at: Point): Promise<void> {
    this.#wanted = at;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let done: unknown; this.#wanted !== undefined && done !== this.#wanted; ) {
        done = this.#wanted;
        this.#reading.value = await this.#readPoint(this.#wanted);
      }
    } finally {
      this.#isRunning = false;
      this.#isBusy.value = false;
    }
  }

  async #readPoint(at: Point): Promise<Reading> {
    const place = untracked(() => this.#placeOf(at));
    const { bands, epsg, resolution, origin } = place;
    try {
      const { project } = await import("./pixels.ts");
      const [x, y] = project(epsg, at[0], at[1]);
      const window = probeWindow(x, y, resolution, origin);
      const { pixels, scenes } = await this.#window(place, window);
      const pixel = window.row * PROBE_SIDE + window.column;
      const values = bands.map(({ name }) => {
        const value = pixels.bands.get(name)?.[pixel];
        return value === undefined || Number.isNaN(value) ? undefined : value;
      });
      return { kind: "values", at, bands, values, scenes };
    } catch (error) {
      const problem = problemFrom(error);
      // where there is no scene there are no values: that is an answer, not a fault
      const isEmpty = problem.code === "not-found" || problem.errors?.some(({ pointer }) => pointer.includes("/ids/"));
      return isEmpty === true ? { kind: "no scene", at } : { kind: "problem", at, problem };
    }
  }

  #placeOf([lon, lat]: Point): Place {
    const { asked, collection, scenes, shown } = this.#explorer;
    const state = asked.value;
    const items: readonly Item[] = shown.value === undefined ? scenes.items : [shown.value, ...scenes.items];
    const scene = items.find(({ id }) => id === state.scene);
    const resolution = finestPixel(collection.value);
    const first = scene ?? items[0];
    const grid = first === undefined ? undefined : pixelGrid(first, resolution);
    const zone = utmEpsg(lon, lat);
    return {
      collection: collection.value,
      bands: bandsOfAll(collection.value, scene === undefined ? items : [scene]),
      epsg: state.scene === undefined ? zone : (grid?.epsg ?? zone),
      resolution,
      origin: grid?.origin,
      filter: dataFilter({ ...state, cloud: 100 }, "leastCC"),
    };
  }

  async #window(place: Place, window: ReturnType<typeof probeWindow>): Promise<Window> {
    const { collection, bands, epsg, filter } = place;
    const names = bands.map(({ name }) => name);
    const key = JSON.stringify([collection.id, names, filter, epsg, window.key]);
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    this.#isBusy.value = true;
    const response = await this.#explorer.api.post("v1/process", {
      input: {
        bounds: { bbox: window.bounds, properties: { crs: `http://www.opengis.net/def/crs/EPSG/0/${epsg}` } },
        data: [{ type: collection.id, dataFilter: filter }],
      },
      bands: names,
      output: { width: PROBE_SIDE, height: PROBE_SIDE, crs: `EPSG:${epsg}` },
    });
    const { readPixels } = await import("./pixels.ts");
    const pixels = await readPixels(new Uint8Array(await response.arrayBuffer()), names);
    const read = { pixels, scenes: sceneNames(pixels) ?? this.#explorer.store.state.scene };
    this.#windows.set(key, read);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > KEPT && oldest !== undefined) this.#windows.delete(oldest);
    return read;
  }
}

/** The scenes that a file says it is made of, where they are few enough to name. */
function sceneNames({ metadata }: Pixels): string | undefined {
  const [, names] = Object.entries(metadata).find(([name]) => /^(items|scenes|item_?ids)/i.test(name)) ?? [];
  const list = names?.split(/[\s,]+/).filter((name) => name !== "") ?? [];
  return list.length > 0 && list.length <= 2 ? list.join(", ") : undefined;
}
