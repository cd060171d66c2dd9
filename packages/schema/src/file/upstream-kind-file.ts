import * as z from "zod";

const text = z.string().min(1);

/** Id of a kind of upstream, as `SWATH_UPSTREAMS` and files name it. */
export const UpstreamKindId = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

/** Operators of the STAC query extension that an upstream may evaluate. */
const QueryOperator = z.enum(["eq", "neq", "lt", "lte", "gt", "gte", "startsWith", "endsWith", "contains", "in"]);

/**
 * The abilities of one kind of upstream STAC API, as a file of data. The service itself does whatever a file does not
 * name, instead of asking the upstream for it; it does not ask for what the upstream's conformance does not name
 * either, whatever the file says.
 */
export const UpstreamKindFile = z
  .strictObject({
    $schema: z.string().optional(),
    kind: z.literal("upstream"),
    id: UpstreamKindId,
    title: text,
    description: text,
    hosts: z
      .array(z.string().regex(/^(\*\.)?[a-z0-9][a-z0-9.-]*(:\d{1,5})?$/))
      .optional()
      .meta({ description: "Hosts that are of this kind: `example.org`, `*.example.org`." }),
    sort: z.strictObject({
      fields: z.record(text, text).meta({
        description:
          "Fields that it sorts by: name of the property, `id` or `collection`, and how the upstream spells it.",
      }),
      otherProperties: z.boolean().meta({
        description: "Whether it sorts by any other property too, as `properties.` and its name.",
      }),
      missing: z.enum(["last", "unknown"]).meta({
        description: "Where items without a value stand: last in both directions, or not known.",
      }),
    }),
    conditions: z.strictObject({
      query: z
        .union([z.literal("any"), z.record(text, z.array(QueryOperator).min(1))])
        .optional()
        .meta({
          description: "Conditions of the query extension that it evaluates: `any`, or the operators of each property.",
        }),
      cql2: z
        .boolean()
        .meta({ description: "Whether it evaluates CQL2 JSON; the classes are those of its conformance." }),
      time: z.enum(["datetime", "overlap"]).meta({
        description: "What `datetime` finds: items whose datetime is in the interval, or all whose time overlaps it.",
      }),
    }),
    area: z.strictObject({
      intersects: z.boolean().meta({ description: "Whether it takes `intersects`; else boxes are sent in its place." }),
      margin: z.number().min(0).max(1).optional().meta({
        description:
          "Degrees by which boxes are made larger, for an upstream that joins the corners of footprints by great circles.",
      }),
      longitudes: z.enum(["globe", "plane"]).meta({
        description:
          "How it compares footprints at 180 degrees: on the globe, or as written, so that areas there are asked for more widely.",
      }),
    }),
    paging: z.strictObject({
      tokens: z.enum(["sort-values", "own"]).optional().meta({
        description:
          "Whether its tokens are the sort values of the last item, so that any can be made; absent: as its pages show.",
      }),
      cursor: text.optional().meta({
        description: "Parameter of its GET links to further pages that is posted with the body of the search instead.",
      }),
      size: z.int().min(1).max(1000).meta({ description: "Most items of one page." }),
      counts: z.boolean().meta({ description: "Whether its numbers of matches, where it gives them, are exact." }),
    }),
    rate: z.strictObject({
      perSecond: z.int().min(1).optional().meta({ description: "Requests that may start within any second." }),
      atOnce: z.int().min(1).optional().meta({ description: "Requests that may run at once." }),
    }),
    sources: z.array(text).optional().meta({ description: "Where these facts come from." }),
  })
  .meta({ id: "UpstreamKindFile", description: "What a kind of upstream STAC API can do." });
export type UpstreamKindFile = z.infer<typeof UpstreamKindFile>;
