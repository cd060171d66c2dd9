import type { Api, Collection, Item, Preset } from "./api.ts";
import type { Problem } from "./api-error.ts";
import { hasClouds } from "./bands.ts";
import { caption, creditLine } from "./caption.ts";
import { controls } from "./controls.ts";
import { debounced, h } from "./dom.ts";
import { Drawing } from "./draw.ts";
import { ExtractPanel } from "./extract.ts";
import { keyButton } from "./key-button.ts";
import { legend } from "./legend.ts";
import { ExplorerMap } from "./map.ts";
import type { Person } from "./person.ts";
import { Probe } from "./probe.ts";
import { problemCard } from "./problems.ts";
import { SceneList } from "./scenes.ts";
import { shownOf } from "./shown.ts";
import { type Bbox, formatState, parseState, type Store, type Tab } from "./state.ts";
import { tabs } from "./tabs.ts";

export interface Explorer {
  readonly root: HTMLElement;
  readonly api: Api;
  readonly person: Person;
  /** Whether the service has accounts, and with them guests. */
  readonly hasAccounts: boolean;
  readonly store: Store;
  readonly presets: readonly Preset[];
  readonly collections: readonly Collection[];
}

const HINTS: Readonly<Record<Tab, string>> = {
  scenes: "Choose a scene in the list or on the map.",
  values: "Values under the pointer.",
  download: "Draw an area and extract it as a GeoTIFF.",
};

