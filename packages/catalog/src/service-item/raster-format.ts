import { type Json, listOf, textOf } from "../json.ts";

/** Formats of the rasters that items are shown with. */
export type RasterFormat = "tiff" | "jpeg2000";

/** Media types that rasters are shown with, whatever their catalog writes. */
export const RASTER_TYPES: Readonly<Record<RasterFormat, string>> = {
  tiff: "image/tiff; application=geotiff; profile=cloud-optimized",
  jpeg2000: "image/jp2",
};

/**
 * The format of an asset that is a raster: by its media type; where the catalog gives none, by the name of its file, else
 * as a file of a band whose role is `data`. `undefined` for what is no raster.
 *
 * @param isBand whether the asset's key is that of a band.
 */
export function rasterFormat(asset: Json, isBand: boolean): RasterFormat | undefined {
  const type = textOf(asset.type)?.toLowerCase();
  if (type !== undefined) {
    if (/^image\/(tiff|vnd\.stac\.geotiff)/.test(type)) return "tiff";
    return /^image\/jp[2x]/.test(type) ? "jpeg2000" : undefined;
  }
  const path = (textOf(asset.href) ?? "").replace(/[?#].*$/, "");
  if (/\.tiff?$/i.test(path)) return "tiff";
  if (/\.jp2$/i.test(path)) return "jpeg2000";
  const hasEnding = /\.[a-z0-9]{1,5}$/i.test(path);
  return isBand && !hasEnding && listOf(asset.roles).includes("data") ? "tiff" : undefined;
}
