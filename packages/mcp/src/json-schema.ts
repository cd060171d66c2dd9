import { OpenAPIHono, z } from "@hono/zod-openapi";
import { BODY_SCHEMAS, type Schema } from "../documents/body-schemas.ts";

const COMPONENTS = "#/components/schemas/";
const WRAPPED = "Wrapped";

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

/** Returns the OpenAPI document's description of a schema, and the components that it may refer to. */
function describe(schema: z.ZodType): { readonly root: unknown; readonly components: Schema } {
  const app = new OpenAPIHono();
  // only objects made by this package's zod can be registered
  app.openAPIRegistry.register(WRAPPED, z.object({ value: schema }));
  const { components = {} } = app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: WRAPPED, version: "1" } });
  const { [WRAPPED]: wrapped, ...generated } = components.schemas ?? {};
  const { value } = (wrapped as { properties: { value: unknown } }).properties;
  return { root: value, components: { ...BODY_SCHEMAS, ...generated, ...SHORT } };
}

const nameOf = (reference: unknown): string | undefined =>
  typeof reference === "string" && reference.startsWith(COMPONENTS) ? reference.slice(COMPONENTS.length) : undefined;

/**
 * A zod schema as JSON Schema 2020-12 that stands alone: what the OpenAPI document says of it, with the components that it
 * refers to under `$defs`, those of many words in short.
 */
export function jsonSchemaOf(schema: z.ZodType): Schema {
  const { root, components } = describe(schema);
  const definitions = new Map<string, unknown>();
  /** The value with its references led to `$defs`. */
  const localize = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(localize);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
      const name = key === "$ref" ? nameOf(member) : undefined;
      if (name === undefined) return [key, localize(member)];
      if (!definitions.has(name)) {
        definitions.set(name, undefined); // a definition may refer to itself
        definitions.set(name, localize(components[name]));
      }
      return [key, `#/$defs/${name}`];
    });
    return Object.fromEntries(entries);
  };
  const name = nameOf((root as { readonly $ref?: unknown }).$ref);
  const own = localize(name === undefined ? root : components[name]) as Schema;
  return definitions.size === 0 ? own : { ...own, $defs: Object.fromEntries(definitions) };
}

/**
 * A schema with other descriptions of its members, by their paths.
 *
 * @throws {TypeError} for a path that does not exist.
 */
export function withNotes(schema: Schema, notes: Readonly<Record<string, string>>): Schema {
  const copy = structuredClone(schema) as Record<string, unknown>;
  for (const [path, description] of Object.entries(notes)) {
    const names = path.split(".");
    const [first = ""] = names;
    const definition = (copy.$defs as Record<string, unknown> | undefined)?.[first];
    const start = definition ?? copy;
    const member = names.slice(definition === undefined ? 0 : 1).reduce<unknown>((at, name) => {
      const { properties, items } = (at ?? {}) as { properties?: Record<string, unknown>; items?: typeof start };
      return (properties ?? (items as { properties?: Record<string, unknown> } | undefined)?.properties)?.[name];
    }, start);
    if (typeof member !== "object" || member === null) throw new TypeError(`There is no argument ${path}.`);
    (member as Record<string, unknown>).description = description;
  }
  return copy;
}

/** A schema's members without what is in them: enough for a client to check an answer by, and for a model to know it. */
export function outlineOf(schema: Schema): Schema {
  const { properties = {}, required } = schema as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  };
  const members = Object.entries(properties).map(([name, { type }]) => [name, type === undefined ? {} : { type }]);
  return { properties: Object.fromEntries(members), ...(required === undefined ? {} : { required }) };
}
