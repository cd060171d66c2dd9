import type { Collection } from "../api/types.ts";
import type { MapView } from "./view.ts";

/** Zoom the page opens with over the middle of a collection. */
export const OPENING_ZOOM = 9;
/** Degrees of longitude beyond which a collection is not shown from its middle. */
const WIDE = 20;

/** Whether a collection is too wide to be shown from its middle. */
export function isWide({ extent }: Pick<Collection, "extent">): boolean {
  const [west = -20, , east = 40] = extent.spatial.bbox[0] ?? [];
  return east - west >= WIDE;
}

/** Where the map opens over a collection. */
export function openingPlace(collection: Collection): MapView {
  const [west = -20, south = 30, east = 40, north = 60] = collection.extent.spatial.bbox[0] ?? [];
  return !isWide(collection)
    ? { zoom: OPENING_ZOOM, lat: (south + north) / 2, lon: (west + east) / 2 }
    : { zoom: 4, lat: 45, lon: 12 };
}
