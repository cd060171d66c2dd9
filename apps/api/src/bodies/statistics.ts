import { z } from "@hono/zod-openapi";
import { type StatisticsRequest as EngineRequest, MAX_BINS } from "@swath/engine";
import { CloudMask, HarmonizeLevel, MosaickingOrder, Unit } from "@swath/schema";
import type { MemberNames } from "../errors/refusals.ts";
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

/** Farther than any value is: sums and differences of edges stay numbers. */
const FARTHEST_EDGE = 1e300;
const edge = z.number().min(-FARTHEST_EDGE).max(FARTHEST_EDGE);

const Histogram = z
  .strictObject({
    nBins: z.int().min(1).max(MAX_BINS).optional().openapi({ description: "So many bins of equal width." }),
    binWidth: z
      .number()
      .positive()
      .max(FARTHEST_EDGE)
      .optional()
      .openapi({ description: "Bins of this width, in the unit of the output." }),
    bins: z
      .array(edge)
      .min(2)
      .max(MAX_BINS + 1)
      .optional()
      .openapi({ description: "Edges of the bins, ascending, in the unit of the output." }),
    lowEdge: edge.optional().openapi({ description: "Default: the smallest value of the interval." }),
    highEdge: edge.optional().openapi({ description: "Default: the largest value of the interval." }),
  })
  .meta({ id: "HistogramSettings", description: "One of `nBins`, `binWidth` and `bins`." });

const Calculation = z
  .strictObject({
    percentiles: z
      .array(z.number().min(0).max(100))
      .min(1)
      .max(100)
      .optional()
      .openapi({ description: "Percent of the values that are below." }),
    histogram: Histogram.optional(),
  })
  .meta({ id: "Calculation" });
export type Calculation = z.infer<typeof Calculation>;

/** The body of POST /v1/statistics. */
export const StatisticsRequest = z
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
    index: z.string().min(1).optional().openapi({ description: "Id of an index of `/v1/schema`." }),
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
  .meta({ id: "StatisticsRequest" });
export type StatisticsRequest = z.infer<typeof StatisticsRequest>;

/** Names of the members of the engine's request in this body. */
export const STATISTICS_MEMBERS: MemberNames = {
  in: "body",
  names: {
    where: "/input/bounds",
    "where.crs": "/input/bounds/properties/crs",
    "where.frame": "/aggregation",
    "when.collections": "/input/data/0/type",
    "when.collections.0": "/input/data/0/type",
    "when.time": "/aggregation/timeRange",
    "when.every": "/aggregation/aggregationInterval/of",
    what: "",
    "what.units": "/input/data/0/processing/units",
    "what.mask": "/cloudMask",
    "into.calculations": "/calculations",
  },
};

/** Makes the engine's request of a body. */
export function statisticsRequest(body: StatisticsRequest): EngineRequest {
  const { bands, index, expression, harmonize, cloudMask: mask, calculations } = body;
  const { timeRange: time, aggregationInterval, width, height, resx, resy } = body.aggregation;
  const { bbox, geometry, properties } = body.input.bounds;
  const { type, dataFilter, processing } = body.input.data[0]!;
  return {
    where: { kind: "area", bbox, geometry, crs: properties?.crs, frame: { width, height, resx, resy } },
    when: {
      collections: [type],
      time,
      every: aggregationInterval?.of,
      maxCloudCover: dataFilter?.maxCloudCoverage,
      order: dataFilter?.mosaickingOrder,
    },
    what: { bands, index, expression, harmonize, units: processing?.units, mask },
    into: { kind: "intervals", calculations },
  };
}
