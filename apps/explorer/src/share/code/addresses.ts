import type { ShareView } from "../share-view.ts";

/** The word that stands for the map token in an address as long as there is none, as in the guides. */
export const TOKEN = "TOKEN";

/** The part of the service that an image is asked of: that of a map token, or the one that wants a key. */
export type Door = "map" | "key";

/** The part of the address that all images of the view have. */
export const rootOf = ({ server, token }: ShareView, door: Door): string =>
  door === "key" ? `${server}/v1` : `${server}/v1/m/${token ?? TOKEN}`;

/** Address of tiles with `{z}`, `{x}` and `{y}`. */
export function tilesOf(view: ShareView, door: Door, row = "{y}"): string {
  const query = new URLSearchParams({ collection: view.collection, datetime: view.datetime, ...view.style });
  return `${rootOf(view, door)}/tiles/${view.preset}/WebMercatorQuad/{z}/{x}/${row}.png?${query}`;
}

/** Pixels of the longer side of an image at most. */
const LONGEST_SIDE = 1024;

/** Column and row of the tile with a point. */
function tileAt({ lon, lat }: ShareView["map"], z: number): { readonly x: number; readonly y: number } {
  const sine = Math.sin((lat * Math.PI) / 180);
  const count = 2 ** z;
  const at = (share: number): number => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
  return { x: at((lon + 180) / 360), y: at(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) };
}

/** Zoom of maps with tiles of 256 pixels: that of the view, whose tiles have 512, within the preset's own. */
export const zoomOf = ({ map, minzoom, maxzoom }: ShareView): number =>
  Math.min(maxzoom, Math.max(minzoom, Math.round(map.zoom) + 1));

export interface SingleImage {
  readonly address: string;
  /** Pixels of both sides; undefined: a scene has its own. */
  readonly size: number | undefined;
}

/** An image that is one address: the scene shown alone, or the tile in the middle of the view. */
export function singleImageOf(view: ShareView): SingleImage {
  const root = rootOf(view, "map");
  if (view.scene !== undefined) {
    const query = new URLSearchParams({ preset: view.preset, max_size: String(LONGEST_SIDE), ...view.style });
    const item = `${view.collection}/items/${encodeURIComponent(view.scene)}`;
    return { address: `${root}/collections/${item}/preview.jpeg?${query}`, size: undefined };
  }
  // a tile at the view's own zoom is as wide as two of those with 256 pixels
  const z = Math.max(view.minzoom, zoomOf(view) - 1);
  const { x, y } = tileAt(view.map, z);
  const address = tilesOf(view, "map", "{y}@2x").replace("{z}", `${z}`).replace("{x}", `${x}`).replace("{y}", `${y}`);
  return { address, size: 512 };
}
