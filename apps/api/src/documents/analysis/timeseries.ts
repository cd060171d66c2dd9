import { z } from "@hono/zod-openapi";
import { CURVE_DESCRIPTIONS, curveDocument } from "@swath/curve/models";
import type { FeatureResults, Observation, Timeseries } from "@swath/engine/node";
import { type FeatureResult, factsOfAll } from "@swath/engine/results";
import { Problem } from "@swath/problem";
import { MaskClass } from "@swath/schema";
import { jsonParts } from "@swath/web/answers";
import { refTo } from "../../bodies/schema-ref.ts";
import { SampledAt } from "./sampled-at.ts";
import { featureProblem, skippedProblem } from "./skipped-scenes.ts";

const Row = z
  .object({
    datetime: z.string().openapi({ format: "date-time" }),
    itemId: z.string().openapi({ description: "The item that gave the pixels, the one on top where several did." }),
    collection: z.string().openapi({ description: "The item's own collection: a member of optical-sr." }),
    platform: z.string().nullable(),
    value: z
      .number()
      .nullable()
      .optional()
      .openapi({ description: "null: every pixel is masked, or no scene could be read; absent of several measures." }),
    values: z.record(z.string(), z.number().nullable()).optional().openapi({ description: "Of several measures." }),
    reducers: z.record(z.string(), z.number().nullable()).optional().openapi({
      description: "Numbers of `reducers` by name: mean, p90 of a percentile, share_4_5 of a share.",
    }),
    validFraction: z
      .number()
      .nullable()
      .openapi({ description: "Share of the pixels that have a value, 0 to 1; null: no scene could be read." }),
    harmonization: z.string(),
    sampledAt: SampledAt.optional(),
    problem: Problem.optional().openapi({ description: "Which scenes can never be read, and why." }),
  })
  .meta({ id: "Observation" });

/** The answer of GET and POST /v1/timeseries. */
export const TimeseriesDocument = z
  .object({
    geometry: z.unknown().openapi(refTo("GeoJsonGeometry", "What was asked for.")),
    collections: z.array(z.string()),
    index: z.string().nullable(),
    expression: z.string().optional().openapi({ description: "Of a series without index." }),
    harmonize: z.string(),
    count: z.int().openapi({ description: "Observations." }),
    series: z.array(Row).openapi({ description: "One row for each overpass, oldest first." }),
    ...CURVE_DESCRIPTIONS,
    measures: z
      .array(z.object({ name: z.string(), expression: z.string(), unit: z.string().optional() }))
      .optional()
      .openapi({ description: "Several measures; `index` is null then." }),
    unit: z.string().optional().openapi({
      description: "Of the values: REFLECTANCE, KELVIN ... of a band, 1 of an index; absent of an expression.",
    }),
    bandUnits: z.record(z.string(), z.string()).openapi({
      description: "Units of the bands that index or expression name, of which values are computed.",
    }),
    sampledAt: SampledAt.optional(),
    attribution: z.array(z.string()),
    undetectable: z.record(z.string(), z.array(MaskClass)).openapi({
      description: "Classes to drop that the mask of a collection cannot detect, by the scenes' collection.",
    }),
  })
  .meta({ id: "Timeseries" });

const Feature = z.object({
  id: z.union([z.string(), z.number()]),
  rows: z.array(Row).openapi({ description: "One row for each overpass, oldest first." }),
  problem: Problem.optional().openapi({ description: "Why this feature alone has no series." }),
});

/** Series of several features, in the order of the request. */
export const FeatureSeries = TimeseriesDocument.omit({
  ...{ geometry: true, count: true, series: true, sampledAt: true },
  ...{ smooth: true, trend: true, season: true },
})
  .extend({ features: z.array(Feature) })
  .meta({ id: "FeatureSeries" });

function rowOf(observation: Observation, baseUrl: string): z.infer<typeof Row> {
  const { skipped, sampledAt, value, values, reducers, ...row } = observation;
  const problem = skippedProblem(skipped, baseUrl);
  const { datetime, itemId, collection, platform, ...more } = row;
  return {
    ...{ datetime, itemId, collection, platform },
    ...(values === undefined ? { value } : { values }),
    ...(reducers === undefined ? {} : { reducers: { ...reducers } }),
    ...more,
    ...(sampledAt === undefined ? {} : { sampledAt: [...sampledAt] }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The point whose pixel stands for the polygon in some of the rows: pixels of some collections may be larger than it. */
export const sampledPoint = (observations: readonly Observation[]): Observation["sampledAt"] =>
  observations.find(({ sampledAt }) => sampledAt !== undefined)?.sampledAt;

/** A series as the answer to a request gives it; `baseUrl` is that of links to kinds of problems. */
export function timeseriesDocument(series: Timeseries, baseUrl: string): z.infer<typeof TimeseriesDocument> {
  const { spec, observations, attribution, undetectable } = series;
  const sampledAt = sampledPoint(observations);
  const { collections, index, expression, harmonize, ...more } = askedOf(spec);
  return {
    geometry: spec.place.geometry,
    collections,
    index,
    ...(expression === undefined ? {} : { expression }),
    harmonize,
    count: observations.length,
    series: observations.map((row) => rowOf(row, baseUrl)),
    ...curveDocument(series.curve),
    ...more,
    ...(sampledAt === undefined ? {} : { sampledAt: [...sampledAt] }),
    attribution: [...attribution],
    undetectable: structuredClone(undetectable) as Record<string, MaskClass[]>,
  };
}

/** The members of an answer that say what was asked for, as it was understood. */
function askedOf({ matches, programs }: Timeseries["spec"]) {
  const { index = null, expression, harmonize, unit, bandUnits, measures } = programs;
  return {
    collections: matches.map(({ collection, alias }) => alias?.id ?? collection.id),
    index: measures === undefined ? index : null,
    ...(index === null && measures === undefined ? { expression } : {}),
    harmonize,
    ...(unit === undefined ? {} : { unit }),
    ...(measures === undefined ? {} : { measures: measures.map((each) => ({ ...each })) }),
    bandUnits: { ...bandUnits },
  };
}

/** Series of features as the parts of an answer's text. */
export function featureSeries(features: FeatureResults<Timeseries>["features"], baseUrl: string): Iterable<string> {
  const toValue = ({ id, result, refusal }: FeatureResult<Timeseries>): unknown => ({
    id,
    rows: result?.observations.map((row) => rowOf(row, baseUrl)) ?? [],
    problem: refusal && featureProblem(refusal, baseUrl),
  });
  const known = features.find(({ result }) => result !== undefined)?.result;
  return jsonParts("features", features, toValue, { ...(known && askedOf(known.spec)), ...factsOfAll(features) });
}
