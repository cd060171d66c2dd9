import { computed, effect, untracked } from "@preact/signals";
import { problemFrom } from "../api/problem-from.ts";
import type { Item } from "../api/types.ts";
import { ringOf } from "../geometry/area.ts";
import { flatBox, imageryOf, reliefOf, touches } from "../map/imagery-of.ts";
import type { MapPort, OverlayLayer } from "../map/port.ts";
import { mosaicOrder } from "../scenes/mosaic-order.ts";
import type { Explorer } from "../state/explorer.ts";
import { openingPlace } from "../state/opening-place.ts";
import { debounced } from "../ui/debounced.ts";
import type { FirstImages } from "./first-images.ts";

/** Time without changes after which the scenes in view are searched, milliseconds. */
const SEARCH_MS = 350;

/** Sentences about what is missing of the owner's base map. */
const BASE_FAULTS = {
  all: "The base map could not be loaded: the page shows its own outlines.",
  parts: "Parts of the base map could not be loaded.",
} as const;

/** Layers of the drawn area. */
const AREA: readonly OverlayLayer[] = [
  { type: "fill", paint: ({ chosen }) => ({ "fill-color": chosen, "fill-opacity": 0.06 }) },
  { type: "line", paint: ({ halo }) => ({ "line-color": halo, "line-width": 5, "line-opacity": 0.7 }) },
  { type: "line", paint: ({ chosen }) => ({ "line-color": chosen, "line-width": 2 }) },
];

/** Loads the map into its element and lets it follow the view. */
export async function startMap(explorer: Explorer, container: HTMLElement, images: FirstImages): Promise<void> {
  const { api, store } = explorer;
  const hasPlace = store.state.map !== undefined;
  try {
    await images.first;
    const { openMap } = await import("../map/maplibre/map.ts");
    const view = store.state.map ?? openingPlace(explorer.collection.value);
    const map = await openMap({
      container,
      view,
      load: (url, signal) => images.take(url) ?? api.send(url, { need: "images", signal }),
      base: explorer.baseMap,
      onBaseFault: (missing) => explorer.notices.say(BASE_FAULTS[missing]),
    });
    // a place may have been chosen while the map was opened
    const wanted = store.state.map ?? view;
    if (wanted !== view) map.jumpTo(wanted);
    watchFaults(explorer, map);
    followView(explorer, map);
    goToScene(explorer, map, hasPlace);
    showImagery(explorer, map);
    showReference(explorer, map);
    showFootprints(explorer, map);
    showArea(explorer, map);
    pickScenes(explorer, map);
    searchScenes(explorer, map);
    warnOfZoom(explorer, map);
    images.leaveTo(map);
    explorer.map.value = map;
  } catch (error) {
    images.end();
    explorer.notices.report(problemFrom(error));
  }
}

/** Shows what could not be loaded, until all of it is. */
function watchFaults({ notices, redraws }: Explorer, map: MapPort): void {
  const again = (): void => {
    notices.clear();
    redraws.value += 1;
  };
  map.on("error", (problem) => {
    if (problem.status !== 404) notices.report(problem, again);
  });
  map.on("whole", () => notices.recover());
}

/** Keeps the place of the view and that of the map the same. */
function followView({ store }: Explorer, map: MapPort): void {
  let written = store.state.map;
  effect(() => {
    const view = map.view.value;
    written = view;
    store.set({ map: view });
  });
  effect(() => {
    const wanted = store.view.map.value;
    if (wanted === undefined || wanted === untracked(() => written)) return;
    map.jumpTo(wanted);
  });
}

/** Goes to a scene that is shown alone and lies out of view. */
function goToScene({ shown }: Explorer, map: MapPort, hasPlace: boolean): void {
  let mayStay = hasPlace;
  effect(() => {
    const item = shown.value;
    if (item === undefined) return;
    const box = flatBox(item.bbox);
    if (
      !mayStay ||
      !touches(
        box,
        untracked(() => map.bbox.value),
      )
    )
      map.fit(box);
    mayStay = true;
  });
}

