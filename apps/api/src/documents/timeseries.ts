import { z } from "@hono/zod-openapi";
import type { Observation, Timeseries } from "@swath/engine/node";
import { Problem } from "@swath/problem";
import { MaskClass } from "@swath/schema";
import { refTo } from "../bodies/schema-ref.ts";
import { SampledAt } from "./sampled-at.ts";
import { skippedProblem } from "./skipped-scenes.ts";

const Row = z
  .object({
    datetime: z.string().openapi({ format: "date-time" }),
    itemId: z.string().openapi({ description: "The item that gave the pixels, the one on top where several did." }),
    collection: z.string().openapi({ description: "The item's own collection: a member of optical-sr." }),
    platform: z.string().nullable(),
    value: z.number().nullable().openapi({ description: "null: every pixel is masked, or no scene could be read." }),
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

function rowOf({ skipped, sampledAt, ...row }: Observation, baseUrl: string): z.infer<typeof Row> {
  const problem = skippedProblem(skipped, baseUrl);
  return {
    ...row,
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
  const { index, expression, harmonize, unit, bandUnits } = spec.programs;
  const sampledAt = sampledPoint(observations);
  return {
    geometry: spec.place.geometry,
    collections: spec.matches.map(({ collection, alias }) => alias?.id ?? collection.id),
    index: index ?? null,
    ...(index === undefined ? { expression } : {}),
    harmonize,
    count: observations.length,
    series: observations.map((row) => rowOf(row, baseUrl)),
    ...(unit === undefined ? {} : { unit }),
    bandUnits: { ...bandUnits },
    ...(sampledAt === undefined ? {} : { sampledAt: [...sampledAt] }),
    attribution: [...attribution],
    undetectable: structuredClone(undetectable) as Record<string, MaskClass[]>,
  };
}
