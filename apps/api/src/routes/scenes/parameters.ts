import { z } from "@hono/zod-openapi";
import { FILTER_CRS, FILTER_LANGUAGES } from "@swath/query";

/** A parameter that takes comma-separated values. */
export const csv = (description: string, items: "string" | "number" = "string") =>
  z
    .string()
    .optional()
    .openapi({ type: "array", items: { type: items }, param: { style: "form", explode: false }, description });

/** Decimal digits, with a sign and an exponent where they are wanted: no blanks, no hexadecimal digits, not nothing. */
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A parameter that takes a number of a range. */
export const number = (low: number, high: number, description: string) =>
  z
    .preprocess(
      (text) => (typeof text === "string" && DECIMAL.test(text) ? Number(text) : text),
      z.number().min(low).max(high),
    )
    .openapi({ type: "number", minimum: low, maximum: high, description });

/** A parameter that takes text. */
export const text = (description: string) => z.string().optional().openapi({ description });

/** The parameters of a CQL2 filter. @param on the names that it may use. */
export const filterParameters = (on: string) => ({
  filter: text(`CQL2 filter on ${on}, AND all other conditions: text, or JSON where \`filter-lang\` says so.`),
  "filter-lang": z
    .string()
    .optional()
    .openapi({ enum: [...FILTER_LANGUAGES], default: "cql2-text" }),
  "filter-crs": z
    .string()
    .optional()
    .openapi({ enum: [FILTER_CRS], default: FILTER_CRS }),
});
