import * as z from "zod";
import { Pattern } from "./patterns.ts";
import { InstrumentRule, OrbitRule } from "./platform-rules.ts";

const name = z.string().min(1);

/** Name of an upstream, as `SWATH_UPSTREAMS` and collection files write it. */
export const UpstreamName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

/** Where the items of a collection come from, and how the upstream names things. */
export const UpstreamFile = z.strictObject({
  name: UpstreamName.optional().meta({ description: "Name of the upstream; default `default`." }),
  collection: name.meta({ description: "Collection id at the upstream." }),
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
  platformFromOrbit: z
    .array(OrbitRule)
    .optional()
    .meta({ description: "Platform of items that say it neither in their properties nor in their id." }),
  instrumentsFromId: z.array(InstrumentRule).optional().meta({
    description: "Instruments of items that do not say them; the first that fits.",
  }),
  epsgCodes: Pattern.optional().meta({
    description: "EPSG codes that files of the collection can have; an item's other code is a mistake, and not shown.",
  }),
  absentProperties: z
    .array(name)
    .optional()
    .meta({
      description: "Common properties that no item has, such as eo:cloud_cover: no queryables, and not sorted by.",
    }),
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
    .meta({ description: "Keys that other catalogs use, to the key shown here." }),
  asideAssets: z
    .array(Pattern)
    .optional()
    .meta({ description: "Keys of assets that are not shown: the same files at another address." }),
});
export type UpstreamFile = z.infer<typeof UpstreamFile>;
