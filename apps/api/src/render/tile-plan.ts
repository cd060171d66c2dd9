import type { Item } from "@swath/catalog";
import { hashKey, planKey } from "@swath/mosaic";
import { type Grid, type TileMatrixSetId, tileGrid } from "@swath/raster";
import { attributionFor, type CollectionSchema, type Preset, type Recipe } from "@swath/schema";
import {
  type GridSpec,
  type ImageFormat,
  type PreviewJob,
  RENDER_VERSION,
  type RenderJob,
  type StyleSpec,
  type TileJob,
} from "./job.ts";
import { sceneForRecipe } from "./scene-read.ts";

/** At most so many scenes make one map tile (interface specification, Limits). */
export const MAX_TILE_SCENES = 50;

export interface TileAddress {
  readonly set: TileMatrixSetId;
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** A job with what its answer says about it. */
export interface Plan<J extends RenderJob> {
  readonly job: J;
  /** Canonical text of the job: equal for equal pictures. */
  readonly key: string;
  readonly etag: string;
  /** Scenes whose item lacks a file that the recipe reads. */
  readonly missing: readonly string[];
}

export function gridSpec(grid: Grid): GridSpec {
  return { crs: grid.crs.name, transform: grid.transform, width: grid.width, height: grid.height };
}

/** Style of a recipe: bands are b1, b2, ... in the order of its assets. */
export function styleOf(recipe: Recipe): StyleSpec {
  return {
    resampling: "bilinear",
    ...(recipe.expression === undefined
      ? {}
      : { expression: recipe.expression, variables: recipe.assets.map((_, i) => `b${i + 1}`) }),
    ...(recipe.rescale === undefined ? {} : { rescale: [[recipe.rescale[0] as number, recipe.rescale[1] as number]] }),
    ...(recipe.colormap === undefined ? {} : { colormap: recipe.colormap }),
  };
}

function planOf<J extends RenderJob>(job: J, missing: readonly string[]): Plan<J> {
  const key = planKey(job as never);
  return { job, key, etag: `"r${RENDER_VERSION}-${hashKey(key)}"`, missing };
}

/** Scenes for a map tile, in order, first on top. */
export interface TileScenes {
  readonly items: readonly Item[];
  /** The catalog has more than these. */
  readonly more: boolean;
}

/** Plans a map tile; scenes beyond the limit are only counted. */
export function planTile(
  collection: CollectionSchema,
  recipe: Recipe,
  { items, more }: TileScenes,
  address: TileAddress,
  format: ImageFormat,
): Plan<TileJob> {
  const reads = items.map((item) => sceneForRecipe(item, collection, recipe));
  const scenes = reads.filter((scene) => scene !== undefined);
  return planOf(
    {
      kind: "tile",
      grid: gridSpec(tileGrid(address.set, address.z, address.x, address.y)),
      scenes: scenes.slice(0, MAX_TILE_SCENES),
      more: more || scenes.length > MAX_TILE_SCENES,
      style: styleOf(recipe),
      format,
    },
    items.filter((_, i) => reads[i] === undefined).map((item) => item.id),
  );
}

/** Plans a picture of one scene; undefined where the item lacks a file that the recipe reads. */
export function planPreview(
  collection: CollectionSchema,
  recipe: Recipe,
  item: Item,
  maxSize: number,
  format: ImageFormat,
): Plan<PreviewJob> | undefined {
  const scene = sceneForRecipe(item, collection, recipe);
  return scene === undefined
    ? undefined
    : planOf({ kind: "preview", scene, maxSize, style: styleOf(recipe), format }, []);
}

/** The credit line for a picture made of `items`. */
export function attributionOf(collection: CollectionSchema, items: readonly Item[]): string {
  return attributionFor(
    collection,
    items.map((item) => new Date(String(item.properties.datetime)).getUTCFullYear()).filter(Number.isFinite),
  );
}

/** The recipe of a collection in a preset. */
export function recipeOf(preset: Preset, collection: CollectionSchema): Recipe | undefined {
  return preset["svc:recipes"]?.[collection.id];
}
