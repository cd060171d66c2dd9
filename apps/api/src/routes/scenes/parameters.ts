import { z } from "@hono/zod-openapi";

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