/** Builds the page: each part changes the store, and the store notifies the others. */
export function startExplorer({ root, api, person, hasAccounts, store, presets, collections }: Explorer): void {
  const { credentials } = api;
  const presetOf = (id: string): Preset => presets.find((preset) => preset.id === id) ?? (presets[0] as Preset);
  const collectionOf = (id: string): Collection =>
    collections.find((collection) => collection.id === id) ?? (collections[0] as Collection);

  const mapElement = h("div", { class: "map", id: "map" });
  const notice = h("div", { class: "notice", role: "status", hidden: true });
  const mode = h("div", { class: "mode" });
  const legendSlot = h("div", { class: "legend-slot" });
  const credit = h("p", { class: "credit" });
  const crosshair = h("div", { class: "crosshair", "aria-hidden": "true", hidden: true });
  const panel = h("aside", { class: "panel", "aria-label": "Explorer" });
  const sheet = h("button", {
    type: "button",
    class: "sheet",
    "aria-expanded": "false",
    "aria-controls": "panel-body",
  });
  sheet.append(
    h("span", { class: "grip", "aria-hidden": "true" }),
    h("span", { class: "hidden" }, "Show more of the panel"),
  );
  sheet.addEventListener("click", () => {
    const isTall = root.classList.toggle("tall");
    sheet.setAttribute("aria-expanded", String(isTall));
    map.map.resize();
  });
  const stage = h(
    "main",
    { class: "stage", "aria-label": "Map" },
    mapElement,
    crosshair,
    mode,
    legendSlot,
    notice,
    credit,
  );
  root.replaceChildren(panel, stage);
  // elements above the credit line leave space for all its lines
  new ResizeObserver(() => stage.style.setProperty("--credit", `${credit.offsetHeight}px`)).observe(credit);

  const map = new ExplorerMap(mapElement, store.state.map ?? { zoom: 3, lat: 30, lon: 10 }, {
    onMove: (view) => {
      store.set({ map: view });
      zoomNotice();
      search();
    },
    onError: tileError,
    onScenes: (ids) => {
      // a further click on the same point selects the scene below
      const at = ids.indexOf(store.state.scene ?? "");
      const item = scenes.items.find(({ id }) => id === ids[(at + 1) % ids.length]);
      if (item !== undefined) chooseScene(item);
    },
    onHover: (id) => {
      map.hover(id);
      scenes.hover(id);
    },
    load: (url, signal) => api.send(url, { need: "images", signal }),
  });

  let shownItem: Item | undefined;
  const scenes = new SceneList(api, {
    onChoose: (item) => chooseScene(item.id === store.state.scene ? undefined : item),
    onHover: (id) => map.hover(id),
    onItems: () => {
      showFootprints();
      scenes.choose(store.state.scene);
    },
  });

  function showFootprints(): void {
    const items = scenes.items;
    const isListed = shownItem === undefined || items.some(({ id }) => id === shownItem?.id);
    map.showFootprints(isListed || shownItem === undefined ? items : [...items, shownItem]);
    map.choose(store.state.scene);
  }

  function chooseScene(item: Item | undefined): void {
    shownItem = item;
    store.set({ scene: item?.id });
  }

  const search = debounced(350, () => void scenes.search(store.state, map.bbox));

  function tileError(problem: Problem): void {
    if (problem.status === 404) return;
    const give = h("button", { type: "button", class: "small", onclick: () => void useKey() }, "Use a key");
    showNotice(h("div", {}, problemCard(problem), !credentials.hasOwn && give));
  }

  /** Prompts for a key and draws with it; what is shown stays where none is given. */
  async function useKey(): Promise<void> {
    try {
      await credentials.ask();
    } catch {
      return;
    }
    notice.hidden = true;
    drawImagery();
    scenes.forget();
    search();
  }

  function showNotice(...children: (Node | string)[]): void {
    const close = h("button", { type: "button", class: "close", "aria-label": "Close this message" }, "×");
    close.addEventListener("click", () => {
      notice.hidden = true;
    });
    notice.replaceChildren(...children, close);
    notice.hidden = false;
  }

  const zooms = (): { minzoom: number; maxzoom: number } => {
    const preset = presetOf(store.state.preset);
    const recipe = preset["svc:recipes"]?.[store.state.collection];
    return { minzoom: recipe?.minzoom ?? preset.minzoom, maxzoom: recipe?.maxzoom ?? preset.maxzoom };
  };

  let tooFar = false;
  function zoomNotice(): void {
    // raster tiles of 256 pixels are shown from one zoom below their own
    const isTooFar = map.map.getZoom() < zooms().minzoom - 1;
    if (isTooFar && !tooFar) showNotice("Zoom in to see scenes.");
    else if (!isTooFar && tooFar) notice.hidden = true;
    tooFar = isTooFar;
  }

  function drawImagery(): void {
    const { preset, collection, from, to, scene } = store.state;
    const extent = collectionOf(collection).extent.spatial.bbox[0] ?? [-180, -85, 180, 85];
    const alone = scene === undefined ? undefined : shownItem;
    if (scene !== undefined && alone === undefined) return;
    const query = new URLSearchParams({ collection, datetime: alone?.properties.datetime ?? `${from}/${to}` });
    const bounds: Bbox = alone === undefined ? [extent[0], extent[1], extent[2], extent[3]] : flat(alone.bbox);
    map.showImagery({
      tiles: `${api.base.href}v1/tiles/${preset}/WebMercatorQuad/{z}/{x}/{y}.png?${query}`,
      ...zooms(),
      bounds: bounds[0] > bounds[2] ? [-180, bounds[1], 180, bounds[3]] : bounds,
    });
  }

  function showMode(): void {
    const { state } = store;
    const collection = collectionOf(state.collection);
    mode.replaceChildren(...caption(state, collection, shownItem, () => chooseScene(undefined)));
    credit.textContent = creditLine(state, collection, shownItem);
  }

  /** The item of a scene that the address names. */
  async function findScene(): Promise<void> {
    const { scene, collection } = store.state;
    if (scene === undefined || shownItem?.id === scene) return;
    const known = scenes.items.find(({ id }) => id === scene);
    try {
      shownItem =
        known ??
        (await api.json<Item>(`v1/collections/${collection}/items/${encodeURIComponent(scene)}`, {
          need: "documents",
        }));
    } catch {
      showNotice(`There is no scene ${scene} in this collection; this is the mosaic.`);
      store.set({ scene: undefined });
    }
  }

  const probe = new Probe(api, map, () => ({
    state: store.state,
    collection: collectionOf(store.state.collection),
    items: shownItem === undefined ? scenes.items : [shownItem, ...scenes.items],
  }));
  const help = h("p", { class: "quiet hint" });

  function useTab(tab: Tab): void {
    help.textContent = HINTS[tab];
    probe.activate(tab === "values");
    map.picksScenes(tab === "scenes");
    crosshair.hidden = tab !== "values";
  }

  store.on(["preset", "collection"], (state, before) => {
    const preset = presetOf(state.preset);
    legendSlot.replaceChildren(legend(preset, state.collection));
    if (state.collection !== before.collection && state.scene === before.scene) store.set({ scene: undefined });
  });
  store.on(["preset", "collection", "from", "to", "scene"], () => {
    void findScene().then(() => {
      drawImagery();
      showMode();
      showFootprints();
      scenes.choose(store.state.scene);
      probe.refresh();
    });
  });
  store.on(["collection", "from", "to", "cloud"], search);
  store.on(["area"], (state) => map.showArea(state.area));
  store.on(["tab"], (state) => useTab(state.tab));
  const hasPlace = parseState(location.hash).map !== undefined;
  let written = location.hash.replace(/^#/, "");
  const write = debounced(200, () => {
    written = formatState(store.state);
    history.replaceState(null, "", `#${written}`);
  });
  store.on(["preset", "collection", "from", "to", "cloud", "scene", "tab", "map", "area"], write);
  addEventListener("hashchange", () => {
    if (location.hash === `#${written}`) return;
    const change = parseState(location.hash);
    const shown = shownOf(presets, collections, { ...store.state, ...change });
    const ids = shown === undefined ? {} : { preset: shown.preset.id, collection: shown.collection.id };
    const clouds = shown === undefined || hasClouds(shown.collection) ? {} : { cloud: 100 };
    store.set({ scene: undefined, area: undefined, cloud: 100, tab: "scenes", ...change, ...ids, ...clouds });
    if (change.map !== undefined) map.map.jumpTo({ center: [change.map.lon, change.map.lat], zoom: change.map.zoom });
  });

  legendSlot.replaceChildren(legend(presetOf(store.state.preset), store.state.collection));
  showMode();

  if (store.state.area !== undefined) map.showArea(store.state.area);
  const extract = new ExtractPanel(
    api,
    store,
    (onState) => new Drawing(map, (area) => store.set({ area }), onState),
    () => ({
      collection: collectionOf(store.state.collection),
      preset: presetOf(store.state.preset),
      viewBbox: map.bbox,
    }),
  );
  panel.replaceChildren(
    h(
      "header",
      {},
      h("h1", {}, "Swath"),
      h(
        "nav",
        { "aria-label": "Service" },
        h("a", { href: "/docs" }, "Documentation"),
        hasAccounts && h("a", { href: "/account" }, "Account"),
        keyButton(person, credentials, useKey),
      ),
    ),
    sheet,
    h(
      "div",
      { class: "panel-body", id: "panel-body" },
      controls(store, presets, collections),
      tabs(store, { scenes: [help, scenes.element], values: [probe.element], download: [extract.element] }),
    ),
  );
  useTab(store.state.tab);
  zoomNotice();
  write();
  void begin();

  async function begin(): Promise<void> {
    // without guests there is nothing to see without a key
    if (!credentials.hasOwn && !hasAccounts) await credentials.ask();
    await findScene();
    if (!hasPlace && shownItem !== undefined) map.fit(flat(shownItem.bbox));
    drawImagery();
    showMode();
    await scenes.search(store.state, map.bbox);
  }
}

const flat = (bbox: readonly number[]): Bbox =>
  (bbox.length === 6 ? [bbox[0], bbox[1], bbox[3], bbox[4]] : bbox) as unknown as Bbox;
