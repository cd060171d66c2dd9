import type { Store } from "@swath/store";
import { type MapLookup, mapLookup } from "./map-lookup.ts";
import { type MapTokens, storedMapTokens } from "./map-tokens.ts";
import { MarkedSecrets } from "./marked-secrets.ts";

/** Map tokens: addresses of images that work by themselves. */
export interface Maps {
  readonly tokens: MapTokens;
  readonly lookup: MapLookup;
}

/** Opens the map tokens of a store whose tables are there. */
export function openMaps(store: Store, now: () => number = Date.now): Maps {
  const secrets = new MarkedSecrets(store, now);
  return { tokens: storedMapTokens(store, secrets, now), lookup: mapLookup(store, secrets, now) };
}
