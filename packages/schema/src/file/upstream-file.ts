import * as z from "zod";
import { FilesRule } from "./path-template.ts";
import { Pattern } from "./patterns.ts";
import { InstrumentRule, OrbitRule } from "./platform-rules.ts";

const name = z.string().min(1);

/** Name of an upstream, as `SWATH_UPSTREAMS` and collection files write it. */
export const UpstreamName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

/** A further collection of the same upstream, whose scenes are shown where the first ones lack them. */
export const FallbackFile = z
  .strictObject({
    collection: name,
    tile: z.array(name).min(1).meta({
      description: "Properties of items that together name the tile; each is a queryable of the collection.",
    }),
    times: z
      .array(z.tuple([z.iso.datetime(), z.iso.datetime()]))
      .min(1)
      .optional()
      .meta({ description: "Intervals in which it is looked at, RFC 3339, their ends left out; default always." }),
  })
  .meta({
    description: "A collection that fills gaps: a scene is shown where no earlier one has its tile and overpass.",
  });
export type FallbackFile = z.infer<typeof FallbackFile>;

/** The upstream that the items of a collection come from, and its names for things. */
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
  otherNames: z.record(name, z.array(name).min(1)).optional().meta({
    description: "Other ids that the upstream may know a collection by, tried in order where it lacks the first.",
  }),
  fallbacks: z
    .array(FallbackFile)
    .optional()
    .meta({ description: "Collections of the upstream that fill gaps of the first ones, in order." }),
  alternatives: z
    .array(z.strictObject({ name: UpstreamName, collection: name, furtherCollections: z.array(name).optional() }))
    .optional()
    .meta({ description: "Other upstreams that have the items: the first one that is there, where `name` is not." }),
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
  absentProperties: z.array(name).optional().meta({
    description: "Common properties that no item has, such as eo:cloud_cover: no queryables, and not sorted by.",
  }),
  filesSayNodata: z.boolean().optional().meta({
    description:
      "Whether each file says which of its samples are data, by its mask, nodata value or alpha band, as GDAL takes them; by default the nodata values of the bands do.",
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
