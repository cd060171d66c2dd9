import { z } from "@hono/zod-openapi";

/** A parameter that takes comma-separated values. */
export const csv = (description: string, items: "string" | "number" = "string") =>
  z
    .string()
    .optional()
    .openapi({ type: "array", items: { type: items }, param: { style: "form", explode: false }, description });

/** A parameter that takes text. */
export const text = (description: string) => z.string().optional().openapi({ description });