function showImagery({ api, store, drawn, preset, collection, shown, redraws, canSee }: Explorer, map: MapPort): void {
  // what does not change the address does not draw the map anew
  const wanted = computed(() => {
    const imagery = imageryOf(api.base.href, drawn.value, preset.value, collection.value, shown.value);
    return imagery === undefined ? undefined : JSON.stringify(imagery);
  });
  effect(() => {
    void redraws.value;
    if (canSee.value && wanted.value !== undefined) map.showImagery(JSON.parse(wanted.value));
  });
  effect(() => map.setOpacity(store.view.opacity.value / 100));
}

/** Shows what lies below and above the imagery: a relief, borders and names. */
function showReference({ api, store, presets, collections, hasNames, canSee }: Explorer, map: MapPort): void {
  effect(() => map.showNames(hasNames.value));
  effect(() => {
    const isShown = canSee.value && store.view.relief.value === true;
    map.showRelief(isShown ? reliefOf(api.base.href, presets, collections) : undefined);
  });
}

function showFootprints({ scenes, shown, store }: Explorer, map: MapPort): void {
  const items = computed(() => {
    const found = scenes.found.value?.items ?? [];
    const alone = shown.value;
    return alone === undefined || found.some(({ id }) => id === alone.id) ? found : [...found, alone];
  });
  effect(() => {
    map.showFootprints(items.value);
    map.chooseFootprint(store.view.scene.value);
  });
  effect(() => map.hoverFootprint(scenes.hovered.value));
}

function showArea({ store }: Explorer, map: MapPort): void {
  const overlay = map.overlay("area", AREA);
  effect(() => {
    const area = store.view.area.value;
    const coordinates = area === undefined ? [] : [ringOf(area).map(([lon, lat]) => [lon, lat])];
    overlay.set(
      area === undefined ? [] : [{ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates } }],
    );
  });
}

/** Lets clicks choose scenes, and the pointer mark them, while no tool takes the clicks. */
function pickScenes(explorer: Explorer, map: MapPort): void {
  const { scenes, store, clicks } = explorer;
  const found = (ids: readonly string[]): Item[] => scenes.items.filter(({ id }) => ids.includes(id));
  effect(() => {
    const isPicking = clicks.value === "scenes";
    explorer.keepClick(undefined);
    map.cursor(isPicking ? "" : "crosshair");
    if (!isPicking) scenes.hovered.value = undefined;
  });
  map.on("click", (event) => {
    if (clicks.value !== "scenes") {
      explorer.keepClick(event.at);
      return;
    }
    const items = mosaicOrder(found(event.scenes), explorer.preset.value);
    // a further click on the same point selects the scene below
    const at = items.findIndex(({ id }) => id === store.state.scene);
    const item = items[(at + 1) % items.length];
    if (item !== undefined) explorer.choose(item);
  });
  map.on("move", (event) => {
    if (clicks.value !== "scenes") return;
    const id = mosaicOrder(found(event.scenes), explorer.preset.value)[0]?.id;
    map.cursor(id === undefined ? "" : "pointer");
    scenes.hovered.value = id;
  });
  map.on("leave", () => {
    if (clicks.value === "scenes") scenes.hovered.value = undefined;
  });
}

/** Searches the scenes in view, at once and after changes. */
function searchScenes({ scenes, store, asked, canSee }: Explorer, map: MapPort): void {
  const search = (): void => void scenes.search(asked.value, map.bbox.value);
  const later = debounced(SEARCH_MS, search);
  let isFirst = true;
  effect(() => {
    const { preset, collection, from, to, cloud } = store.view;
    void [preset.value, collection.value, from.value, to.value, cloud.value, map.bbox.value, scenes.turn.value];
    if (!canSee.value) return;
    if (isFirst) untracked(search);
    else later();
    isFirst = false;
  });
}

/** Says that one has to zoom in where the map shows too much for imagery. */
function warnOfZoom({ api, notices, drawn, preset, collection, shown }: Explorer, map: MapPort): void {
  // raster tiles of 256 pixels are shown from one zoom below their own
  const isTooFar = computed(() => {
    const imagery = imageryOf(api.base.href, drawn.value, preset.value, collection.value, shown.value);
    return imagery !== undefined && map.view.value.zoom < imagery.minzoom - 1;
  });
  let was = false;
  effect(() => {
    const is = isTooFar.value;
    if (is) notices.say("Zoom in to see scenes.");
    else if (was) notices.clear();
    was = is;
  });
}
