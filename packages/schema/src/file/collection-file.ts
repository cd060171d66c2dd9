import * as z from "zod";
import { Recipe } from "../preset/preset.ts";
import { CollectionId, HarmonizeLevel, PseudoBand, Unit } from "../vocabulary.ts";
import { BandFile, OffsetRule, ScalingRule } from "./band-file.ts";
import { BandpassTable, NadirTable } from "./harmonization-file.ts";
import { ExtensionRule, PropertyRule, QueryableFile } from "./item-rules.ts";
import { MaskFile } from "./mask-file.ts";
import { StorageFile } from "./storage-file.ts";
import { UpstreamFile } from "./upstream-file.ts";
import { Membership, type VirtualCollectionFile } from "./virtual-file.ts";

const text = z.string().min(1);

/** Another id for a collection, in a collection file. */
const AliasFile = z.strictObject({
  id: text,
  source: text.meta({ description: "Who uses this id." }),
  group: text.meta({ description: "Family of services that share the id." }),
  query: z
    .record(text, z.strictObject({ eq: text }))
    .optional()
    .meta({ description: "Restriction that the alias implies: property to the value it equals." }),
});

/**
 * A collection as a file of data: all facts about one sensor's product. Code implements the kinds of rules;
 * the file names them with their parameters.
 */
export const CollectionFile = z
  .strictObject({
    $schema: z.string().optional(),
    id: CollectionId,
    title: text,
    description: text,
    keywords: z.array(text).optional(),
    license: z
      .string()
      .regex(/^[\w\-.+]+$/)
      .meta({ description: "SPDX id, or `other` with a license link." }),
    licenseLink: z.strictObject({ href: z.url(), title: text, type: text }),
    providers: z.array(
      z.strictObject({
        name: text,
        roles: z.array(z.enum(["licensor", "producer", "processor", "host"])),
        url: z.url(),
      }),
    ),
    doi: z
      .string()
      .regex(/^10\.[0-9a-zA-Z]{4,}\/\S+$/)
      .optional()
      .meta({ description: "Digital object identifier of the product." }),
    attribution: text.meta({ description: "Credit line; `{years}` stands for acquisition years." }),
    start: z.iso.datetime().meta({ description: "First acquisition, RFC 3339; the end is open." }),
    defaultTime: z.literal("all").optional().meta({
      description: "Images without a time show all acquisitions; absent: those of the preset's window, which ends now.",
    }),
    platforms: z
      .array(z.string().regex(/^[a-z0-9.-]+$/))
      .optional()
      .meta({ description: "Platforms served, in lower case with hyphens; absent: those that the items name." }),
    constellation: text.optional(),
    instruments: z.array(text).optional(),
    aliases: z.array(AliasFile).optional(),
    upstream: UpstreamFile,
    memberOf: z.array(Membership).optional().meta({ description: "Virtual collections that have its items too." }),
    properties: z
      .array(PropertyRule)
      .optional()
      .meta({ description: "Properties made from upstream items, in order." }),
    queryables: z.array(QueryableFile).optional(),
    extensions: z.array(ExtensionRule).optional(),
    storage: StorageFile.optional(),
    offsetRules: z.record(text, OffsetRule).optional().meta({ description: "Rules that bands name by `offsetRule`." }),
    scaling: ScalingRule.optional().meta({
      description: "Where the factors of spectral and thermal bands are; absent: in each band.",
    }),
    bands: z.array(BandFile).min(1),
    indexBands: z.record(text, text).optional().meta({
      description:
        "Bands that indices read in place of others, by common names: those that every sensor of the collection has.",
    }),
    mask: MaskFile.optional().meta({ description: "Absent: nothing is known of clouds." }),
    pseudoBands: z.array(PseudoBand).optional(),
    units: z.array(Unit).min(1),
    defaultUnits: Unit,
    processUnits: z.array(Unit).min(1).optional().meta({
      description: "Units that a process request may ask for; default REFLECTANCE and DN.",
    }),
    harmonize: z.strictObject({
      default: HarmonizeLevel,
      levels: z
        .partialRecord(HarmonizeLevel, text)
        .meta({ description: "Levels offered, each with what it does to the values, in words." }),
      bandpass: z
        .array(BandpassTable)
        .min(1)
        .optional()
        .meta({ description: "Coefficients of the level `bandpass_adjusted`: one table a platform." }),
      nbar: NadirTable.optional().meta({ description: "Kernel weights and angles of the level `nbar`." }),
    }),
    zoom: z.strictObject({ min: z.int().min(0).max(24), max: z.int().min(0).max(24) }),
    recipes: z.record(text, z.strictObject(Recipe.shape)).optional().meta({
      description: "Preset id to how it is rendered. A preset is offered for collections that have a recipe.",
    }),
    sources: z.array(text).optional().meta({ description: "Where the published constants come from." }),
  })
  .meta({ id: "CollectionFile", description: "A collection of the service as a file of data." });
export type CollectionFile = z.infer<typeof CollectionFile>;

/** A collection file of either kind. */
export type AnyCollectionFile = CollectionFile | VirtualCollectionFile;

/** Whether a file is one of a virtual collection. */
export function isVirtualFile(file: AnyCollectionFile): file is VirtualCollectionFile {
  return "kind" in file;
}
