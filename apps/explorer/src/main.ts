import "./styles/index.css";
import { takeFromAddress } from "./address-field.ts";
import { Api, type Collection, type Landing, type Preset } from "./api.ts";
import { hasClouds, withMemberBands } from "./bands.ts";
import { Credentials } from "./credentials.ts";
import { presetDays } from "./days.ts";
import { h } from "./dom.ts";
import { startExplorer } from "./explorer.ts";
import { Guest } from "./guest.ts";
import { askForKey } from "./key-dialog.ts";
import { Person } from "./person.ts";
import { problemCard, problemFrom } from "./problems.ts";
import { shownOf } from "./shown.ts";
import { parseState, Store } from "./state.ts";

/** Zoom the page opens with over the middle of a collection. */
const OPENING_ZOOM = 9;

/** Reads what the service has, and opens the view that the address names, else one where there is something to see. */
async function main(root: HTMLElement): Promise<void> {
  const base = new URL("/", location.href);
  const person = new Person();
  const brought = takeFromAddress("key");
  if (brought !== undefined) person.key = brought;
  const documents = new Api(base, new Credentials({ person, ask: askForKey }));
  root.replaceChildren(h("p", { class: "opening", role: "status" }, "Opening …"));
  try {
    const [{ presets }, { collections: served }, landing] = await Promise.all([
      documents.json<{ presets: Preset[] }>("v1/presets", { need: "documents" }),
      documents.json<{ collections: Collection[] }>("v1/collections", { need: "documents" }),
      documents.json<Landing>("v1", { need: "documents" }),
    ]);
    const collections = served.map((each) => withMemberBands(each, served));
    const hasAccounts = landing.links.some(({ rel }) => rel === "account");
    const guest = new Guest({ request: () => fetch(new URL("v1/guest", base), { method: "POST" }) });
    const credentials = new Credentials({ person, ask: askForKey, ...(hasAccounts ? { guest } : {}) });
    const wanted = parseState(location.hash);
    const shown = shownOf(presets, collections, wanted);
    if (shown === undefined) throw new Error("The service has no presets or no collections.");
    const { preset, collection } = shown;
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
      ...(hasClouds(collection) ? {} : { cloud: 100 }),
    });
    startExplorer({ root, api: new Api(base, credentials), person, hasAccounts, store, presets, collections });
  } catch (error) {
    const again = h("button", { type: "button", class: "primary" }, "Try again");
    again.addEventListener("click", () => void main(root));
    root.replaceChildren(h("div", { class: "opening" }, problemCard(problemFrom(error)), again));
  }
}

// an address with a key may be opened in a tab that shows the page already
addEventListener("hashchange", () => {
  const key = takeFromAddress("key");
  if (key === undefined) return;
  new Person().key = key;
  location.reload();
});
const root = document.getElementById("app");
if (root !== null) void main(root);
