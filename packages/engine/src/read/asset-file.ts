import type { Item } from "@swath/catalog";
import type { Affine } from "@swath/raster";
import type { FileAddress } from "../run/scene-read.ts";

/** A fact that an asset states, else its item. */
export function assetFact({ assets, properties }: Item, asset: string | undefined, name: string): unknown {
  const own = asset === undefined ? undefined : (assets[asset] as Readonly<Record<string, unknown>> | undefined);
  return own?.[name] ?? properties[name];
}

/** The file of an item's asset: where it is, and what the item says that the file may not. `undefined` for no such asset. */
export function assetFile(item: Item, name: string): FileAddress | undefined {
  const asset = item.assets[name];
  if (asset === undefined) return undefined;
  const { href } = asset;
  if (!isJpeg2000(asset.type, href)) return { href };
  const crs = crsName(assetFact(item, name, "proj:code") ?? assetFact(item, name, "proj:epsg"));
  const transform = affineOf(assetFact(item, name, "proj:transform"));
  return { href, jp2: crs === undefined || transform === undefined ? {} : { placement: { crs, transform } } };
}

/** By its type, or where that says nothing by its name. */
function isJpeg2000(type: string | undefined, href: string): boolean {
  if (type === "image/jp2" || type === "image/jpx") return true;
  return type?.startsWith("image/tiff") !== true && /\.(jp2|jpx|j2k)$/i.test(href.replace(/[?#].*$/s, ""));
}

function crsName(code: unknown): string | undefined {
  if (typeof code === "number") return `EPSG:${code}`;
  return typeof code === "string" && /^EPSG:\d+$/.test(code) ? code : undefined;
}

/** Six numbers, or the nine of a matrix with its last row. */
function affineOf(value: unknown): Affine | undefined {
  if (!Array.isArray(value) || (value.length !== 6 && value.length !== 9)) return undefined;
  const numbers = value.slice(0, 6).map(Number);
  return numbers.every(Number.isFinite) ? (numbers as unknown as Affine) : undefined;
}
