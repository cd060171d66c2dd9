import { utmEpsg } from "@swath/raster";
import type { Api, Collection, Preset } from "./api.ts";
import { ringOf } from "./area.ts";
import { finestPixel, measuredBands, presetBands } from "./bands.ts";
import { Delivery } from "./delivery.ts";
import { debounced, h } from "./dom.ts";
import type { Drawing, DrawKind } from "./draw.ts";
import {
  areaBbox,
  capUse,
  type ExtractChoice,
  JOB_CAPS,
  MAX_SCENES,
  type Order,
  processRequest,
  type Size,
  SYNC_CAPS,
  sizeOf,
  UNITS,
  type Units,
  wayFor,
} from "./extract-plan.ts";
import { byteSize, count } from "./format.ts";
import { problemCard, problemFrom } from "./problems.ts";
import type { Area, Bbox, Store } from "./state.ts";
import { utmName } from "./utm.ts";

const METRES = [10, 20, 30, 60, 100, 250, 500, 1000];
const SIDES = ["West", "South", "East", "North"] as const;

export interface ExtractSource {
  readonly collection: Collection;
  readonly preset: Preset;
  readonly viewBbox: Bbox;
}

/** The form that extracts an area as a GeoTIFF: bands, size, options, and the finished file. */
export class ExtractPanel {
  readonly element: HTMLElement;
  readonly #api: Api;
  readonly #store: Store;
  readonly #source: () => ExtractSource;
  readonly #delivery: Delivery;
  readonly #drawing: Drawing;
  readonly #drawHint = h("p", { class: "quiet", role: "status" });
  readonly #tools: Record<DrawKind, HTMLButtonElement>;
  readonly #corners = SIDES.map((side) =>
    h("input", { type: "number", step: "any", id: `area-${side.toLowerCase()}`, inputmode: "decimal" }),
  );
  readonly #bands = h("div", { class: "chips" });
  readonly #resolution = h("select", { id: "extract-resolution" });
  readonly #crs = h("select", { id: "extract-crs" });
  readonly #units = h("select", { id: "extract-units" });
  readonly #order = h(
    "select",
    { id: "extract-order" },
    h("option", { value: "leastCC" }, "Least cloudy on top"),
    h("option", { value: "mostRecent" }, "Newest on top"),
    h("option", { value: "leastRecent" }, "Oldest on top"),
  );
  readonly #orderField: HTMLElement;
  readonly #size = h("div", { class: "size", id: "extract-size", role: "status" });
  readonly #send = h(
    "button",
    { type: "submit", class: "primary wide", "aria-describedby": "extract-size" },
    "Get GeoTIFF",
  );
  readonly #asJob = h("input", { type: "checkbox", id: "extract-job" });
  readonly #clear = h("button", { type: "button" }, "Clear");
  readonly #options = h("div", {});
  #scenes: number | undefined;
  /** Counts the requested sizes: only the latest is shown. */
  #turn = 0;
  #abort = new AbortController();

  constructor(
    api: Api,
    store: Store,
    drawing: (onState: (kind: DrawKind | undefined, corners: number) => void) => Drawing,
    source: () => ExtractSource,
  ) {
    this.#api = api;
    this.#store = store;
    this.#source = source;
    this.#delivery = new Delivery(api);
    this.#drawing = drawing((kind, corners) => this.#drawState(kind, corners));
    this.#tools = { box: this.#tool("box", "Draw a box"), polygon: this.#tool("polygon", "Draw a polygon") };
    const useView = h("button", { type: "button" }, "Use the view");
    useView.addEventListener("click", () => this.#setArea({ kind: "box", bbox: this.#source().viewBbox }));
    this.#clear.addEventListener("click", () => this.#setArea(undefined));
    for (const input of this.#corners) input.addEventListener("change", () => this.#typed());
    this.#orderField = field("Scene on top", "extract-order", this.#order);
    this.#options.append(
      h("fieldset", {}, h("legend", {}, "Bands"), this.#bands),
      h(
        "div",
        { class: "grid-2" },
        field("Pixel size", "extract-resolution", this.#resolution),
        field("Projection", "extract-crs", this.#crs),
        field("Values", "extract-units", this.#units),
        this.#orderField,
      ),
      this.#size,
      h("label", { class: "check", for: "extract-job" }, this.#asJob, "Make it in the background"),
      this.#send,
    );
    const form = h(
      "form",
      { class: "extract" },
      h("div", { class: "row wrap" }, this.#tools.box, this.#tools.polygon, useView, this.#clear),
      this.#drawHint,
      h(
        "fieldset",
        { class: "corners" },
        h("legend", {}, "Box in degrees"),
        this.#corners.map((input, i) => field(SIDES[i] as string, input.id, input)),
      ),
      this.#options,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    const update = debounced(150, () => void this.#update());
    this.#options.addEventListener("change", (event) => {
      if (event.target !== this.#asJob) update();
      else this.#label();
    });
    this.element = h("div", {}, form, this.#delivery.element);
    const count = debounced(300, () => void this.#countScenes());
    store.on(["area", "from", "to", "cloud", "collection", "scene"], () => {
      this.#scenes = undefined;
      this.#show();
      update();
      count();
    });
    store.on(["collection"], () => this.#fillOptions());
    store.on(["preset"], () => this.#fillBands());
    store.on(["tab"], (state) => {
      if (state.tab !== "download") this.#drawing.stop();
    });
    this.#show();
    this.#fillOptions();
    count();
    this.#delivery.resume();
  }

  #tool(kind: DrawKind, text: string): HTMLButtonElement {
    const button = h("button", { type: "button", "aria-pressed": "false" }, text);
    button.addEventListener("click", () => {
      if (this.#drawing.kind === kind) this.#drawing.stop();
      else this.#drawing.start(kind);
    });
    return button;
  }

  #drawState(kind: DrawKind | undefined, corners: number): void {
    for (const each of ["box", "polygon"] as const) {
      this.#tools[each].setAttribute("aria-pressed", String(each === kind));
    }
    this.#drawHint.textContent =
      kind === "box"
        ? corners === 0
          ? "Drag over the map, or click two corners. Escape cancels."
          : "Now the opposite corner."
        : kind === "polygon"
          ? corners < 3
            ? "Click the corners of the polygon. Escape cancels."
            : "Click the first corner, or press Enter, to close the polygon."
          : "";
  }

  #setArea(area: Area | undefined): void {
    this.#drawing.stop();
    this.#store.set({ area });
  }

  #typed(): void {
    const values = this.#corners.map((input) => (input.value === "" ? Number.NaN : Number(input.value)));
    const [west, south, east, north] = values as [number, number, number, number];
    if (!values.every(Number.isFinite)) return;
    const isBox =
      west < east &&
      south < north &&
      Math.abs(west) <= 180 &&
      Math.abs(east) <= 180 &&
      Math.abs(south) <= 90 &&
      Math.abs(north) <= 90;
    this.#corners[2]?.setCustomValidity(west < east ? "" : "East must be greater than west.");
    this.#corners[3]?.setCustomValidity(south < north ? "" : "North must be greater than south.");
    if (isBox) this.#setArea({ kind: "box", bbox: [west, south, east, north] });
    else for (const input of this.#corners) input.reportValidity();
  }

  /** Puts the area's corners and what depends on them into the form. */
  #show(): void {
    const { area, scene } = this.#store.state;
    const bbox = area === undefined ? undefined : areaBbox(area);
    this.#corners.forEach((input, i) => {
      input.value = bbox === undefined ? "" : String(Number((bbox[i] as number).toFixed(4)));
      input.setCustomValidity("");
    });
    this.#options.hidden = area === undefined;
    this.#clear.hidden = area === undefined;
    this.#orderField.hidden = scene !== undefined;
    if (area === undefined && this.#drawing.kind === undefined)
      this.#drawHint.textContent = "Choose an area to extract.";
    else if (this.#drawing.kind === undefined) this.#drawHint.textContent = "";
    if (bbox === undefined) return;
    const zone = utmEpsg((bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2);
    const chosen = this.#crs.value;
    this.#crs.replaceChildren(
      h("option", { value: zone }, `${utmName(zone)} (EPSG:${zone})`),
      h("option", { value: 3857 }, "Web Mercator (EPSG:3857)"),
      h("option", { value: 4326 }, "Degrees (EPSG:4326)"),
    );
    if (chosen === "3857" || chosen === "4326") this.#crs.value = chosen;
  }

  #fillOptions(): void {
    const { collection } = this.#source();
    const finest = finestPixel(collection);
    this.#resolution.replaceChildren(
      ...METRES.filter((metres) => metres >= finest).map((metres) => h("option", { value: metres }, `${metres} m`)),
    );
    const chosen = this.#units.value;
    const offered = Object.entries(UNITS).filter(([id]) => collection["svc:units"]?.includes(id) === true);
    this.#units.replaceChildren(...offered.map(([value, text]) => h("option", { value }, text)));
    if (offered.some(([id]) => id === chosen)) this.#units.value = chosen;
    this.#fillBands();
  }

  #fillBands(): void {
    const { collection, preset } = this.#source();
    const chosen = new Set(presetBands(collection, preset));
    this.#bands.replaceChildren(
      ...measuredBands(collection).map((band) =>
        h(
          "label",
          { class: "chip", title: band.description },
          h("input", { type: "checkbox", name: "band", value: band.name, checked: chosen.has(band.name) }),
          h("span", {}, band.name, band.common_name !== undefined && h("small", {}, ` ${band.common_name}`)),
        ),
      ),
    );
    void this.#update();
  }

  #choice(): ExtractChoice {
    const bands = [...this.#bands.querySelectorAll<HTMLInputElement>("input:checked")].map(({ value }) => value);
    // bands of a preset come in its order, which is the order they are shown in
    const first = presetBands(this.#source().collection, this.#source().preset).filter((name) => bands.includes(name));
    return {
      bands: first.length === bands.length ? first : bands,
      epsg: Number(this.#crs.value),
      resolution: Number(this.#resolution.value),
      units: this.#units.value as Units,
      order: this.#order.value as Order,
    };
  }

  async #currentSize(): Promise<Size | undefined> {
    const { area, scene } = this.#store.state;
    const choice = this.#choice();
    if (area === undefined || choice.bands.length === 0) return undefined;
    const { spanIn } = await import("./pixels.ts");
    const scenes = scene !== undefined ? 1 : Math.min(MAX_SCENES, this.#scenes ?? MAX_SCENES);
    return sizeOf(spanIn(choice.epsg, areaBbox(area)), choice, scenes);
  }

  async #update(): Promise<void> {
    const turn = ++this.#turn;
    if (this.#store.state.area === undefined) return;
    let size: Size | undefined;
    try {
      size = await this.#currentSize();
      if (turn !== this.#turn) return;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#send.disabled = true;
      this.#size.replaceChildren(problemCard(problemFrom(error)));
      return;
    }
    if (size === undefined) {
      this.#send.disabled = true;
      this.#size.replaceChildren(h("p", {}, "Choose at least one band."));
      return;
    }
    const way = wayFor(size);
    this.#send.disabled = way === "none";
    this.#asJob.disabled = way !== "sync";
    if (way === "job") this.#asJob.checked = true;
    else if (way === "sync" && this.#asJob.dataset.forced === "true") this.#asJob.checked = false;
    this.#asJob.dataset.forced = String(way === "job");
    this.#label();
    const caps = way === "sync" ? SYNC_CAPS : JOB_CAPS;
    this.#size.replaceChildren(
      h(
        "p",
        { class: "size-line" },
        h("strong", {}, `${count(size.width)} × ${count(size.height)}`),
        ` pixels, ${size.bands} band${size.bands === 1 ? "" : "s"}, up to ${byteSize(size.bytes)}`,
      ),
      h(
        "dl",
        { class: "caps" },
        capUse(size, caps).map(({ name, used, cap }) => [
          h("dt", {}, name),
          h("dd", {}, `${count(used)} of ${count(cap)}`),
          h("dd", {}, h("meter", { min: 0, max: cap, high: cap, value: Math.min(used, cap), "aria-label": name })),
        ]),
      ),
      h("p", { class: way === "none" ? "over" : "quiet" }, this.#wayText(way)),
    );
  }

  #wayText(way: ReturnType<typeof wayFor>): string {
    const { scene } = this.#store.state;
    const scenes =
      scene !== undefined
        ? "Made of the one scene shown."
        : this.#scenes === undefined
          ? "Made of the scenes in these dates."
          : this.#scenes === 0
            ? "No scene of these dates covers the area."
            : `${count(this.#scenes)} scene${this.#scenes === 1 ? "" : "s"} of these dates over the area; at most ${MAX_SCENES} are read.`;
    if (way === "sync") return `Small enough to be made at once. ${scenes}`;
    if (way === "job") return `Too large to be made at once: it becomes a background job of up to 5 minutes. ${scenes}`;
    return "Too large even for a background job: choose larger pixels, fewer bands or a smaller area.";
  }

  #label(): void {
    this.#send.textContent = this.#asJob.checked ? "Make the GeoTIFF in the background" : "Get GeoTIFF";
  }

  async #countScenes(): Promise<void> {
    const { area, scene, collection, from, to, cloud, tab } = this.#store.state;
    if (area === undefined || scene !== undefined || tab !== "download") return;
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      const page = await this.#api.search(
        {
          collections: [collection],
          intersects: { type: "Polygon", coordinates: [ringOf(area)] },
          datetime: `${from}/${to}`,
          limit: 1,
          fields: { include: ["id"] },
          ...(cloud === 100 ? {} : { query: { "eo:cloud_cover": { lte: cloud } } }),
        },
        signal,
      );
      this.#scenes = page.numberMatched ?? page.features.length;
      await this.#update();
    } catch {
      // the count only informs: the request itself reports what is wrong
    }
  }

  async #submit(): Promise<void> {
    const { state } = this.#store;
    if (state.area === undefined) return;
    const body = processRequest(state, state.area, this.#choice());
    this.#send.disabled = true;
    try {
      await this.#delivery.order(body, this.#asJob.checked);
    } finally {
      this.#send.disabled = false;
    }
  }
}

function field(text: string, id: string, control: HTMLElement): HTMLElement {
  return h("div", { class: "field" }, h("label", { for: id }, text), control);
}
