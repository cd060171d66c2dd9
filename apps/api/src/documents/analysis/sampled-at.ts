import { z } from "@hono/zod-openapi";

/** The member of answers for areas that hold no pixel's centre. */
export const SampledAt = z.array(z.number()).min(2).max(2).openapi({
  description:
    "Longitude and latitude, degrees: the area holds no pixel's centre, and has the value of the pixel around this point in it.",
});

/** The same in a header, for tables and charts, which have no member for it. */
export const SAMPLED_HEADER = {
  "X-Sampled-At": {
    description: "Longitude and latitude of the point whose pixel stands for an area that holds no pixel's centre.",
    schema: { type: "string" },
  },
} as const;

export const sampledHeader = (
  point: readonly [longitude: number, latitude: number] | undefined,
): { readonly "X-Sampled-At"?: string } => (point === undefined ? {} : { "X-Sampled-At": point.join(",") });
