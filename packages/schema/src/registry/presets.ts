import type { CollectionSchema } from "../collection/collection.ts";
import { SchemaError } from "../errors.ts";
import type { Preset, PresetFile } from "../preset/preset.ts";
import { suggest } from "../suggest.ts";
import { derivedRecipe } from "./derived-recipe.ts";

/** Presets of collections. */
export interface PresetTable {
  /** Those that are listed first. */
  readonly presets: readonly Preset[];
  /** Those that are listed after them, made when they are first asked for. */
  further(): readonly Preset[];
  find(id: string): Preset | undefined;
}

/**
 * The presets as they are offered: each on the collections that have a recipe for it, and a mask where the preset masks
 * clouds. A preset without a recipe is left out; its default collection is the first that has one where the named one has none.
 *
 * @throws {SchemaError} `unknown-preset` for a recipe of none of the presets.
 */
export function toPresets(files: readonly PresetFile[], collections: readonly CollectionSchema[]): PresetTable {
  checkRecipes(files, collections);
  const presets = files.filter(({ further }) => further !== true).flatMap((file) => toPreset(file, collections) ?? []);
  const listed = new Map(presets.map((preset) => [preset.id, preset]));
  const rest = new Map(files.filter(({ further }) => further === true).map((file) => [file.id, file]));
  const made = new Map<string, Preset | undefined>();
  const find = (id: string): Preset | undefined => {
    const file = rest.get(id);
    if (file === undefined) return listed.get(id);
    if (!made.has(id)) made.set(id, toPreset(file, collections));
    return made.get(id);
  };
  return { presets, further: () => [...rest.keys()].flatMap((id) => find(id) ?? []), find };
}

function checkRecipes(files: readonly PresetFile[], collections: readonly CollectionSchema[]): void {
  const ids = new Set(files.map(({ id }) => id));
  for (const collection of collections) {
    for (const id of Object.keys(collection.recipes)) {
      if (ids.has(id)) continue;
      const message = `${collection.id} has a recipe for the preset "${id}", which does not exist.`;
      throw new SchemaError("unknown-preset", id, message, suggest(id, ids));
    }
  }
}

function toPreset(file: PresetFile, collections: readonly CollectionSchema[]): Preset | undefined {
  const {
    id,
    title,
    description,
    collection,
    bands,
    expression,
    rescale,
    colormap,
    recipes: source,
    further: _,
    ...settings
  } = file;
  const recipes = collections.flatMap((each) => {
    const own = Object.hasOwn(each.recipes, id) ? each.recipes[id] : undefined;
    const recipe = own ?? (source === "derived" ? derivedRecipe(file, each) : undefined);
    // a preset that masks clouds shows nothing of a collection without a mask
    const sources = each.virtual?.members ?? [each];
    const isShown = settings.cloudMask === undefined || sources.every(({ mask }) => mask !== undefined);
    return recipe === undefined || !isShown ? [] : [[each.id, recipe] as const];
  });
  const [first] = recipes;
  if (first === undefined) return undefined;
  const offered = recipes.map(([owner]) => owner);
  return {
    collection: collection !== undefined && offered.includes(collection) ? collection : first[0],
    collections: offered,
    ...settings,
    id,
    title,
    ...(description === undefined ? {} : { description }),
    bands,
    ...(expression === undefined ? {} : { expression }),
    ...(rescale === undefined ? {} : { rescale }),
    ...(colormap === undefined ? {} : { colormap }),
    "svc:recipes": Object.fromEntries(recipes),
  };
}
