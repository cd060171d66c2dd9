import type { Item } from "@swath/catalog";
import { hashKey, planKey } from "@swath/mosaic";
import { itemTime } from "@swath/query";
import type { Grid } from "@swath/raster";
import { attributionFor, type CollectionSchema, sourceCollection } from "@swath/schema";
import type { Preset } from "@swath/schema/presets";
import { displayScene } from "../read/display-scene.ts";
import {
  type ImageFormat,
  type ImageJob,
  type PreviewJob,
  RENDER_VERSION,
  type StyleSpec,
  type TileJob,
} from "../run/job.ts";
import { gridSpec } from "../run/scene/scene-read.ts";
import type { DrawnRecipe } from "../what/custom-preset.ts";

/** Most scenes of one map tile (interface specification, Limits). */
export const MAX_TILE_SCENES = 50;

/** A job with what its answer says about it. */
export interface ImagePlan<J extends ImageJob = ImageJob> {
  readonly job: J;
  /** Canonical text of the job: equal for equal images. */
  readonly key: string;
  readonly etag: string;
  /** Ids of scenes whose item lacks a file that the recipe reads. */
  readonly missing: readonly string[];
}

/** The plan of a job: only this function makes its key and ETag. */
export function planImage<J extends ImageJob>(job: J, missing: readonly string[]): ImagePlan<J> {
  const key = planKey(job as never);
  return { job, key, etag: `"r${RENDER_VERSION}-${hashKey(key)}"`, missing };
}

/** The recipe by which a preset renders a collection. */
export interface PresetRecipe {
  readonly preset: Preset;
  readonly collection: CollectionSchema;
  readonly recipe: DrawnRecipe;
}

/** Style of a recipe: bands are b1, b2, ... in the order of its assets. */
export function styleOf(recipe: DrawnRecipe): StyleSpec {
  return {
    ...(recipe.expression === undefined
      ? {}
      : { expression: recipe.expression, variables: recipe.assets.map((_, i) => `b${i + 1}`) }),
    ...(recipe.rescale === undefined ? {} : { rescale: [[recipe.rescale[0] as number, recipe.rescale[1] as number]] }),
    ...(recipe.ranges === undefined ? {} : { rescale: recipe.ranges }),
    ...(recipe.percentiles === undefined ? {} : { percentiles: recipe.percentiles }),
    ...(recipe.colormap === undefined ? {} : { colormap: recipe.colormap }),
    ...(recipe.hillshade === undefined ? {} : { hillshade: recipe.hillshade }),
  };
}

/** Scenes for a map tile, in mosaicking order, first on top. */
export interface TileScenes {
  readonly items: readonly Item[];
  /** The catalog has more than these. */
  readonly more: boolean;
  /** Names of upstreams that did not answer, at least one: their scenes are missing. */
  readonly missing?: readonly string[];
}

/** Plans an image of scenes on a grid; scenes beyond `most` are only counted. */
export function planMosaic(
  { preset, collection, recipe }: PresetRecipe,
  { items, more }: TileScenes,
  grid: Grid,
  format: TileJob["format"],
  most: number = MAX_TILE_SCENES,
): ImagePlan<TileJob> {
  const reads = items.map((item) => displayScene(item, collection, recipe, preset));
  const scenes = reads.filter((scene) => scene !== undefined);
  return planImage(
    {
      kind: "tile",
      grid: gridSpec(grid),
      scenes: scenes.slice(0, most),
      more: more || scenes.length > most,
      style: styleOf(recipe),
      format,
    },
    items.filter((_, i) => reads[i] === undefined).map((item) => item.id),
  );
}

/** Plans an image of one scene; `undefined` where the item lacks a file that the recipe reads. */
export function planPreview(
  { preset, collection, recipe }: PresetRecipe,
  item: Item,
  maxSize: number,
  format: ImageFormat,
): ImagePlan<PreviewJob> | undefined {
  const scene = displayScene(item, collection, recipe, preset);
  return scene === undefined
    ? undefined
    : planImage({ kind: "preview", scene, maxSize, style: styleOf(recipe), format }, []);
}

/** The credit line for an image made of `items`; of a virtual collection those of the members they come from. */
export function attributionOf(collection: CollectionSchema, items: readonly Item[]): string {
  if (items.length === 0 && collection.virtual === undefined) return attributionFor(collection, []);
  return creditLines([[collection, items]]).join("; ");
}

/**
 * The credit lines of items of some collections, in the order of these and of the members of virtual ones; a line that several
 * share comes once, with the years of all.
 */
export function creditLines(
  collections: readonly (readonly [collection: CollectionSchema, items: readonly Item[]])[],
): readonly string[] {
  const years = new Map<string, Set<number>>();
  for (const [collection, items] of collections) {
    for (const source of collection.virtual?.members ?? [collection]) {
      const own = items.filter(({ properties }) => sourceCollection(collection, properties) === source);
      if (own.length === 0) continue;
      const known = years.get(source.attribution) ?? new Set();
      years.set(source.attribution, known);
      for (const { properties } of own) known.add(new Date(String(itemTime(properties))).getUTCFullYear());
    }
  }
  return [...years].map(([attribution, own]) => attributionFor({ attribution }, [...own].filter(Number.isFinite)));
}
