import { z } from "@hono/zod-openapi";
import { type FeaturesWhere, Refusal } from "@swath/engine";
import { refTo } from "./schema-ref.ts";

/** Largest body of a request that may have many features. */
export const MAX_FEATURES_BYTES = 2_097_152;

const Feature = z.looseObject({
  type: z.literal("Feature"),
  id: z
    .union([z.string().max(200), z.number()])
    .optional()
    .openapi({ description: "Default: its position, from 0." }),
  geometry: z.unknown().openapi(refTo("GeoJsonGeometry", "Point, Polygon or MultiPolygon (CRS84).")),
  properties: z.record(z.string(), z.unknown()).nullish(),
});

/** Fields and points, each answered for itself. */
export const Features = z
  .looseObject({
    type: z.literal("FeatureCollection"),
    features: z.array(Feature).openapi({ minItems: 1, maxItems: 1000 }),
  })
  .meta({ id: "FieldCollection", description: "GeoJSON FeatureCollection of at most 1,000 points and polygons." });
export type Features = z.infer<typeof Features>;

export const featuresWhere = ({ features }: Features, frame?: FeaturesWhere["frame"]): FeaturesWhere => ({
  kind: "features",
  features: features.map(({ id, geometry }) => ({ id, geometry })),
  frame,
});

/** @throws {Refusal} `invalid` for both of two members that say where, and for neither. */
export function checkOneWhere(area: unknown, features: unknown, name: string): void {
  if ((area === undefined) !== (features === undefined)) return;
  const got = area === undefined ? "neither" : "both";
  throw new Refusal("invalid", ["where"], `Expected ${name} or input.features, got ${got}.`);
}
