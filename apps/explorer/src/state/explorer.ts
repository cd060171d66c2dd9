import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { Person } from "../api/person.ts";
import type { BaseMap, Collection, Item, Preset } from "../api/types.ts";
import type { Point } from "../geometry/area.ts";
import type { MapPort } from "../map/port.ts";
import { customPreset } from "../view/custom-preset.ts";
import { isDateless, presetDays } from "../view/days.ts";
import { type RightSide, rightSide } from "../view/right-side.ts";
import type { Store } from "../view/store.ts";
import { CLICK_TOOLS, CUSTOM, type ViewState } from "../view/view.ts";
import type { FurtherPresets } from "./further-presets.ts";
import { Notices } from "./notices.ts";
import { SceneSearch } from "./scene-search.ts";

export interface ExplorerParts {
  readonly api: Api;
  readonly person: Person;
  /** Whether the service has accounts, and with them guests. */
  readonly hasAccounts: boolean;
  /** Whether the archive is made up, and so is its country. */
  readonly isSynthetic: boolean;
  /** The owner's base map; absent: the page's own. */
  readonly baseMap?: BaseMap | undefined;
  readonly store: Store;
  readonly presets: readonly Preset[];
  readonly further: FurtherPresets;
  readonly collections: readonly Collection[];
}

/** The state that all components share: the service's documents, the view, the map and the scenes found. Rooms get it by {@link useExplorer}. */
export class Explorer {
  readonly api: Api;
  readonly person: Person;
  readonly hasAccounts: boolean;
  readonly isSynthetic: boolean;
  readonly baseMap: BaseMap | undefined;
  /** Whether names are shown unless the reader says: where the land is real, or the owner has a base map. */
  readonly showsNames: boolean;
  readonly store: Store;
  /** The presets that the service lists first. */
  readonly presets: readonly Preset[];
  /** Those that it lists after them. */
  readonly further: FurtherPresets;
  readonly collections: readonly Collection[];
  readonly notices = new Notices();
  readonly scenes: SceneSearch;
  /** The map; absent until it is loaded. */
  readonly map: Signal<MapPort | undefined> = signal(undefined);
  readonly preset: ReadonlySignal<Preset>;
  readonly collection: ReadonlySignal<Collection>;
  /** Whether the days that are chosen say nothing about what is shown, as with elevation. */
  readonly isDateless: ReadonlySignal<boolean>;
  /** The view with the days that requests have: all of the collection's, where those that are chosen say nothing. */
  readonly asked: ReadonlySignal<ViewState>;
  /** The view that the imagery shows: that of one day, while the timeline shows days one by one. */
  readonly drawn: ReadonlySignal<ViewState>;
  /** The image that the view is compared with; absent: none. */
  readonly right: ReadonlySignal<RightSide | undefined>;
  /** Whether names of places are shown. */
  readonly hasNames: ReadonlySignal<boolean>;
  /** The item of the scene that is shown alone; absent where the mosaic is shown, or the item is not known yet. */
  readonly shown: Signal<Item | undefined> = signal(undefined);
  /** Whether a tool takes the centre of the map by key, which is marked then. */
  readonly isAiming: Signal<boolean> = signal(false);
  /** Whether there is something to see: without guests there is nothing without a key. */
  readonly canSee: Signal<boolean>;
  /** Counts redraws of the imagery that nothing in the view causes, such as a key that was given. */
  readonly redraws: Signal<number> = signal(0);
  /** Whose the clicks on the map are: `scenes` chooses scenes, otherwise the name of a tab or card. */
  readonly clicks: ReadonlySignal<string>;
  #kept: { readonly tool: string; readonly at: Point } | undefined;

  constructor(parts: ExplorerParts) {
    const { api, person, hasAccounts, isSynthetic, baseMap, store, presets, further, collections } = parts;
    this.api = api;
    this.person = person;
    this.hasAccounts = hasAccounts;
    this.isSynthetic = isSynthetic;
    this.baseMap = baseMap;
    this.showsNames = !isSynthetic || baseMap !== undefined;
    this.store = store;
    this.presets = presets;
    this.further = further;
    this.collections = collections;
    this.scenes = new SceneSearch(api);
    this.canSee = signal(hasAccounts || api.credentials.hasOwn);
    const { preset, collection, custom, tab, card } = store.view;
    this.collection = computed(
      () => collections.find(({ id }) => id === collection.value) ?? (collections[0] as Collection),
    );
    this.preset = computed(() =>
      preset.value === CUSTOM
        ? customPreset(custom.value, this.collection.value)
        : (this.knownPresets.find(({ id }) => id === preset.value) ?? (presets[0] as Preset)),
    );
    const interval = computed(() => this.collection.value.extent.temporal.interval[0] ?? []);
    this.isDateless = computed(() => isDateless(store.whole.value, this.preset.value, interval.value));
    this.asked = computed(() =>
      this.isDateless.value
        ? { ...store.whole.value, ...presetDays(undefined, interval.value, Date.now()) }
        : store.whole.value,
    );
    this.drawn = computed(() => {
      const { card, day } = store.whole.value;
      const isOneDay = card === "timeline" && day !== undefined;
      return isOneDay ? { ...this.asked.value, scene: undefined, from: day, to: day } : this.asked.value;
    });
    this.right = computed(() => {
      const left = {
        preset: this.preset.value,
        collection: this.collection.value,
        presets: this.knownPresets,
        collections,
      };
      return rightSide(store.whole.value, left, Date.now());
    });
    this.hasNames = computed(() => store.view.names.value ?? this.showsNames);
    this.clicks = computed(() => {
      const open = card.value;
      if (open !== undefined && CLICK_TOOLS.has(open)) return open;
      return CLICK_TOOLS.has(tab.value) ? tab.value : "scenes";
    });
  }

  /** All presets that are known by now. */
  get knownPresets(): readonly Preset[] {
    return [...this.presets, ...this.further.known.value];
  }

  /** Shows a scene alone; the mosaic where there is none. */
  choose(item: Item | undefined): void {
    batch(() => {
      this.shown.value = item;
      this.store.set({ scene: item?.id });
    });
  }

  /** Keeps a click on the map for the tool whose the clicks are: its code may still be on its way. `undefined`: forgets it. */
  keepClick(at: Point | undefined): void {
    this.#kept = at === undefined ? undefined : { tool: this.clicks.peek(), at };
  }

  /** Takes the click that was kept for a tool, once. */
  takeClick(tool: string): Point | undefined {
    const kept = this.#kept;
    if (kept?.tool !== tool) return undefined;
    this.#kept = undefined;
    return kept.at;
  }

  /** Prompts for a key and draws with it; what is shown stays where none is given. */
  async useKey(): Promise<void> {
    try {
      await this.api.credentials.ask();
    } catch {
      return;
    }
    this.notices.clear();
    batch(() => {
      this.canSee.value = true;
      this.redraws.value += 1;
      this.scenes.forget();
    });
  }
}

export const ExplorerContext = createContext<Explorer | undefined>(undefined);

/** The explorer around a component. */
export function useExplorer(): Explorer {
  const explorer = useContext(ExplorerContext);
  if (explorer === undefined) throw new Error("A component of the explorer is used outside of it.");
  return explorer;
}
