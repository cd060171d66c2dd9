import { ProblemError } from "@swath/problem";
import { type Filter, type Interval, matchesFilter, parseDatetime } from "@swath/query";
import { type Bbox, isTile, matrixSize, type TileMatrixSetId, tileBbox } from "@swath/raster";
import type { CollectionRegistry, CollectionSchema, Preset, Recipe } from "@swath/schema";
import { type PresetRecipe, planTile, styleOf, type TileScenes } from "../job/image-plan.ts";
import { withFactors } from "../metadata/scene-documents.ts";
import type { EngineParts } from "../parts.ts";
import { bandsRead } from "../read/recipe-read.ts";
import type { ImageFormat } from "../run/job.ts";
import { marginOf } from "../run/style-image.ts";
import { getPreset } from "../what/presets.ts";
import { unknownCollection } from "../what/unknown-names.ts";
import { lackingScenes } from "../when/scene-walk.ts";
import { aliasFilter } from "../when/search-scope.ts";
import { isSettled, windowEnding, withDays } from "../when/time-window.ts";
import type { PlannedImage } from "./images.ts";

/** Pixels of a tile's edge. */
const TILE_SIZE = 256;

/** What the tiles of a preset are asked by. */
export interface TileSetInput {
  readonly presetId: string;
  readonly tileMatrixSetId: string;
  /** Collection id or alias; default: the preset's. */
  readonly collection?: string | undefined;
  /** RFC 3339 instant or interval, whose ends may be years and months; default: the preset's window ending now. */
  readonly datetime?: string | undefined;
}

export interface TileInput extends TileSetInput {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly format: ImageFormat;
}

/** The tiles of a preset: from which collection, in which tile matrix set, and of which time. */
export interface TileSet extends PresetRecipe {
  readonly set: TileMatrixSetId;
  /** The restriction of the alias by which the collection was named. */
  readonly filter: Filter | undefined;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly window: Interval;
}

/**
 * Reads what the tiles of a preset are asked by.
 *
 * @throws {ProblemError} `not-found` for an unknown preset or tile matrix set, `unknown-collection`,
 *   `invalid-parameter` for a collection that the preset does not draw; {QueryError} for a bad `datetime`.
 */
export function readTileSet(registry: CollectionRegistry, input: TileSetInput, now: Date): TileSet {
  const preset = getPreset(registry, input.presetId);
  const set = (preset.tileMatrixSets ?? []).find((id) => id === input.tileMatrixSetId);
  if (set === undefined) {
    throw new ProblemError(
      "not-found",
      `Preset ${preset.id} has no tile matrix set "${input.tileMatrixSetId}"; there are ${(preset.tileMatrixSets ?? []).join(", ")}.`,
    );
  }
  const name = input.collection ?? preset.collection;
  const match = registry.find(name);
  if (match === undefined) throw unknownCollection(name, "collection", registry);
  const { collection } = match;
  const recipe = registry.recipeOf(preset.id, collection.id);
  if (recipe === undefined) {
    throw invalid(
      "collection",
      `Preset ${preset.id} draws ${(preset.collections ?? []).join(", ")}, not ${collection.id}.`,
    );
  }
  return {
    preset,
    set,
    collection,
    filter: aliasFilter(match, registry),
    recipe,
    minzoom: recipe.minzoom ?? preset.minzoom,
    maxzoom: recipe.maxzoom ?? preset.maxzoom,
    window: windowOf(preset, collection, input.datetime, now),
  };
}

/**
 * Plans a map tile: validates its address, searches its scenes and decides what is read of them. No pixel is read.
 *
 * @throws {ProblemError} as `readTileSet`, `zoom-out-of-range`, `invalid-parameter`; {CatalogError}
 */
export async function planTileImage(
  services: MosaicServices,
  input: TileInput,
  { signal }: { readonly signal: AbortSignal },
): Promise<PlannedImage> {
  const tiles = readTileSet(services.registry, input, services.now());
  const { preset, set, collection, window } = tiles;
  checkTile(tiles, input);
  if (preset.formats?.includes(input.format) === false) {
    throw invalid("format", `Preset ${preset.id} is drawn as ${preset.formats.join(", ")}, not ${input.format}.`);
  }
  const { z, x, y } = input;
  const scenes = await scenesOf(services, tiles, searchedBbox(tiles, input), { signal });
  return {
    plan: planTile(tiles, scenes, { set, z, x, y }, input.format),
    collection,
    bands: bandsRead(tiles),
    items: scenes.items,
    isSettled: isSettled(window, services.now()),
    ...(scenes.missing === undefined ? {} : { missing: scenes.missing }),
  };
}

