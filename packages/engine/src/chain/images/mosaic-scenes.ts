import { wrapBbox } from "@swath/geometry";
import { matchesFilter } from "@swath/query";
import type { Bbox, Grid } from "@swath/raster";
import type { Recipe } from "@swath/schema/presets";
import { styleOf, type TileScenes } from "../../job/image-plan.ts";
import { withFactors } from "../../metadata/scene-documents.ts";
import type { EngineParts } from "../../parts.ts";
import { marginOf } from "../../run/image/style-image.ts";
import { lackingScenes } from "../../when/scene-walk.ts";
import type { TileSet } from "./tile-set.ts";

/**
 * The scenes that a preset draws in a box, in mosaicking order.
 *
 * @throws {Refusal} `upstream-unavailable` where there is none and an upstream did not answer.
 * @throws {CatalogError}
 */
export async function scenesOfMosaic(
  { tileScenes, sceneDocuments }: Pick<EngineParts, "tileScenes" | "sceneDocuments">,
  { preset, collection, filter, window, recipe }: TileSet,
  { bbox, grid }: { readonly bbox: Bbox; readonly grid: Pick<Grid, "width" | "height"> },
  { signal }: { readonly signal: AbortSignal },
): Promise<TileScenes> {
  const { maxCloudCoverage: maxCloudCover, mosaickingOrder } = preset;
  const asked = {
    collection: collection.id,
    datetime: window,
    bbox: withMargin(bbox, recipe, grid),
    ...(maxCloudCover === undefined ? {} : { maxCloudCover }),
    ...(mosaickingOrder === undefined ? {} : { mosaickingOrder }),
  };
  const { items: found, missing, truncated: more } = await tileScenes.search(asked, { signal });
  const matching = found.filter((item) => filter === undefined || matchesFilter(filter, item));
  if (missing !== undefined && matching.length === 0) throw lackingScenes(missing);
  const items = await withFactors(matching, collection, sceneDocuments, signal);
  return { items, more, ...(missing === undefined ? {} : { missing }) };
}

/** Returns the box of an image and of the pixels around it that its style reads. */
function withMargin(
  [west, south, east, north]: Bbox,
  recipe: Recipe,
  { width, height }: Pick<Grid, "width" | "height">,
): Bbox {
  const margin = marginOf(styleOf(recipe));
  const [across, up] = [((east - west) * margin) / width, ((north - south) * margin) / height];
  return wrapBbox([west - across, Math.max(-90, south - up), east + across, Math.min(90, north + up)]);
}
