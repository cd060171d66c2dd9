import { BODY_SCHEMAS } from "@swath/query";

type Schema = (typeof BODY_SCHEMAS)[string];

/**
 * Components in short, for a model: it knows GeoJSON, and the operators of conditions are the same for all properties. What a schema
 * lets through beside is refused where the tool is called, with what was expected.
 */
const SHORT: Readonly<Record<string, Schema>> = {
  GeoJsonGeometry: geometryOf(
    "Point",
    "MultiPoint",
    "LineString",
    "MultiLineString",
    "Polygon",
    "MultiPolygon",
    "GeometryCollection",
  ),
  GeoJsonArea: geometryOf("Polygon", "MultiPolygon"),
  NumberConditions: conditionsOf("a number"),
  TextConditions: conditionsOf("text", ", startsWith, endsWith, contains"),
  TimeConditions: conditionsOf("an RFC 3339 time"),
};

function geometryOf(...types: readonly string[]): Schema {
  return {
    type: "object",
    description: "GeoJSON, degrees, longitude before latitude.",
    required: ["type"],
    properties: {
      type: { enum: types, description: "Its type." },
      coordinates: { type: "array", description: "Degrees." },
    },
  };
}

function conditionsOf(value: string, more = ""): Schema {
  return { type: "object", description: `eq, neq, lt, lte, gt, gte${more}: ${value}; in: several.` };
}

/** The components that the schemas of tools refer to. */
export const TOOL_COMPONENTS: Readonly<Record<string, Schema>> = { ...BODY_SCHEMAS, ...SHORT };
