import { QUERYABLES } from "../queryables.ts";
import { QUERY_OPERATORS } from "./stac-query.ts";

/*
 * Models of what bodies hold and this package reads: the router takes these members as they are, since the reader
 * says more about a fault than a model can. So they are written for the OpenAPI document alone.
 */

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const listOf = (items: Schema, minItems = 0): Schema => ({
  type: "array",
  items,
  ...(minItems === 0 ? {} : { minItems }),
});
const position: Schema = { type: "array", items: { type: "number" }, minItems: 2, maxItems: 3 };

function geometry(type: string, coordinates: Schema): Schema {
  return {
    type: "object",
    required: ["type", "coordinates"],
    properties: { type: { type: "string", enum: [type] }, coordinates },
  };
}

const ring = listOf(position, 4);
const SHAPES: Readonly<Record<string, Schema>> = {
  Point: geometry("Point", position),
  MultiPoint: geometry("MultiPoint", listOf(position)),
  LineString: geometry("LineString", listOf(position, 2)),
  MultiLineString: geometry("MultiLineString", listOf(listOf(position, 2))),
  Polygon: geometry("Polygon", listOf(ring, 1)),
  MultiPolygon: geometry("MultiPolygon", listOf(listOf(ring, 1), 1)),
  GeometryCollection: {
    type: "object",
    required: ["type", "geometries"],
    properties: {
      type: { type: "string", enum: ["GeometryCollection"] },
      geometries: listOf(ref("GeoJsonGeometry")),
    },
  },
};

const VALUES: Readonly<Record<string, Schema>> = {
  number: { type: "number" },
  instant: { type: "string", format: "date-time" },
  string: { type: "string" },
  strings: { type: "string" },
};

/** Conditions on a property, by the operators that its kind takes; several are joined by AND. */
function conditions(kind: string): Schema {
  const value = VALUES[kind] ?? {};
  const isText = kind === "string" || kind === "strings";
  const entries = QUERY_OPERATORS.flatMap((operator): [string, Schema][] => {
    if (operator === "in") return [[operator, listOf(value)]];
    if (["startsWith", "endsWith", "contains"].includes(operator))
      return isText ? [[operator, VALUES.string ?? {}]] : [];
    return [[operator, value]];
  });
  return { type: "object", additionalProperties: false, properties: Object.fromEntries(entries) };
}

const CONDITIONS: Readonly<Record<string, string>> = {
  number: "NumberConditions",
  instant: "TimeConditions",
  string: "TextConditions",
  strings: "TextConditions",
};

/** JSON Schemas by their names among the components of the OpenAPI document. */
export const BODY_SCHEMAS: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(Object.entries(SHAPES).map(([name, schema]) => [`GeoJson${name}`, schema])),
  GeoJsonGeometry: {
    description: "A GeoJSON geometry (RFC 7946), longitude before latitude.",
    oneOf: Object.keys(SHAPES).map((name) => ref(`GeoJson${name}`)),
  },
  GeoJsonArea: {
    description: "A GeoJSON Polygon or MultiPolygon.",
    oneOf: [ref("GeoJsonPolygon"), ref("GeoJsonMultiPolygon")],
  },
  NumberConditions: conditions("number"),
  TimeConditions: conditions("instant"),
  TextConditions: conditions("string"),
  ItemFilter: {
    description: "Conditions on properties (STAC query extension), all of which have to hold.",
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(QUERYABLES).map(([name, { kind }]) => [name, ref(CONDITIONS[kind] ?? "TextConditions")]),
    ),
  },
};
