import type { Item } from "@swath/catalog";

/** Formats of rasters that are not read here, by their media type, as people call them. */
const UNREAD: Readonly<Record<string, string>> = { "image/jp2": "JPEG 2000" };

/** The format of an asset's file where it is one that is not read here. */
export function unreadFormat({ assets }: Pick<Item, "assets">, asset: string): string | undefined {
  const { type = "" } = assets[asset] ?? {};
  return Object.hasOwn(UNREAD, type) ? UNREAD[type] : undefined;
}

/** The address of an asset's file; `undefined` where the item lacks it, or its format is not read here. */
export function fileHref(item: Pick<Item, "assets">, asset: string): string | undefined {
  return unreadFormat(item, asset) === undefined ? item.assets[asset]?.href : undefined;
}

/** The format that all bands of an item have, where it is one that is not read here. */
export function unreadFormatOf(item: Pick<Item, "assets">): string | undefined {
  const bands = Object.keys(item.assets).filter((key) => item.assets[key]?.["svc:band"] !== undefined);
  const formats = new Set(bands.map((key) => unreadFormat(item, key)));
  return formats.size === 1 ? [...formats][0] : undefined;
}
