/** Models of options and descriptions of curves in JSON, for services and their OpenAPI documents. */
import * as z from "zod";
import type { CurveDescription, CurveSeasons, CurveTrend } from "./describe.ts";
import { CurveError } from "./errors.ts";
import { CURVE_LIMITS, parseSmooth, SMOOTH_METHODS, type SmoothOptions, smoothSettings } from "./options.ts";

const { lambda, window, order } = CURVE_LIMITS;

/** A method that smooths a curve, and its settings. */
const Smooth = z
  .strictObject({
    method: z.enum(SMOOTH_METHODS).meta({
      description: "linear fills gaps alone; the others smooth too.",
    }),
    lambda: z
      .number()
      .min(lambda[0])
      .max(lambda[1])
      .optional()
      .meta({ description: "Of whittaker, default 10: the larger, the smoother." }),
    window: z
      .int()
      .min(window[0])
      .max(window[1])
      .optional()
      .meta({ description: "Of savitzky-golay: observations, odd; default 7." }),
    order: z
      .int()
      .min(order[0])
      .max(order[1])
      .optional()
      .meta({ description: "Of savitzky-golay: degree of the polynomial, less than the window; default 2." }),
  })
  .superRefine((asked, context) => addFault(context, () => smoothSettings(asked)))
  .meta({ id: "SmoothMethod", description: "A published method and its settings." });

const TREND = "A straight line by Theil and Sen, with the test of Mann and Kendall.";
const threshold = z.number().gt(0).lt(1).meta({
  description: "Share of the amplitude at which a season starts and ends: above 0, below 1; often 0.2 or 0.5.",
});

/** Members of a body that say how its curve is described. */
export const CURVE_MEMBERS = {
  smooth: Smooth.optional(),
  trend: z.enum(["theil-sen"]).optional().meta({ description: TREND }),
  season: z
    .strictObject({ threshold })
    .optional()
    .meta({ description: "Start, peak, end and amplitude of each season, of the smoothed curve where there is one." }),
} as const;

/** The same as parameters of a query, whose values are text: {@link parseSmooth}, and a number. */
export const CURVE_PARAMETERS = {
  smooth: z
    .string()
    .max(100)
    .superRefine((text, context) => addFault(context, () => parseSmooth(text)))
    .optional()
    .meta({
      description: "`whittaker`, `whittaker:LAMBDA`, `savitzky-golay`, `savitzky-golay:WINDOW:ORDER` or `linear`.",
      example: "whittaker:10",
    }),
  trend: z.enum(["theil-sen"]).optional().meta({ description: TREND }),
  season: z.coerce.number().gt(0).lt(1).optional().meta({
    type: "number",
    description: "Threshold of the seasons: share of the amplitude, above 0 and below 1.",
    example: 0.5,
  }),
} as const;

/** Values of {@link CURVE_PARAMETERS} as options. @throws {CurveError} */
export function curveOptionsOf(query: {
  readonly smooth?: string | undefined;
  readonly trend?: "theil-sen" | undefined;
  readonly season?: number | undefined;
}): { smooth?: SmoothOptions; trend?: "theil-sen"; season?: { readonly threshold: number } } {
  const { smooth, trend, season } = query;
  return {
    ...(smooth === undefined ? {} : { smooth: parseSmooth(smooth) }),
    ...(trend === undefined ? {} : { trend }),
    ...(season === undefined ? {} : { season: { threshold: season } }),
  };
}

/** Rule by which the pixels of a polygon become one number of a curve. */
export const SeriesReducer = z
  .union([
    z.enum(["mean", "median", "stdDev", "min", "max", "count", "majority"]),
    z.strictObject({ percentile: z.number().min(0).max(100) }),
    z.strictObject({ share: z.array(z.number()).min(1).max(32) }),
  ])
  .meta({
    id: "SeriesReducer",
    description:
      "`stdDev` is of the population; `percentile` is linear between the nearest values; `share` is that of the pixels whose value is one of these; `majority` is the class of most pixels.",
  });

const reference = z.string().meta({ description: "Where the method is published." });
const reason = z.string().optional().meta({ description: "Why there are no numbers." });
const time = z.string().meta({ format: "date-time" });
const number = z.number().nullable();

