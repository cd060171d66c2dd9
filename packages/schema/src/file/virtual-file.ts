import * as z from "zod";
import { Recipe } from "../preset/preset.ts";
import { CollectionId, HarmonizeLevel } from "../vocabulary.ts";

const text = z.string().min(1);

/** Says in a collection's file that it is a member of a virtual collection. */
export const Membership = z.strictObject({
  collection: CollectionId.meta({ description: "The virtual collection." }),
  grid: text.meta({ description: "Name of the tiling that scenes are cut by, such as mgrs or wrs2." }),
  tile: z
    .array(text)
    .min(1)
    .meta({ description: "Properties of items that together name the tile; each is a queryable of the collection." }),
  processing: text.optional().meta({
    description: "Property that numbers the processings of the same data, such as a baseline: the larger is the newer.",
  }),
});
export type Membership = z.infer<typeof Membership>;

/**
 * A collection without items of its own: those of its members, under common band names and with one level of
 * harmonization. Members say so in their files (`memberOf`); those that are live on a server make it up.
 */
export const VirtualCollectionFile = z
  .strictObject({
    $schema: z.string().optional(),
    kind: z.literal("virtual"),
    id: CollectionId,
    title: text,
    description: text,
    keywords: z.array(text).optional(),
    license: z.string().regex(/^[\w\-.+]+$/),
    licenseLink: z.strictObject({ href: z.url(), title: text, type: text }),
    bandAliases: z
      .record(text, text)
      .optional()
      .meta({ description: "Other names of common bands: name to the common name it stands for." }),
    harmonize: z.strictObject({
      default: HarmonizeLevel.meta({ description: "Level that items are given at; members without it are left out." }),
      levels: z.partialRecord(HarmonizeLevel, text),
    }),
    zoom: z.strictObject({ min: z.int().min(0).max(24), max: z.int().min(0).max(24) }),
    recipes: z
      .record(text, z.strictObject(Recipe.shape))
      .optional()
      .meta({ description: "Preset id to how it is rendered: assets are common band names, numbers reflectance." }),
    sources: z.array(text).optional(),
  })
  .meta({ id: "VirtualCollectionFile", description: "A collection of the items of others, as a file of data." });
export type VirtualCollectionFile = z.infer<typeof VirtualCollectionFile>;
