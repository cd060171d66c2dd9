import {
  ANY,
  CUBE,
  callback,
  type JsonSchema,
  type ProcessDefinition,
  type ProcessParameter,
  parameter,
} from "./definition.ts";

export const DATA = parameter("data", "A data cube.", CUBE);
export const RETURNS = (description: string): ProcessDefinition["returns"] => ({ description, schema: CUBE });
export const ARRAY: JsonSchema = { type: "array", subtype: "labeled-array", items: ANY };
export const REDUCER = parameter(
  "reducer",
  "A process graph that gives one number for an array.",
  callback([["data", "The values.", ARRAY]], ANY),
);
export const GEOJSON: JsonSchema = { type: "object", subtype: "geojson", description: "GeoJSON in degrees (CRS84)." };
export const TEXT: JsonSchema = { type: "string" };
export const OPTIONAL_TEXT: JsonSchema = { type: ["string", "null"] };
export const LABELS: JsonSchema = { type: "array", items: { anyOf: [{ type: "number" }, { type: "string" }] } };
export const CRS = {
  description: "EPSG code: 4326, 3857, 32601-32660 or 32701-32760.",
  anyOf: [{ type: "integer", subtype: "epsg-code" }, { type: "string" }],
  default: 4326,
};
export const BOX: JsonSchema = {
  title: "Bounding box",
  type: "object",
  subtype: "bounding-box",
  required: ["west", "south", "east", "north"],
  properties: {
    west: { type: "number" },
    south: { type: "number" },
    east: { type: "number" },
    north: { type: "number" },
    crs: CRS,
  },
};
export const INTERVAL: JsonSchema = {
  type: "array",
  subtype: "temporal-interval",
  minItems: 2,
  maxItems: 2,
  items: {
    anyOf: [
      { type: "string", format: "date-time", subtype: "date-time" },
      { type: "string", format: "date", subtype: "date" },
      { type: "null" },
    ],
  },
};
export const DIMENSION = (description: string, otherwise?: { readonly default: null }): ProcessParameter =>
  parameter("dimension", description, otherwise === undefined ? TEXT : OPTIONAL_TEXT, otherwise);
export const NO_DIMENSION = { DimensionNotAvailable: "There is no dimension of that name." };