const Smoothed = z
  .object({
    method: z.enum(SMOOTH_METHODS),
    lambda: z.number().optional(),
    window: z.int().optional(),
    order: z.int().optional(),
    reference,
    values: z.array(number).meta({
      description: "One for each row of the series, in its order; null before the first value and after the last.",
    }),
    reason,
  })
  .meta({ id: "SmoothedCurve" });

const Trend = z
  .object({
    method: z.literal("theil-sen"),
    reference,
    slope: number.meta({ description: "Change of the value per 365.25 days." }),
    confidence: z
      .array(z.number())
      .length(2)
      .nullable()
      .meta({ description: "Slopes between which the true one is with a probability of 0.95." }),
    intercept: number.meta({ description: "Value of the line at `origin`." }),
    origin: time.nullable().meta({ description: "Time of the first value." }),
    count: z.int().meta({ description: "Values: rows without one are left out." }),
    reason,
    mannKendall: z
      .object({
        method: z.literal("mann-kendall"),
        reference,
        s: z.int().meta({ description: "Pairs of rows that rise, less those that fall." }),
        z: z.number().meta({ description: "`s` in standard deviations, with ties and continuity." }),
        p: z.number().meta({ description: "Two-sided probability that chance gives as much." }),
      })
      .meta({ description: "The test of whether values rise or fall at all." }),
  })
  .meta({ id: "CurveTrend" });

const Seasons = z
  .object({
    method: z.literal("threshold"),
    reference,
    threshold: z.number(),
    prominence: z.number().meta({
      description: "Share of the curve's range that a summit rises by where it is a season.",
    }),
    seasons: z.array(
      z.object({
        start: time.nullable().meta({ description: "null: the curve begins above the threshold." }),
        peak: time,
        end: time.nullable().meta({ description: "null: the curve ends above the threshold." }),
        peakValue: z.number(),
        base: z.number().meta({ description: "The lower one of the lowest values on both sides." }),
        amplitude: z.number().meta({ description: "`peakValue` less `base`." }),
      }),
    ),
    reason,
  })
  .meta({ id: "CurveSeasons" });

/** Members of an answer that describe its curve: of those that were asked for. */
export const CURVE_DESCRIPTIONS = {
  smooth: Smoothed.optional(),
  trend: Trend.optional(),
  season: Seasons.optional(),
} as const;
type Descriptions = { -readonly [K in keyof typeof CURVE_DESCRIPTIONS]?: z.infer<(typeof CURVE_DESCRIPTIONS)[K]> };

/** A description as these members: times as RFC 3339 has them. */
export function curveDocument({ smooth, trend, season }: CurveDescription): Descriptions {
  return {
    ...(smooth === undefined ? {} : { smooth: { ...smooth, values: [...smooth.values] } }),
    ...(trend === undefined ? {} : { trend: trendDocument(trend) }),
    ...(season === undefined ? {} : { season: seasonsDocument(season) }),
  };
}

const rfc3339 = (milliseconds: number): string => new Date(Math.round(milliseconds)).toISOString();
const orNull = (milliseconds: number | null): string | null => (milliseconds === null ? null : rfc3339(milliseconds));

const trendDocument = ({ confidence, origin, ...trend }: CurveTrend): z.infer<typeof Trend> => ({
  ...trend,
  confidence: confidence === null ? null : [...confidence],
  origin: orNull(origin),
});

const seasonsDocument = ({ seasons, ...rest }: CurveSeasons): z.infer<typeof Seasons> => ({
  ...rest,
  seasons: seasons.map(({ start, peak, end, reach: _, ...season }) => ({
    start: orNull(start),
    peak: rfc3339(peak),
    end: orNull(end),
    ...season,
  })),
});

/** Adds the fault that a reader of options throws, at the option that it names. */
function addFault(context: z.RefinementCtx, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof CurveError)) throw error;
    context.addIssue({
      code: "custom",
      message: error.message,
      path: error.option === undefined || typeof context.value === "string" ? [] : [error.option],
    });
  }
}
