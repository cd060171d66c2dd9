import "./styles/index.css";
import { Api, type Collection, type Preset } from "./api.ts";
import { presetDays } from "./days.ts";
import { h } from "./dom.ts";
import { startExplorer } from "./explorer.ts";
import { sessionKeys } from "./keys.ts";
import { problemCard, problemFrom } from "./problems.ts";
import { parseState, Store } from "./state.ts";

/** Zoom the page opens with over the middle of a collection. */
const OPENING_ZOOM = 9;

/** Reads what the service has, and opens the view that the address names, else one where there is something to see. */
async function main(root: HTMLElement): Promise<void> {
  const keys = sessionKeys();
  const api = new Api(new URL("/", location.href), keys);
  root.replaceChildren(h("p", { class: "opening", role: "status" }, "Opening …"));
  try {
    const [{ presets }, { collections }] = await Promise.all([
      api.json<{ presets: Preset[] }>("v1/presets", { keyed: false }),
      api.json<{ collections: Collection[] }>("v1/collections", { keyed: false }),
    ]);
    const wanted = parseState(location.hash);
    const preset = presets.find(({ id }) => id === wanted.preset) ?? presets[0];
    const collection =
      collections.find(({ id }) => id === wanted.collection) ??
      collections.find(({ id }) => id === preset?.collection) ??
      collections[0];
    if (preset === undefined || collection === undefined)
      throw new Error("The service has no presets or no collections.");
    const days = presetDays(preset.defaultWindow, collection.extent.temporal.interval[0] ?? [], Date.now());
    const [west, south, east, north] = collection.extent.spatial.bbox[0] ?? [-20, 30, 40, 60];
    const isSmall = east - west < 20;
    const store = new Store({
      cloud: 100,
      tab: "scenes",
      map: isSmall
        ? { zoom: OPENING_ZOOM, lat: (south + north) / 2, lon: (west + east) / 2 }
        : { zoom: 4, lat: 45, lon: 12 },
      ...days,
      ...wanted,
      preset: preset.id,
      collection: collection.id,
    });
    startExplorer({ root, api, keys, store, presets, collections });
  } catch (error) {
    const again = h("button", { type: "button", class: "primary" }, "Try again");
    again.addEventListener("click", () => void main(root));
    root.replaceChildren(h("div", { class: "opening" }, problemCard(problemFrom(error)), again));
  }
}

const root = document.getElementById("app");
if (root !== null) void main(root);