/** What a mosaic of scenes is planned with. */
export type MosaicServices = Pick<EngineParts, "tileScenes" | "registry" | "sceneDocuments" | "now">;

/**
 * The scenes that a preset draws in a box, in mosaicking order.
 *
 * @throws {CatalogError}; {ProblemError} `upstream-unavailable` where there is no scene and an upstream did not answer: an
 *   empty image would look as if there were no data.
 */
export async function scenesOf(
  { tileScenes, sceneDocuments }: MosaicServices,
  { preset, collection, filter, window }: TileSet,
  bbox: Bbox,
  { signal }: { readonly signal: AbortSignal },
): Promise<TileScenes> {
  const found = await tileScenes.search(
    {
      collection: collection.id,
      datetime: window,
      bbox,
      ...(preset.maxCloudCoverage === undefined ? {} : { maxCloudCover: preset.maxCloudCoverage }),
      ...(preset.mosaickingOrder === undefined ? {} : { mosaickingOrder: preset.mosaickingOrder }),
    },
    { signal },
  );
  const matching = found.items.filter((item) => filter === undefined || matchesFilter(filter, item));
  const { missing, truncated: more } = found;
  if (missing !== undefined && matching.length === 0) throw lackingScenes(missing);
  const items = await withFactors(matching, collection, sceneDocuments, signal);
  return { items, more, ...(missing === undefined ? {} : { missing }) };
}

/** The box of a tile, and of the pixels around it that its style reads. */
function searchedBbox({ set, recipe }: TileSet, { z, x, y }: TileInput): Bbox {
  return withMargin(tileBbox(set, z, x, y), recipe, { width: TILE_SIZE, height: TILE_SIZE });
}

/** The box of an image of so many pixels, and of the pixels around it that its style reads. */
export function withMargin(
  [west, south, east, north]: Bbox,
  recipe: Recipe,
  { width, height }: { readonly width: number; readonly height: number },
): Bbox {
  const margin = marginOf(styleOf(recipe));
  if (margin === 0) return [west, south, east, north];
  const [across, up] = [((east - west) * margin) / width, ((north - south) * margin) / height];
  if (east - west + 2 * across >= 360) return [-180, Math.max(-90, south - up), 180, Math.min(90, north + up)];
  return [
    west - across < -180 ? west - across + 360 : west - across,
    Math.max(-90, south - up),
    east + across > 180 ? east + across - 360 : east + across,
    Math.min(90, north + up),
  ];
}

function checkTile({ set, minzoom, maxzoom }: TileSet, { z: zoom, x, y }: TileInput): void {
  if (zoom < minzoom || zoom > maxzoom) {
    throw new ProblemError("zoom-out-of-range", `Expected a zoom from ${minzoom} to ${maxzoom}, got ${zoom}.`, {
      limits: { minzoom, maxzoom, requestedZoom: zoom },
      errors: [{ pointer: "z", detail: `Expected ${minzoom} to ${maxzoom}, got ${zoom}.` }],
    });
  }
  if (isTile(set, zoom, x, y)) return;
  const { width, height } = matrixSize(set, zoom);
  throw x >= width
    ? invalid("x", `Expected a column from 0 to ${width - 1} at zoom ${zoom}, got ${x}.`)
    : invalid("y", `Expected a row from 0 to ${height - 1} at zoom ${zoom}, got ${y}.`);
}

/** The time asked for; else the preset's window ending now, or of a preset without one all of the collection's time. */
function windowOf(
  { defaultWindow }: Preset,
  { start }: CollectionSchema,
  datetime: string | undefined,
  now: Date,
): Interval {
  if (datetime !== undefined) return parseDatetime(withDays(datetime));
  return defaultWindow === undefined ? parseDatetime(`${start}/..`) : windowEnding(now, defaultWindow);
}

function invalid(pointer: string, detail: string): ProblemError {
  return new ProblemError("invalid-parameter", detail, { errors: [{ pointer, detail }] });
}
