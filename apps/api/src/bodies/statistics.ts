import { z } from "@hono/zod-openapi";
import type {
  StatisticsRequest as EngineRequest,
  FeaturesRequest,
  IntervalsInto,
  Measure,
  Request,
} from "@swath/engine";
import { CloudMask, HarmonizeLevel, MosaickingOrder, Unit } from "@swath/schema";
import { Calculation } from "@swath/schema/models";
import type { MemberNames } from "../errors/refusals.ts";
import { checkOneWhere, Features, featuresWhere } from "./features.ts";
import { MAX_SIDE, ProcessBounds } from "./process.ts";

const moment = z
  .string()
  .openapi({ description: "RFC 3339 date-time with zone, or a date alone: its whole day, UTC." });
const size = z.int().min(1).max(MAX_SIDE);
const resolution = z.number().positive();

const Data = z
  .strictObject({
    type: z.string().openapi({ description: "Collection id or alias." }),
    dataFilter: z
      .strictObject({
        maxCloudCoverage: z
          .number()
          .min(0)
          .max(100)
          .optional()
          .openapi({ default: 100, description: "Scenes of more cloud, in percent, are left out." }),
        mosaickingOrder: MosaickingOrder.optional().openapi({ default: "mostRecent" }),
      })
      .optional()
      .openapi({ description: "The time is that of `aggregation.timeRange`." }),
    processing: z
      .strictObject({
        units: Unit.optional().openapi({ description: "Default: REFLECTANCE, else the collection's `svc:units`." }),
      })
      .optional(),
  })
  .meta({ id: "StatisticsData" });

/** Statistics of one area. */
export const StatisticsOfArea = z
  .strictObject({
    input: z.strictObject({ bounds: ProcessBounds, data: z.array(Data).min(1).max(1) }),
    aggregation: z
      .strictObject({
        timeRange: z.strictObject({ from: moment, to: moment }),
        aggregationInterval: z
          .strictObject({
            of: z
              .string()
              .max(64)
              .optional()
              .openapi({ example: "P1M", description: "ISO 8601 duration; default: the whole time range." }),
          })
          .optional(),
        width: size.optional().openapi({ description: "Pixels; with `height`, instead of `resx` and `resy`." }),
        height: size.optional().openapi({ description: "Pixels; with `width`." }),
        resx: resolution.optional().openapi({
          description:
            "Pixel width in units of the CRS of `input.bounds`: degrees unless `properties.crs` is in metres. Default: the coarsest native resolution of the bands, in a UTM zone.",
        }),
        resy: resolution.optional().openapi({ description: "Pixel height in the unit of `resx`." }),
      })
      .meta({ id: "Aggregation" }),
    bands: z.array(z.string()).min(1).max(64).optional().openapi({
      description: "Common names, native names or aliases; instead of `index` and `expression`.",
    }),
    index: z.string().min(1).optional().openapi({ description: "Id or alias of an index of `/v1/schema`." }),
    expression: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .openapi({ description: "Band math over names of the collection's bands." }),
    cloudMask: CloudMask.optional(),
    harmonize: HarmonizeLevel.optional().openapi({
      description: "Default: offset_removed where the collection has it.",
    }),
    calculations: z
      .record(z.string(), Calculation)
      .optional()
      .openapi({ description: "Percentiles and histograms, under `default` or the name of an output." }),
  })
  .meta({ id: "StatisticsOfArea" });

/** The body of POST /v1/statistics. */
export const StatisticsRequest = StatisticsOfArea.extend({
  input: StatisticsOfArea.shape.input.extend({
    bounds: ProcessBounds.optional(),
    features: Features.optional().openapi({ description: "Instead of `bounds`: statistics of each." }),
  }),
  calculations: z
    .object({
      bands: z.array(z.string()).max(64).optional(),
      indices: z.array(z.string()).max(64).optional(),
      expressions: z.record(z.string(), z.string().min(1).max(2000)).optional(),
    })
    .catchall(Calculation)
    .optional()
    .openapi({
      description:
        "Several outputs, by `bands`, `indices` and `expressions` (by name), instead of those outside; beside them percentiles and histograms, under `default` or the name of an output.",
    }),
}).meta({ id: "StatisticsRequest" });
export type StatisticsRequest = z.infer<typeof StatisticsRequest>;

/** Names of the members of the engine's request in this body. */
export const STATISTICS_MEMBERS: MemberNames = {
  in: "body",
  names: {
    where: "/input/bounds",
    "where.features": "/input/features/features",
    "where.crs": "/input/bounds/properties/crs",
    "where.frame": "/aggregation",
    "when.collections": "/input/data/0/type",
    "when.collections.0": "/input/data/0/type",
    "when.time": "/aggregation/timeRange",
    "when.every": "/aggregation/aggregationInterval/of",
    what: "",
    "what.units": "/input/data/0/processing/units",
    "what.mask": "/cloudMask",
    "what.measures": "/calculations",
    "into.calculations": "/calculations",
  },
};

/** Statistics of an area, or of features. */
type OfEither = Request<EngineRequest["where"] | FeaturesRequest["where"], IntervalsInto>;

/** Makes the engine's request of a body. @throws {Refusal} `invalid` for bounds beside features. */
export function statisticsRequest(body: z.infer<typeof StatisticsOfArea>): EngineRequest;
export function statisticsRequest(body: StatisticsRequest): OfEither;
export function statisticsRequest(body: StatisticsRequest): OfEither {
  const { index, expression, harmonize, cloudMask: mask } = body;
  const { bands: several, indices, expressions, ...calculations } = body.calculations ?? {};
  const { timeRange: time, aggregationInterval, width, height, resx, resy } = body.aggregation;
  const { bounds, features } = body.input;
  checkOneWhere(bounds, features, "input.bounds");
  const { bbox, geometry, properties } = bounds ?? {};
  const { type, dataFilter, processing } = body.input.data[0]!;
  const frame = { width, height, resx, resy };
  const measures = [
    ...(several ?? []).map((name, i) => ({ name, band: name, at: ["bands", i] })),
    ...(indices ?? []).map((name, i) => ({ name, index: name, at: ["indices", i] })),
    ...Object.entries(expressions ?? {}).map(([name, text]) => ({ name, expression: text, at: ["expressions", name] })),
  ] satisfies Measure[];
  const isSeveral = (several ?? indices ?? expressions) !== undefined;
  return {
    where:
      features === undefined
        ? { kind: "area", bbox, geometry, crs: properties?.crs, frame }
        : featuresWhere(features, frame),
    when: {
      collections: [type],
      time,
      every: aggregationInterval?.of,
      maxCloudCover: dataFilter?.maxCloudCoverage,
      order: dataFilter?.mosaickingOrder,
    },
    what: {
      ...{ bands: body.bands, index, expression, harmonize, units: processing?.units, mask },
      ...(isSeveral ? { measures } : {}),
    },
    into: { kind: "intervals", calculations },
  };
}
