import { utmEpsg } from "@swath/raster";
import { Marker } from "maplibre-gl";
import type { Api, Band, Collection, Item } from "./api.ts";
import { bandNamed, bandsOfAll, finestPixel } from "./bands.ts";
import { h } from "./dom.ts";
import { dataFilter } from "./extract-plan.ts";
import { coordinates } from "./format.ts";
import type { ExplorerMap } from "./map.ts";
import type { Pixels } from "./pixels.ts";
import { ndvi, PROBE_SIDE, pixelGrid, probeWindow } from "./probe-grid.ts";
import { problemCard, problemFrom } from "./problems.ts";
import { spectrum } from "./spectrum.ts";
import type { Point, ViewState } from "./state.ts";

/** Time that the pointer rests before values are requested. */
const REST_MS = 220;
/** Windows kept. */
const KEPT = 40;

export interface ProbeSource {
  readonly state: ViewState;
  readonly collection: Collection;
  readonly items: readonly Item[];
}

interface Reading {
  readonly pixels: Pixels;
  readonly scenes: string | undefined;
}

/** Band values and NDVI of the pixel under the pointer: windows of 32 × 32 pixels, one request at a time, kept for reuse. */
export class Probe {
  readonly element: HTMLElement;
  readonly #api: Api;
  readonly #map: ExplorerMap;
  readonly #source: () => ProbeSource;
  readonly #readings = new Map<string, Reading>();
  readonly #values = h("div", { class: "values", "aria-live": "polite" });
  readonly #hint = h(
    "p",
    { class: "quiet" },
    "Point at the map to read a pixel, click or tap to keep it. With the keyboard: move the map with the arrow keys and press Enter to read its centre.",
  );
  readonly #marker: Marker;
  #active = false;
  #wanted: { at: Point; pinned: boolean } | undefined;
  #busy = false;
  #pinned = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: Api, map: ExplorerMap, source: () => ProbeSource) {
    this.#api = api;
    this.#map = map;
    this.#source = source;
    const dot = h("div", { class: "pin", "aria-hidden": "true" });
    this.#marker = new Marker({ element: dot });
    const centre = h("button", { type: "button", class: "wide" }, "Read the centre of the map");
    centre.addEventListener("click", () => this.readCentre());
    this.element = h("div", {}, this.#hint, centre, this.#values);
    const { map: view } = map;
    view.on("mousemove", (event) => {
      // a pointer that rests by chance prompts nobody for a key
      if (!this.#active || this.#pinned || !this.#api.credentials.hasOwn) return;
      clearTimeout(this.#timer);
      const at: Point = [event.lngLat.lng, event.lngLat.lat];
      this.#timer = setTimeout(() => this.#want(at, false), REST_MS);
    });
    view.on("click", (event) => {
      if (!this.#active) return;
      clearTimeout(this.#timer);
      this.#want([event.lngLat.lng, event.lngLat.lat], true);
    });
    view.getCanvas().addEventListener("keydown", (event) => {
      if (this.#active && event.key === "Enter") this.readCentre();
      if (this.#active && event.key === "Escape") this.#unpin();
    });
  }

  activate(yes: boolean): void {
    this.#active = yes;
    clearTimeout(this.#timer);
    if (!yes) this.#unpin();
  }

  /** Reads the kept point again: another scene or window is shown. */
  refresh(): void {
    if (this.#active && this.#pinned && this.#wanted !== undefined) this.#want(this.#wanted.at, true);
  }

  readCentre(): void {
    const { lng, lat } = this.#map.map.getCenter();
    this.#want([lng, lat], true);
  }

  #unpin(): void {
    this.#pinned = false;
    this.#marker.remove();
  }

  #want(at: Point, pinned: boolean): void {
    this.#wanted = { at, pinned };
    if (pinned) {
      this.#pinned = true;
      this.#marker.setLngLat([at[0], at[1]]).addTo(this.#map.map);
    }
    void this.#run();
  }

  /** One request runs at a time: only the latest of the points requested meanwhile comes next. */
  async #run(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let done: unknown; this.#wanted !== undefined && done !== this.#wanted; ) {
        done = this.#wanted;
        await this.#read(this.#wanted.at);
      }
    } finally {
      this.#busy = false;
    }
  }

  async #read(at: Point): Promise<void> {
    const [lon, lat] = at;
    const { state, collection, items } = this.#source();
    const scene = items.find(({ id }) => id === state.scene);
    const bands = bandsOfAll(collection, scene === undefined ? items : [scene]);
    const resolution = finestPixel(collection);
    const shown = scene ?? items[0];
    const grid = shown === undefined ? undefined : pixelGrid(shown, resolution);
    const zone = utmEpsg(lon, lat);
    const epsg = state.scene === undefined ? zone : (grid?.epsg ?? zone);
    try {
      const { project, readPixels } = await import("./pixels.ts");
      const [x, y] = project(epsg, lon, lat);
      const window = probeWindow(x, y, resolution, grid?.origin);
      const filter = dataFilter({ ...state, cloud: 100 }, "leastCC");
      const key = JSON.stringify([collection.id, bands.map(({ name }) => name), filter, epsg, window.key]);
      let reading = this.#readings.get(key);
      if (reading === undefined) {
        this.element.setAttribute("aria-busy", "true");
        const response = await this.#api.post("v1/process", {
          input: {
            bounds: { bbox: window.bounds, properties: { crs: `http://www.opengis.net/def/crs/EPSG/0/${epsg}` } },
            data: [{ type: collection.id, dataFilter: filter }],
          },
          bands: bands.map(({ name }) => name),
          output: { width: PROBE_SIDE, height: PROBE_SIDE, crs: `EPSG:${epsg}` },
        });
        const pixels = await readPixels(
          new Uint8Array(await response.arrayBuffer()),
          bands.map(({ name }) => name),
        );
        reading = { pixels, scenes: sceneNames(pixels) ?? state.scene };
        this.#readings.set(key, reading);
        const [oldest] = this.#readings.keys();
        if (this.#readings.size > KEPT && oldest !== undefined) this.#readings.delete(oldest);
      }
      this.#show(at, bands, reading, window.row * PROBE_SIDE + window.column);
    } catch (error) {
      const problem = problemFrom(error);
      // where there is no scene there are no values: that is an answer, not a fault
      const isEmpty = problem.code === "not-found" || problem.errors?.some(({ pointer }) => pointer.includes("/ids/"));
      this.#values.replaceChildren(
        h("p", { class: "point" }, coordinates(lon, lat)),
        isEmpty === true ? h("p", {}, "No scene covers this point in these dates.") : problemCard(problem),
      );
    }
    this.element.removeAttribute("aria-busy");
  }

  #show([lon, lat]: Point, bands: readonly Band[], reading: Reading, pixel: number): void {
    const reads = (band: Band | undefined): number | undefined => {
      const value = band === undefined ? undefined : reading.pixels.bands.get(band.name)?.[pixel];
      return value === undefined || Number.isNaN(value) ? undefined : value;
    };
    const values = bands.map(reads);
    const point = h("p", { class: "point" }, coordinates(lon, lat));
    if (values.every((value) => value === undefined)) {
      this.#values.replaceChildren(point, h("p", {}, "No data at this point."));
      return;
    }
    const [nir, red] = [bandNamed({ bands }, "nir"), bandNamed({ bands }, "red")];
    const index =
      nir === undefined || red === undefined ? undefined : (ndvi(reads(nir), reads(red))?.toFixed(3) ?? "none");
    this.#values.replaceChildren(
      point,
      index === undefined
        ? ""
        : h("p", { class: "figure" }, h("span", {}, "NDVI"), h("strong", { "data-value": "ndvi" }, index)),
      bands.some(({ unit }) => unit === "REFLECTANCE") ? spectrum(bands, values) : "",
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Band"),
            h("th", { scope: "col" }, "Name"),
            h("th", { scope: "col", class: "number" }, "Value"),
          ),
        ),
        h(
          "tbody",
          {},
          bands.map((band, i) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, band.name),
              h("td", {}, band.common_name ?? ""),
              h("td", { class: "number", "data-value": band.name }, valueText(values[i], band)),
            ),
          ),
        ),
      ),
      reading.scenes === undefined ? "" : h("p", { class: "quiet" }, `From ${reading.scenes}`),
    );
  }
}

function valueText(value: number | undefined, band: Band): string {
  if (value === undefined) return "no data";
  if (band.unit === "KELVIN") return `${value.toFixed(1)} K`;
  return band.unit === "METERS" ? `${value.toFixed(1)} m` : value.toFixed(4);
}

/** The scenes that a file says it is made of, where they are few enough to name. */
function sceneNames({ metadata }: Pixels): string | undefined {
  const [, names] = Object.entries(metadata).find(([name]) => /^(items|scenes|item_?ids)/i.test(name)) ?? [];
  const list = names?.split(/[\s,]+/).filter((name) => name !== "") ?? [];
  return list.length > 0 && list.length <= 2 ? list.join(", ") : undefined;
}
