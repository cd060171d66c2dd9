import { effect } from "@preact/signals";
import { debounced } from "../ui/debounced.ts";
import { ANALYSIS_MEMBERS } from "../view/analysis-view.ts";
import { hasClouds } from "../view/bands.ts";
import { COMPARE_MEMBERS } from "../view/compare-view.ts";
import { shownOf, unknownPresets } from "../view/shown.ts";
import { formatState, parseState, type ViewState } from "../view/view.ts";
import type { Explorer } from "./explorer.ts";

/** An address says all of a view: what it does not name is gone. */
const NO_TOOLS = Object.fromEntries([...ANALYSIS_MEMBERS, ...COMPARE_MEMBERS].map((name) => [name, undefined]));

/** Time without changes after which the view is written to the address bar, milliseconds. */
const WRITE_MS = 200;

/** Fields of an address that change little by little: they make no entry of their own in the history. */
const GRADUAL = /^(map|opacity|swipe|day)=/;

const stepOf = (hash: string): string =>
  hash
    .split("&")
    .filter((field) => !GRADUAL.test(field))
    .join("&");

/** The view that an address means, where another one is shown. */
function viewOf({ store, knownPresets: presets, collections }: Explorer, hash: string): Partial<ViewState> {
  const change = parseState(hash);
  const shown = shownOf(presets, collections, { ...store.state, ...change });
  return {
    scene: undefined,
    area: undefined,
    custom: undefined,
    card: undefined,
    cloud: 100,
    opacity: 100,
    relief: undefined,
    names: undefined,
    tab: "scenes",
    ...NO_TOOLS,
    ...change,
    ...(shown === undefined ? {} : { preset: shown.preset.id, collection: shown.collection.id }),
    ...(shown?.custom === undefined ? {} : { custom: shown.custom }),
    ...(shown === undefined || hasClouds(shown.collection) ? {} : { cloud: 100 }),
  };
}

/**
 * Keeps the address bar and the view the same. What is chosen makes an entry in the history, so that Back and Forward
 * walk the views; where the map is moved, the last entry is written anew.
 */
export function followAddress(explorer: Explorer): void {
  const { store } = explorer;
  let written = location.hash.replace(/^#/, "");
  let isStep = false;
  const write = debounced(WRITE_MS, () => {
    const text = formatState(store.state);
    const isNew = isStep && stepOf(text) !== stepOf(written);
    // the first view, and one that came from the address, are where the history is already
    isStep = true;
    if (text === written) return;
    written = text;
    if (isNew) history.pushState(null, "", `#${text}`);
    else history.replaceState(null, "", `#${text}`);
  });
  effect(() => {
    void store.whole.value;
    write();
  });
  addEventListener("hashchange", () => {
    const hash = location.hash.replace(/^#/, "");
    if (hash === written) return;
    written = hash;
    isStep = false;
    const show = (): void => {
      if (hash !== written) return;
      store.set(viewOf(explorer, hash));
      write();
    };
    const wanted = unknownPresets(explorer.knownPresets, parseState(hash));
    if (wanted.length === 0) show();
    else void explorer.further.find(wanted).then(show);
  });
}
