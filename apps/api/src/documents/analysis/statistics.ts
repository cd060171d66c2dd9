import { z } from "@hono/zod-openapi";
import type { IntervalsInto } from "@swath/engine";
import type { FeatureResults, Statistics } from "@swath/engine/node";
import { type FeatureResult, factsOfAll, type StatisticsRow, statisticsRows } from "@swath/engine/results";
import { Problem } from "@swath/problem";
import { MaskClass } from "@swath/schema";
import { jsonParts } from "@swath/web/answers";
import type { Features } from "../../bodies/features.ts";
import { SampledAt } from "./sampled-at.ts";
import { featureProblem, skippedProblem } from "./skipped-scenes.ts";

const value = z.number().nullable();

const Output = z
  .object({
    unit: z.string().optional().openapi({
      description: "Of the values: REFLECTANCE, KELVIN ... of a band, 1 of an index; absent of an expression.",
    }),
    stats: z.object({
      min: value,
      max: value,
      mean: value,
      stDev: value.openapi({ description: "Of the population." }),
      sampleCount: z.int().openapi({ description: "Pixels of the geometry." }),
      noDataCount: z.int().openapi({ description: "Those that are masked, missing or outside of scenes." }),
      percentiles: z.record(z.string(), value).optional(),
    }),
    histogram: z
      .object({
        bins: z.array(z.object({ lowEdge: z.number(), highEdge: z.number(), count: z.int() })),
        overflowCount: z.int(),
        underflowCount: z.int(),
      })
      .optional(),
  })
  .meta({ id: "OutputStatistics" });

const Row = z
  .object({
    interval: z.object({
      from: z.string().openapi({ format: "date-time" }),
      to: z.string().openapi({ format: "date-time" }),
    }),
    outputs: z.record(z.string(), Output),
    itemIds: z.array(z.string()).openapi({ description: "Items that gave pixels, first on top." }),
    problem: Problem.optional().openapi({ description: "Which scenes were left out, and why." }),
  })
  .meta({ id: "IntervalStatistics" });

/** Statistics of one area. */
export const StatisticsDocument = z
  .object({
    data: z.array(Row),
    status: z.enum(["OK", "PARTIAL"]).openapi({ description: "`PARTIAL`: an interval has a `problem`." }),
    units: z.string().openapi({
      description: "Unit of the bands that are read; where they have several, the one that was asked for.",
    }),
    bandUnits: z.record(z.string(), z.string()).openapi({
      description: "Units of the bands that are read, by native name, of which indices and expressions are computed.",
    }),
    attribution: z.array(z.string()),
    undetectable: z.record(z.string(), z.array(MaskClass)).openapi({
      description: "Classes to drop that the mask of a collection cannot detect, by the scenes' collection.",
    }),
    sampledAt: SampledAt.optional(),
    approximate: z
      .literal(true)
      .optional()
      .openapi({ description: "Percentiles, or bins without edges, of more than 4,000,000 values: ranks to 0.5 %." }),
  })
  .meta({ id: "Statistics" });

const Feature = z.object({
  id: z.union([z.string(), z.number()]),
  data: z.array(Row),
  sampledAt: SampledAt.optional(),
  problem: Problem.optional().openapi({ description: "Why this feature alone has no numbers." }),
});

/** Statistics of several features, in the order of the request. */
export const FeatureStatistics = StatisticsDocument.omit({ data: true, sampledAt: true })
  .extend({ features: z.array(Feature) })
  .meta({ id: "FeatureStatistics" });

/** The features that were sent, with their statistics. */
export const StatisticsFeatures = FeatureStatistics.extend({
  type: z.literal("FeatureCollection"),
  features: z.array(
    z.looseObject({ type: z.literal("Feature"), properties: z.looseObject({ statistics: z.array(Row) }) }),
  ),
}).meta({ id: "StatisticsFeatures" });

function rowOf({ skipped, itemIds, outputs, interval }: StatisticsRow, baseUrl: string): z.infer<typeof Row> {
  const problem = skippedProblem(skipped, baseUrl);
  return {
    interval,
    outputs: structuredClone(outputs) as z.infer<typeof Row>["outputs"],
    itemIds: [...itemIds],
    ...(problem === undefined ? {} : { problem }),
  };
}

/**
 * Statistics as the answer to a request gives them.
 *
 * @param rows those of `statisticsRows`
 * @param baseUrl that of links to kinds of problems
 */
export function statisticsDocument(
  { intervals, attribution, undetectable, units, bandUnits, sampledAt }: Statistics,
  rows: readonly StatisticsRow[],
  baseUrl: string,
): z.infer<typeof StatisticsDocument> {
  return {
    data: rows.map((row) => rowOf(row, baseUrl)),
    status: rows.some(({ skipped }) => skipped.length > 0) ? "PARTIAL" : "OK",
    units,
    bandUnits: { ...bandUnits },
    attribution: [...attribution],
    undetectable: structuredClone(undetectable) as Record<string, MaskClass[]>,
    ...(sampledAt === undefined ? {} : { sampledAt: [...sampledAt] }),
    ...(isApproximate({ intervals }) ? { approximate: true } : {}),
  };
}

const isApproximate = ({ intervals }: Pick<Statistics, "intervals">): boolean =>
  intervals.some(({ outputs }) => outputs.some((output) => output.approximate));

/** Statistics of features as the parts of an answer's text; with the request's own features as GeoJSON. */
export function featureStatistics(
  features: FeatureResults<Statistics>["features"],
  into: IntervalsInto,
  { baseUrl, sent }: { readonly baseUrl: string; readonly sent: Features | undefined },
): Iterable<string> {
  const results = features.flatMap(({ result }) => result ?? []);
  const isPartial = ({ intervals }: Statistics): boolean => intervals.some(({ skipped }) => skipped.length > 0);
  const [first] = results;
  return jsonParts("features", features, rowsOf, {
    ...(sent === undefined ? {} : { type: "FeatureCollection" }),
    status: results.length < features.length || results.some(isPartial) ? "PARTIAL" : "OK",
    units: first?.units ?? "",
    bandUnits: first?.bandUnits ?? {},
    ...factsOfAll(features),
    ...(results.some(isApproximate) ? { approximate: true } : {}),
  });
  function rowsOf({ id, result, refusal }: FeatureResult<Statistics>, i: number): unknown {
    const data = result === undefined ? [] : statisticsRows(result, into).map((row) => rowOf(row, baseUrl));
    const { sampledAt } = result ?? {};
    const more = { sampledAt, problem: refusal && featureProblem(refusal, baseUrl) };
    if (sent === undefined) return { id, data, ...more };
    const feature = sent.features[i];
    return { ...feature, id, properties: { ...feature?.properties, statistics: data, ...more } };
  }
}
