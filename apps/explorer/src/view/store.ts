import { batch, computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { ANALYSIS_MEMBERS } from "./analysis-view.ts";
import { COMPARE_MEMBERS } from "./compare-view.ts";
import type { ViewState } from "./view.ts";

type Signals = { readonly [K in keyof ViewState]-?: Signal<ViewState[K]> };

/** Members of the view, each in a signal of its own: what reads one is run again when that one changes. */
const MEMBERS = [
  "preset",
  "collection",
  "custom",
  "from",
  "to",
  "cloud",
  "scene",
  "tab",
  "card",
  "opacity",
  "relief",
  "names",
  "map",
  "area",
  ...COMPARE_MEMBERS,
  ...ANALYSIS_MEMBERS,
] as const;

/**
 * Holds the view. Components and effects read `store.view.preset.value` and follow its changes; everything that changes
 * the view calls {@link Store.set}.
 */
export class Store {
  readonly view: Signals;
  /** The whole view; runs what reads it again after every change. */
  readonly whole: ReadonlySignal<ViewState>;

  constructor(state: ViewState) {
    this.view = Object.fromEntries(MEMBERS.map((name) => [name, signal(state[name])])) as unknown as Signals;
    this.whole = computed(
      () =>
        Object.fromEntries(
          MEMBERS.map((name) => [name, this.view[name].value] as const).filter(([, value]) => value !== undefined),
        ) as unknown as ViewState,
    );
  }

  /** The view as it is now; what reads it is not run again when it changes. */
  get state(): ViewState {
    return untracked(() => this.whole.value);
  }

  /** Changes members; what follows them is run once, when all are set. */
  set(change: Partial<ViewState>): void {
    batch(() => {
      for (const [name, value] of Object.entries(change)) {
        (this.view[name as keyof ViewState] as Signal<unknown>).value = value;
      }
    });
  }

  /**
   * Runs `listener` after changes of one of `names`, not at once.
   *
   * @returns a function that ends it
   */
  on(names: readonly (keyof ViewState)[], listener: (state: ViewState, before: ViewState) => void): () => void {
    let before: ViewState | undefined;
    return effect(() => {
      for (const name of names) void this.view[name].value;
      const { state } = this;
      const last = before;
      before = state;
      if (last !== undefined) untracked(() => listener(state, last));
    });
  }
}
