import type { Store } from "@swath/store";
import { type MapLookup, mapLookup } from "./map-lookup.ts";
import { type MapTokens, storedMapTokens } from "./map-tokens.ts";

/** Map tokens: addresses of images that work by themselves. */
export interface Maps {
  readonly tokens: MapTokens;
  readonly lookup: MapLookup;
}

/** Opens the map tokens of a store whose tables are there. */
export function openMaps(store: Store, now: () => number = Date.now): Maps {
  return { tokens: storedMapTokens(store, now), lookup: mapLookup(store, now) };
}
