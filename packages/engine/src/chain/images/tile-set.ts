import { allOf, type Filter, type Interval, parseDatetime } from "@swath/query";
import { isTile, matrixSize, type TileMatrixSetId } from "@swath/raster";
import type { CollectionMatch, CollectionRegistry, CollectionSchema } from "@swath/schema";
import type { Preset, Recipe } from "@swath/schema/presets";
import type { PresetRecipe } from "../../job/image-plan.ts";
import { presetNamed } from "../../names.ts";
import { Refusal } from "../../refusal.ts";
import type { TileRequest, TileWhere, What } from "../../request.ts";
import { usualRanges } from "../../what/bands/usual-range.ts";
import { customPreset, type DrawnRecipe, refusePercentiles } from "../../what/custom-preset.ts";
import { onlyCollection } from "../../when/collections.ts";
import { readTime } from "../../when/intervals.ts";
import { aliasFilter } from "../../when/search-scope.ts";
import { windowEnding, withDays } from "../../when/time-window.ts";

/** A request for the tiles of a preset, without row, column and zoom. */
export interface TileSetRequest extends Pick<TileRequest, "when" | "what"> {
  readonly where: Pick<TileWhere, "tileMatrixSet">;
}

/** The tiles of a preset: from which collection, in which tile matrix set, and of which time. */
export interface TileSet extends PresetRecipe {
  readonly set: TileMatrixSetId;
  /** The conditions of the request, and the restriction of the alias by which the collection was named. */
  readonly filter: Filter | undefined;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly window: Interval;
}

/**
 * Reads what the tiles of a preset are asked by; the time's ends may be years and months.
 *
 * @throws {Refusal} `not-found` for an unknown preset or tile matrix set, `unknown-collection`, `invalid` for a collection
 *   that the preset does not draw, for a bad time and for percentiles; of a request without a preset as `customPreset`.
 */
export function readTileSet(registry: CollectionRegistry, request: TileSetRequest, now: Date): TileSet {
  const tiles = readMosaic(registry, request, now);
  refusePercentiles(tiles.recipe);
  return tiles;
}

/**
 * Reads what tiles, or one image, show: percentiles may be those of one image.
 *
 * @throws {Refusal} as `readTileSet`, except for percentiles.
 */
export function readMosaic(registry: CollectionRegistry, { where, when, what }: TileSetRequest, now: Date): TileSet {
  const named = what.preset === undefined ? undefined : presetNamed(what.preset, registry);
  const match = onlyCollection(
    { collections: when.collections ?? [(named ?? defaultOf(registry)).collection] },
    registry,
  );
  const { preset, recipe } = drawnBy(registry, match, what, named);
  const { id, tileMatrixSets: sets = [] } = preset;
  const set = sets.find((each) => each === where.tileMatrixSet);
  if (set === undefined) {
    const detail = `Preset ${id} has no tile matrix set "${where.tileMatrixSet}"; there are ${sets.join(", ")}.`;
    throw new Refusal("not-found", ["where", "tileMatrixSet"], detail);
  }
  const { collection } = match;
  return {
    preset,
    set,
    collection,
    filter: allOf(aliasFilter(match, registry), when.filter),
    recipe,
    minzoom: recipe.minzoom ?? preset.minzoom,
    maxzoom: recipe.maxzoom ?? preset.maxzoom,
    window: windowOf(preset, collection, when.time, now),
  };
}

/** The preset whose collection is drawn where a request names none. */
function defaultOf({ presets }: CollectionRegistry): Preset {
  const [first] = presets;
  if (first === undefined) throw new Refusal("not-found", ["what", "preset"], "No preset is served here.");
  return first;
}

/**
 * Returns the preset of a request with its recipe for a collection: a named one, or one of the request's own bands or expression.
 *
 * @throws {Refusal} as `customPreset`; `invalid` for a collection that the preset does not draw.
 */
export function drawnBy(
  registry: CollectionRegistry,
  match: CollectionMatch,
  what: What,
  named: Preset | undefined,
): Pick<PresetRecipe, "preset" | "recipe"> {
  if (named === undefined) return customPreset(match, what, registry);
  return { preset: named, recipe: recipeFor(registry, named, match.collection) };
}

/** @throws {Refusal} `invalid` for a collection that the preset does not draw. */
function recipeFor(
  registry: CollectionRegistry,
  { id, collections = [] }: Preset,
  collection: CollectionSchema,
): DrawnRecipe {
  const recipe = registry.recipeOf(id, collection.id);
  if (recipe !== undefined) return withRange(collection, recipe);
  const detail = `Preset ${id} draws ${collections.join(", ")}, not ${collection.id}.`;
  throw new Refusal("invalid", ["when", "collections", 0], detail);
}

/** A recipe of physical values without a range is stretched over the usual ones. */
function withRange(collection: CollectionSchema, recipe: Recipe): DrawnRecipe {
  if (recipe.units === undefined || recipe.rescale !== undefined || recipe.hillshade !== undefined) return recipe;
  const ranges = usualRanges(collection, recipe);
  return ranges === undefined ? recipe : { ...recipe, ranges };
}

/** @throws {Refusal} `zoom-out-of-range`; `invalid` for a tile that the tile matrix set does not have. */
export function checkTile({ set, minzoom, maxzoom }: TileSet, { z, x, y }: TileWhere): void {
  if (z < minzoom || z > maxzoom) {
    const detail = `Expected a zoom from ${minzoom} to ${maxzoom}, got ${z}.`;
    throw new Refusal("zoom-out-of-range", ["where", "z"], detail, { limits: { minzoom, maxzoom, requestedZoom: z } });
  }
  if (isTile(set, z, x, y)) return;
  const { width, height } = matrixSize(set, z);
  throw x >= width
    ? new Refusal("invalid", ["where", "x"], `Expected a column from 0 to ${width - 1} at zoom ${z}, got ${x}.`)
    : new Refusal("invalid", ["where", "y"], `Expected a row from 0 to ${height - 1} at zoom ${z}, got ${y}.`);
}

/** The time asked for; else the preset's window ending now, or all of the collection's time where it or the preset has no window. */
function windowOf(
  { defaultWindow }: Preset,
  { start, defaultTime }: CollectionSchema,
  time: TileRequest["when"]["time"],
  now: Date,
): Interval {
  if (time !== undefined) return readTime(typeof time === "string" ? withDays(time) : time);
  return defaultWindow === undefined || defaultTime === "all"
    ? parseDatetime(`${start}/..`)
    : windowEnding(now, defaultWindow);
}
