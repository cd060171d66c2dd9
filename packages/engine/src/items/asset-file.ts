import type { Item } from "@swath/catalog";
import type { FileAddress } from "../run/scene/scene-read.ts";
import { placementOf } from "./placement.ts";

/** The file of an item's asset: where it is, and what the item says that the file may not. `undefined` for no such asset. */
export function assetFile(item: Item, name: string): FileAddress | undefined {
  const asset = item.assets[name];
  if (asset === undefined) return undefined;
  const { href } = asset;
  if (!isJpeg2000(asset.type, href)) return { href };
  const placement = placementOf(item, name);
  return { href, jp2: placement === undefined ? {} : { placement } };
}

/** By its type, or where that says nothing by its name. */
function isJpeg2000(type: string | undefined, href: string): boolean {
  if (type === "image/jp2" || type === "image/jpx") return true;
  return type?.startsWith("image/tiff") !== true && /\.(jp2|jpx|j2k)$/i.test(href.replace(/[?#].*$/s, ""));
}
