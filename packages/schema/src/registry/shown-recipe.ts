import * as z from "zod";
import type { CollectionSchema } from "../collection/collection.ts";
import { upstreamCollections } from "../collection/upstream-collections.ts";
import { Recipe } from "../preset/preset.ts";
import { Unit } from "../vocabulary.ts";
import { findBand } from "./resolve.ts";

/** A recipe as a document shows it: for whoever reads the upstream's files without this service. */
export const ShownRecipe = Recipe.extend({
  assets: z
    .array(z.string())
    .min(1)
    .meta({ description: "Upstream asset keys in band order; of a virtual collection common names." }),
  assetsByCollection: z.record(z.string(), z.array(z.string())).optional().meta({
    description: "Where several upstream collections hold the items and name assets differently: the keys of each.",
  }),
  units: Unit.optional().meta({
    description:
      "What b1, b2 ... of the expression, or the range of rescale, are in: DN as stored in the newest product, or physical values. Absent of a finished image.",
  }),
}).meta({ id: "ShownRecipe", description: "How a preset is rendered from one collection." });
export type ShownRecipe = z.infer<typeof ShownRecipe>;

/** A recipe of a collection with the upstream's asset keys, and in what units its numbers are. */
export function shownRecipe(collection: CollectionSchema, recipe: Recipe): ShownRecipe {
  const units = recipe.units ?? unitsOf(collection, recipe);
  const shown = units === undefined ? {} : { units };
  if (collection.virtual !== undefined) return { ...recipe, ...shown };
  const byCollection = upstreamCollections(collection.upstream).map((id): [string, string[]] => [
    id,
    recipe.assets.map((key) => upstreamKey(collection, key, id)),
  ]);
  const [[, assets] = ["", recipe.assets]] = byCollection;
  const [id = ""] = byCollection[0] ?? [];
  const alternatives = recipe.alternatives?.map((each) => ({
    ...each,
    assets: each.assets.map((key) => upstreamKey(collection, key, id)),
  }));
  const differ = byCollection.some(([, keys]) => keys.join() !== assets.join());
  return {
    ...recipe,
    assets: [...assets],
    ...(alternatives === undefined ? {} : { alternatives }),
    ...(differ ? { assetsByCollection: Object.fromEntries(byCollection) } : {}),
    ...shown,
  };
}

/** The key that a collection of the upstream has for an asset that a recipe names by it or by the band's native name. */
function upstreamKey({ upstream: { assets, assetsByCollection } }: CollectionSchema, name: string, id: string): string {
  const keys = { ...assets, ...assetsByCollection?.[id] };
  return Object.keys(keys).find((key) => keys[key] === name) ?? name;
}

function unitsOf(collection: CollectionSchema, { assets, expression, rescale, hillshade }: Recipe): Unit | undefined {
  if (expression === undefined && rescale === undefined && hillshade === undefined) return undefined;
  if (collection.virtual !== undefined) return collection.defaultUnits;
  const keys = { ...collection.upstream.assets };
  const bands = assets.map((name) => findBand(collection, keys[name] ?? name));
  const [first] = bands;
  if (first === undefined || bands.includes(undefined)) return undefined;
  if (collection.scaling !== undefined) return first.kind === "thermal" ? "KELVIN" : "REFLECTANCE";
  // stored as they are
  return bands.every((band) => band?.scale === 1 && band.offset === 0) ? first.unit : "DN";
}
