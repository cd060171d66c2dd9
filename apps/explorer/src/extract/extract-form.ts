import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { utmEpsg } from "@swath/raster";
import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import { areaBbox, ringOf } from "../geometry/area.ts";
import type { Explorer } from "../state/explorer.ts";
import { debounced } from "../ui/debounced.ts";
import { finestPixel, presetBands } from "../view/bands.ts";
import type { Order } from "../view/data-filter.ts";
import { type ExtractChoice, MAX_SCENES, type Size, sizeOf, UNITS, type Units } from "./extract-plan.ts";

const METRES = [10, 20, 30, 60, 100, 250, 500, 1000];
/** Time without changes after which the size is computed, and after which scenes are counted, milliseconds. */
const SIZE_MS = 150;
const COUNT_MS = 300;

/** The size of what the form asks for. */
export type FormSize =
  | { readonly kind: "none" }
  | { readonly kind: "no bands" }
  | { readonly kind: "size"; readonly size: Size }
  | { readonly kind: "problem"; readonly problem: Problem };

/** The choices of the form, what can be chosen, and the size that follows. */
export class ExtractForm {
  readonly #explorer: Explorer;
  readonly bands: Signal<readonly string[]> = signal([]);
  readonly resolution: Signal<number> = signal(10);
  /** The projection: the UTM zone of the area, or the one chosen. */
  readonly crs: Signal<"utm" | 3857 | 4326> = signal("utm");
  readonly units: Signal<Units> = signal<Units>("REFLECTANCE");
  readonly order: Signal<Order> = signal<Order>("leastCC");
  /** Scenes of these dates over the area; absent: not counted. */
  readonly scenes: Signal<number | undefined> = signal(undefined);
  readonly size: Signal<FormSize> = signal<FormSize>({ kind: "none" });
  readonly zone: ReadonlySignal<number>;
  readonly resolutions: ReadonlySignal<readonly number[]>;
  readonly offered: ReadonlySignal<readonly Units[]>;
  readonly choice: ReadonlySignal<ExtractChoice>;
  #turn = 0;
  #abort = new AbortController();

  constructor(explorer: Explorer) {
    this.#explorer = explorer;
    const { store, collection, preset } = explorer;
    this.zone = computed(() => {
      const area = store.view.area.value;
      if (area === undefined) return utmEpsg(0, 0);
      const [west, south, east, north] = areaBbox(area);
      return utmEpsg((west + east) / 2, (south + north) / 2);
    });
    this.resolutions = computed(() => METRES.filter((metres) => metres >= finestPixel(collection.value)));
    this.offered = computed(() =>
      (Object.keys(UNITS) as Units[]).filter((id) => collection.value["svc:units"]?.includes(id) === true),
    );
    this.choice = computed(() => {
      const chosen = this.bands.value;
      // bands of a preset come in its order, which is the order they are shown in
      const first = presetBands(collection.value, preset.value).filter((name) => chosen.includes(name));
      const crs = this.crs.value;
      return {
        bands: first.length === chosen.length ? first : chosen,
        epsg: crs === "utm" ? this.zone.value : crs,
        resolution: this.resolution.value,
        units: this.units.value,
        order: this.order.value,
      };
    });
  }

  /** Follows the view; returns a function that ends it. */
  follow(): () => void {
    const { store, collection, preset } = this.#explorer;
    const measure = debounced(SIZE_MS, () => void this.#measure());
    const count = debounced(COUNT_MS, () => void this.#count());
    const ends = [
      effect(() => {
        this.resolution.value = this.resolutions.value[0] ?? 10;
        const [first] = this.offered.value;
        if (!this.offered.value.includes(this.units.peek()) && first !== undefined) this.units.value = first;
      }),
      effect(() => {
        this.bands.value = presetBands(collection.value, preset.value);
      }),
      effect(() => {
        void [this.choice.value, this.scenes.value, store.view.area.value, store.view.scene.value];
        measure();
      }),
      effect(() => {
        const { area, from, to, cloud, scene } = store.view;
        void [area.value, from.value, to.value, cloud.value, scene.value, collection.value, preset.value];
        this.scenes.value = undefined;
        count();
      }),
      measure.cancel,
      count.cancel,
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  async #measure(): Promise<void> {
    const turn = ++this.#turn;
    const size = await this.#sizeNow();
    if (turn === this.#turn) this.size.value = size;
  }

  async #sizeNow(): Promise<FormSize> {
    const { area, scene } = this.#explorer.store.state;
    const choice = untracked(() => this.choice.value);
    if (area === undefined) return { kind: "none" };
    if (choice.bands.length === 0) return { kind: "no bands" };
    const scenes = scene !== undefined ? 1 : Math.min(MAX_SCENES, this.scenes.peek() ?? MAX_SCENES);
    try {
      const { spanIn } = await import("../values/pixels.ts");
      return { kind: "size", size: sizeOf(spanIn(choice.epsg, areaBbox(area)), choice, scenes) };
    } catch (error) {
      return { kind: "problem", problem: problemFrom(error) };
    }
  }

  async #count(): Promise<void> {
    const { api, asked } = this.#explorer;
    const { area, scene, collection, from, to, cloud } = asked.peek();
    if (area === undefined || scene !== undefined) return;
    this.#abort.abort();
    this.#abort = new AbortController();
    const body = {
      collections: [collection],
      intersects: { type: "Polygon", coordinates: [ringOf(area)] },
      datetime: `${from}/${to}`,
      limit: 1,
      fields: { include: ["id"] },
      ...(cloud === 100 ? {} : { query: { "eo:cloud_cover": { lte: cloud } } }),
    };
    try {
      const page = await api.search(body, this.#abort.signal);
      this.scenes.value = page.numberMatched ?? page.features.length;
    } catch {
      // the count only informs: the request itself reports what is wrong
    }
  }
}
