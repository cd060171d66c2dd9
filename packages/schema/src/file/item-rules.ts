import * as z from "zod";
import { Pattern } from "./patterns.ts";

const property = z.string().min(1);

/** The text that a value is read from: a property or the `id`, as it stands or as a pattern finds it. */
export const ValueSource = z.strictObject({
  property: property.meta({ description: "Name of an upstream property, or `id`." }),
  pattern: Pattern.optional().meta({ description: "The value is read from what this matches." }),
  value: z.string().optional().meta({ description: "What is made of the match: `$1` … are its groups; default `$1`." }),
});
export type ValueSource = z.infer<typeof ValueSource>;

/** A rule that makes a property of the service's items from an upstream item. */
export const PropertyRule = z.discriminatedUnion("kind", [
  z
    .strictObject({ kind: z.literal("first-of"), property, from: z.array(ValueSource).min(1) })
    .meta({ description: "The first of these values that the item has." }),
  z
    .strictObject({ kind: z.literal("zero-pad"), property, width: z.int().min(1).max(20) })
    .meta({ description: "The property as text with leading zeros." }),
  z
    .strictObject({
      kind: z.literal("mgrs-tile"),
      property,
      prefixes: z.array(z.string().min(1)).meta({
        description: "Prefixes of `:utm_zone`, `:latitude_band`, `:grid_square`, in order of trust.",
      }),
      gridCode: property.meta({ description: "Property that holds MGRS- and the tile." }),
    })
    .meta({
      description: "MGRS tile with a zone of two digits, from the property itself, its parts, grid code or id.",
    }),
]);
export type PropertyRule = z.infer<typeof PropertyRule>;

/** A property that a collection adds to the queryables and sort fields of searches. */
export const QueryableFile = z.strictObject({
  name: property,
  kind: z.enum(["string", "strings", "number", "instant"]),
  title: z.string().min(1),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  pad: z.int().min(1).max(20).optional().meta({ description: "Digits of a number stored as text with zeros." }),
  upstream: z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("same") }).meta({ description: "The upstream writes the same values." }),
      z
        .strictObject({ kind: z.literal("mgrs-grid-code"), property })
        .meta({ description: "A tile is queried as MGRS- and the tile, with and without the zero of its zone." }),
    ])
    .optional()
    .meta({ description: "How the property is queried at the upstream; absent: its responses are filtered here." }),
  sortBy: z.array(property).min(1).optional().meta({
    description:
      "Upstream properties whose order is that of this property; absent: its own name where the upstream writes the same values, else the service sorts.",
  }),
});
export type QueryableFile = z.infer<typeof QueryableFile>;

/** The requirement of an extension's JSON Schema for one property. */
export const FieldRule = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("string"), pattern: Pattern.optional() }),
  z.strictObject({ type: z.literal("number"), minimum: z.number().optional(), maximum: z.number().optional() }),
]);
export type FieldRule = z.infer<typeof FieldRule>;

/** A STAC extension that items declare where their properties satisfy its JSON Schema. */
export const ExtensionRule = z.strictObject({
  url: z.url(),
  prefix: z.string().min(2).meta({ description: "How the names of its properties begin, such as `s2:`." }),
  fields: z.record(property, FieldRule),
  required: z.array(property).optional(),
  others: z.boolean().meta({ description: "Whether properties with the prefix may be there that `fields` lacks." }),
});
export type ExtensionRule = z.infer<typeof ExtensionRule>;
