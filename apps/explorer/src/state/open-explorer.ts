import { Api } from "../api/api.ts";
import { Credentials, type KeyQuestion } from "../api/credentials.ts";
import { Guest } from "../api/guest.ts";
import type { Person } from "../api/person.ts";
import { isOwn, memoryOf } from "../api/service-address.ts";
import type { BaseMap, Collection, Landing, Link, Preset } from "../api/types.ts";
import { hasClouds, withMemberBands } from "../view/bands.ts";
import { presetDays } from "../view/days.ts";
import { shownOf, unknownPresets } from "../view/shown.ts";
import { Store } from "../view/store.ts";
import { type MapView, parseState, type ViewState } from "../view/view.ts";
import { Explorer } from "./explorer.ts";
import { FurtherPresets } from "./further-presets.ts";
import { isWide, openingPlace, placeOver } from "./opening-place.ts";

/** Percent of cloud below which a scene shows the ground. */
const FEW_CLOUDS = 20;
/** Wait for the place of the newest scene, milliseconds: the page opens without it then. */
const PLACE_MS = 3000;

interface Documents {
  readonly presets: readonly Preset[];
  readonly further: FurtherPresets;
  readonly collections: readonly Collection[];
  readonly hasAccounts: boolean;
  readonly isSynthetic: boolean;
  readonly baseMap: BaseMap | undefined;
}

type Ask = (question: KeyQuestion) => Promise<string | undefined>;

async function readDocuments(api: Api): Promise<Documents> {
  const [{ presets, links }, { collections }, landing] = await Promise.all([
    api.json<{ presets: Preset[]; links: Link[] }>("v1/presets", { need: "documents" }),
    api.json<{ collections: Collection[] }>("v1/collections", { need: "documents" }),
    api.json<Landing>("v1", { need: "documents" }),
  ]);
  return {
    presets,
    further: new FurtherPresets(api, links),
    collections: collections.map((each) => withMemberBands(each, collections)),
    hasAccounts: landing.links.some(({ rel }) => rel === "account"),
    isSynthetic: landing["svc:synthetic"] === true,
    baseMap: landing["svc:basemap"],
  };
}

/** The view that the address names, else one where there is something to see. */
function openingView({ presets, further, collections }: Documents, wanted: Partial<ViewState>, now: number): ViewState {
  const shown = shownOf([...presets, ...further.known.value], collections, wanted);
  if (shown === undefined) throw new Error("The service has no collections.");
  const { preset, collection, custom } = shown;
  const days = presetDays(preset.defaultWindow, collection.extent.temporal.interval[0] ?? [], now);
  return {
    cloud: 100,
    tab: "scenes",
    opacity: 100,
    // a scene without a place is shown where it is
    ...(wanted.scene === undefined ? { map: openingPlace(collection) } : {}),
    ...days,
    ...wanted,
    ...(custom === undefined ? {} : { custom }),
    preset: preset.id,
    collection: collection.id,
    ...(hasClouds(collection) ? {} : { cloud: 100 }),
  };
}

/**
 * Where a collection has data: over its newest scene with few clouds, where it is too wide to be shown from its middle.
 *
 * @returns undefined where the service does not say so in time
 */
async function placeOfData(
  api: Api,
  collection: Collection,
  days: Pick<ViewState, "from" | "to">,
): Promise<MapView | undefined> {
  const body = {
    collections: [collection.id],
    datetime: `${days.from}/${days.to}`,
    // ice and open sea show little
    bbox: [-180, -55, 180, 70],
    limit: 1,
    ...(hasClouds(collection) ? { query: { "eo:cloud_cover": { lte: FEW_CLOUDS } } } : {}),
  };
  try {
    const { features } = await api.search(body, AbortSignal.timeout(PLACE_MS));
    const [item] = features;
    if (item === undefined) return undefined;
    return placeOver(item.bbox, collection);
  } catch {
    return undefined;
  }
}

/** Reads what the service has, and opens the view that the address names. */
export async function openExplorer(base: URL, person: Person, ask: Ask): Promise<Explorer> {
  const documents = await readDocuments(new Api(base, new Credentials({ person, ask })));
  const { presets, further, collections, hasAccounts, isSynthetic, baseMap } = documents;
  const wanted = parseState(location.hash);
  await further.find(unknownPresets(presets, wanted));
  const guest = new Guest({
    request: () => fetch(new URL("v1/guest", base), { method: "POST" }),
    memory: memoryOf(base),
    isElsewhere: !isOwn(base),
  });
  const credentials = new Credentials({ person, ask, ...(hasAccounts ? { guest } : {}) });
  const api = new Api(base, credentials);
  const view = openingView(documents, wanted, Date.now());
  const collection = collections.find(({ id }) => id === view.collection);
  const isPlaced = wanted.map !== undefined || view.scene !== undefined;
  const maySearch = hasAccounts || credentials.hasOwn;
  const place =
    collection !== undefined && !isPlaced && maySearch && isWide(collection)
      ? await placeOfData(api, collection, view)
      : undefined;
  const store = new Store({ ...view, ...(place === undefined ? {} : { map: place }) });
  return new Explorer({ api, person, hasAccounts, isSynthetic, baseMap, store, presets, further, collections });
}
