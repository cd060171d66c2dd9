import type { LayerSpecification, RasterLayerSpecification, StyleSpecification } from "maplibre-gl";
import type { Imagery } from "../port.ts";
import { imageryUrl } from "./imagery.ts";
import { BORDERS, isImagery } from "./layer-names.ts";

export interface SecondImagery {
  /** Name of its source, another one for each image. */
  readonly id: string;
  readonly imagery: Imagery;
}

const sourceOf = (layer: LayerSpecification): string | undefined =>
  "source" in layer && typeof layer.source === "string" ? layer.source : undefined;

/**
 * The style of a second map: that of the first, with other imagery in the place of its own.
 *
 * @param keeps - whether a layer of the first map, by its id, is shown on the second too
 */
export function secondStyle(
  first: StyleSpecification,
  second: SecondImagery | undefined,
  keeps: (layer: string) => boolean,
): StyleSpecification {
  const own = first.layers.filter((layer): layer is RasterLayerSpecification => isImagery(sourceOf(layer)));
  const at = first.layers.findIndex(({ id }) => id === (own[0]?.id ?? BORDERS));
  const place = at === -1 ? first.layers.length : at;
  const shown = (layer: LayerSpecification): boolean => !isImagery(sourceOf(layer)) && keeps(layer.id);
  const below = first.layers.slice(0, place).filter(shown);
  const above = first.layers.slice(place).filter(shown);
  const used = new Set([...below, ...above].map(sourceOf));
  const sources = Object.fromEntries(Object.entries(first.sources).filter(([name]) => used.has(name)));
  if (second === undefined) return { ...first, sources, layers: [...below, ...above] };
  const { id, imagery } = second;
  const { tiles, minzoom, maxzoom, bounds } = imagery;
  return {
    ...first,
    sources: {
      ...sources,
      [id]: { type: "raster", tiles: [imageryUrl(tiles)], tileSize: 256, minzoom, maxzoom, bounds: [...bounds] },
    },
    layers: [...below, { id, type: "raster", source: id, paint: own.at(-1)?.paint ?? {} }, ...above],
  };
}
