import type { Collection, Item, Preset } from "../api/types.ts";
import type { Bbox } from "../geometry/area.ts";
import { styleFields } from "../view/custom-preset.ts";
import type { ViewState } from "../view/view.ts";
import { farTime, withFarTime } from "./far-time.ts";
import type { Imagery } from "./port.ts";

/** West, south, east, north of a box that may have heights. */
export function flatBox(bbox: readonly number[]): Bbox {
  const [west = -180, south = -85, east = 180, north = 85] =
    bbox.length === 6 ? [bbox[0], bbox[1], bbox[3], bbox[4]] : bbox;
  return [west, south, east, north];
}

/** Whether two boxes have a part in common. */
export function touches(a: Bbox, b: Bbox): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

/** The smallest format that a preset is offered in. */
function formatOf(preset: Preset): string {
  return preset.formats?.includes("webp") === false ? "png" : "webp";
}

/** Zooms at which a preset shows the days of a collection that are asked for. */
export function zoomsOf(preset: Preset, collection: string): { readonly minzoom: number; readonly maxzoom: number } {
  const recipe = preset["svc:recipes"]?.[collection];
  return { minzoom: recipe?.minzoom ?? preset.minzoom, maxzoom: recipe?.maxzoom ?? preset.maxzoom };
}

/**
 * The imagery of a view: the mosaic of its dates, or one scene alone.
 *
 * @param base - address of the service, which ends with a slash
 * @returns undefined as long as the item of the scene is not known
 */
export function imageryOf(
  base: string,
  state: ViewState,
  preset: Preset,
  collection: Collection,
  shown: Item | undefined,
): Imagery | undefined {
  const { scene, from, to } = state;
  const alone = scene === undefined ? undefined : shown;
  if (scene !== undefined && alone?.id !== scene) return undefined;
  const query = new URLSearchParams({
    collection: collection.id,
    datetime: alone?.properties.datetime ?? `${from}/${to}`,
    ...styleFields(preset.id, state.custom),
  });
  const bounds = flatBox(alone?.bbox ?? collection.extent.spatial.bbox[0] ?? []);
  const tiles = `${base}v1/tiles/${preset.id}/WebMercatorQuad/{z}/{x}/{y}.${formatOf(preset)}?${query}`;
  const far = alone === undefined ? farTime(to, preset, collection) : undefined;
  return {
    tiles: far === undefined ? tiles : withFarTime(tiles, far),
    ...zoomsOf(preset, collection.id),
    ...(far === undefined ? {} : { minzoom: far.minzoom }),
    bounds: bounds[0] > bounds[2] ? [-180, bounds[1], 180, bounds[3]] : bounds,
  };
}

/** The relief of a service: the preset that shades slopes, of its own collection; undefined where it has none. */
export function reliefOf(
  base: string,
  presets: readonly Preset[],
  collections: readonly Collection[],
): Imagery | undefined {
  const preset = presets.find(({ hillshade }) => hillshade !== undefined);
  const collection = collections.find(({ id }) => id === preset?.collection);
  if (preset === undefined || collection === undefined) return undefined;
  return {
    tiles: `${base}v1/tiles/${preset.id}/WebMercatorQuad/{z}/{x}/{y}.${formatOf(preset)}?collection=${collection.id}`,
    ...zoomsOf(preset, collection.id),
    bounds: flatBox(collection.extent.spatial.bbox[0] ?? []),
  };
}
