import * as z from "zod";
import { FilesRule } from "./path-template.ts";
import { Pattern } from "./patterns.ts";

const name = z.string().min(1);

/** Name of an upstream, as `SWATH_UPSTREAMS` and collection files write it. */
export const UpstreamName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

/** Where the items of a collection come from, and how the upstream names things. */
export const UpstreamFile = z.strictObject({
  name: UpstreamName.optional().meta({ description: "Name of the upstream; default `default`." }),
  collection: name.meta({ description: "Collection id at the upstream." }),
  files: z.array(FilesRule).min(1).optional().meta({
    description: "How files of a folder of one's own become items of the collection; the first rule that fits a path.",
  }),
  furtherCollections: z
    .array(name)
    .optional()
    .meta({ description: "Further collections of the upstream that hold items of this one; searched together." }),
  otherCollections: z.array(name).optional().meta({ description: "Ids of the same product at other catalogs." }),
  idPatterns: z
    .array(Pattern)
    .optional()
    .meta({ description: "Item ids of the collection, for items that name no collection." }),
  holdsOtherPlatforms: z
    .boolean()
    .optional()
    .meta({ description: "Whether the upstream's collection has items of platforms that are not listed here." }),
  isDividedById: z.boolean().optional().meta({
    description: "Whether only items whose id fits `idPatterns` are of the collection, whatever their platform.",
  }),
  platformFromId: z
    .array(z.strictObject({ pattern: Pattern, platform: name }))
    .optional()
    .meta({ description: "Platform of items that do not say it: pattern of the id, and the platform with `$1` …" }),
  absentProperties: z
    .array(name)
    .optional()
    .meta({ description: "Common properties that no item has, such as eo:cloud_cover: they are not sorted by." }),
  assets: z
    .record(name, name)
    .meta({ description: "Upstream asset key to the key shown here: native band name, or the upstream's own key." }),
  assetsByCollection: z
    .record(name, z.record(name, name))
    .optional()
    .meta({ description: "Upstream collection to the asset keys that mean something of their own there." }),
  otherAssets: z
    .record(name, name)
    .optional()
    .meta({ description: "Keys that other catalogs use for documents, to the key shown here." }),
});
export type UpstreamFile = z.infer<typeof UpstreamFile>;
