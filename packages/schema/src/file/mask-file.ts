import * as z from "zod";
import { MaskClass, MaskSource } from "../vocabulary.ts";

const common = {
  source: MaskSource,
  band: z.string().min(1).meta({ description: "Native name of the band that holds the mask." }),
};

/** Each stored value is one class. */
export const ClassTableMask = z.strictObject({
  kind: z.literal("class-table"),
  ...common,
  classes: z.array(MaskClass).min(1).max(65_536).meta({
    description: "Class of each stored value, by position. Values beyond the list are unclassified.",
  }),
  movable: z
    .array(z.strictObject({ value: z.int().min(0), setting: z.enum(["scl7"]) }))
    .optional()
    .meta({ description: "Stored values whose class a setting of `cloudMask` decides." }),
});
export type ClassTableMask = z.infer<typeof ClassTableMask>;

const bit = z.int().min(0).max(31);

/** Each bit that is set adds a class; fields of two bits hold a confidence: 0 not set, 1 low, 2 medium, 3 high. */
export const BitFlagsMask = z.strictObject({
  kind: z.literal("bit-flags"),
  ...common,
  bits: z.array(z.strictObject({ bit, class: MaskClass, meaning: z.string().min(1) })).min(1),
  confidences: z
    .array(
      z.strictObject({
        bits: z.tuple([bit, bit]).meta({ description: "Low and high bit, neighbours." }),
        class: MaskClass,
        setting: z.enum(["cloudConfidence"]).optional().meta({
          description: "Setting of `cloudMask` from whose confidence on the class is added; absent: never added.",
        }),
      }),
    )
    .optional(),
});
export type BitFlagsMask = z.infer<typeof BitFlagsMask>;

/** A rule that turns the values of a mask band into mask classes. */
export const MaskFile = z.discriminatedUnion("kind", [ClassTableMask, BitFlagsMask]);
export type MaskFile = z.infer<typeof MaskFile>;
