import { type CollectionSchema, fileOfBand, findBand, toNativeAsset } from "@swath/schema";
import type { Recipe } from "@swath/schema/presets";

/** The extension by which collections say how their files can be drawn. */
export const RENDER_EXTENSION = "https://stac-extensions.github.io/render/v2.0.0/schema.json";

/**
 * Writes the presets of a collection for clients that draw its files themselves (STAC render extension): by the assets of its items,
 * over stored numbers. Presets that are drawn of physical values are left out, and so are collections whose numbers need a document
 * of each scene: the files alone do not give them.
 */
export function rendersOf({ recipes, scaling, virtual, ...collection }: CollectionSchema): Record<string, unknown> {
  if (virtual !== undefined || scaling !== undefined) return {};
  const drawn = Object.entries(recipes).filter(
    ([, { units, hillshade }]) => units === undefined && hillshade === undefined,
  );
  return Object.fromEntries(drawn.map(([id, recipe]) => [id, renderOf(collection as CollectionSchema, id, recipe)]));
}

function renderOf(collection: CollectionSchema, id: string, recipe: Recipe): Record<string, unknown> {
  const { rescale, colormap, expression, minzoom, maxzoom } = recipe;
  const assets = recipe.assets.map((upstreamKey) => {
    const key = toNativeAsset(collection, upstreamKey) ?? upstreamKey;
    const band = findBand(collection, key);
    return band === undefined ? key : fileOfBand(band).asset;
  });
  const named = expression?.replace(/\bb(\d+)\b/g, (word, place: string) => assets[Number(place) - 1] ?? word);
  return {
    title: id,
    assets: [...new Set(assets)],
    ...(named === undefined ? {} : { expression: named }),
    ...(rescale === undefined ? {} : { rescale: [rescale] }),
    ...(colormap === undefined ? {} : { colormap_name: colormap }),
    ...(minzoom === undefined || maxzoom === undefined ? {} : { minmax_zoom: [minzoom, maxzoom] }),
  };
}
