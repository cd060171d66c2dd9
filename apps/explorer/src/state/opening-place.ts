import type { Collection } from "../api/types.ts";
import { flatBox } from "../map/imagery-of.ts";
import type { MapView } from "../view/view.ts";

/** Zoom the page opens with over the middle of a place, unless that is smaller than the map. */
const OPENING_ZOOM = 9;
/** Degrees of longitude beyond which a collection is not shown from its middle. */
const WIDE = 20;

/** Whether a collection is too wide to be shown from its middle. */
export function isWide({ extent }: Pick<Collection, "extent">): boolean {
  const [west = -20, , east = 40] = extent.spatial.bbox[0] ?? [];
  return east - west >= WIDE;
}

/** The middle of a box of a collection, at a zoom at which a small one is seen. */
export function placeOver(bbox: readonly number[], { "svc:zoom": zooms }: Pick<Collection, "svc:zoom">): MapView {
  const [west, south, east, north] = flatBox(bbox);
  const lat = (south + north) / 2;
  const span = Math.max(east - west, (north - south) / Math.cos((lat * Math.PI) / 180), 1e-6);
  // the map is some tiles of 512 pixels wide, of which there is one at zoom 0
  const fitting = Math.floor(Math.log2(360 / span));
  const zoom = Math.max(OPENING_ZOOM, Math.min(fitting, zooms?.max ?? OPENING_ZOOM));
  return { zoom, lat, lon: (west + east) / 2 };
}

/** Where the map opens over a collection. */
export function openingPlace(collection: Pick<Collection, "extent" | "svc:zoom">): MapView {
  const [bbox = [-20, 30, 40, 60]] = collection.extent.spatial.bbox;
  return isWide(collection) ? { zoom: 4, lat: 45, lon: 12 } : placeOver(bbox, collection);
}
