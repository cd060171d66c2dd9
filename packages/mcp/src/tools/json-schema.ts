import { OpenAPIHono, z } from "@hono/zod-openapi";

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;
/** Schemas by the names that `#/components/schemas/` has them under. */
type Components = Readonly<Record<string, JsonSchema>>;

const COMPONENTS = "#/components/schemas/";
const WRAPPED = "Wrapped";

/** Returns the OpenAPI document's description of a schema, and the components that it may refer to. */
function describe(schema: z.ZodType): { readonly root: unknown; readonly components: JsonSchema } {
  const app = new OpenAPIHono();
  // only objects made by this package's zod can be registered
  app.openAPIRegistry.register(WRAPPED, z.object({ value: schema }));
  const { components = {} } = app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: WRAPPED, version: "1" } });
  const { [WRAPPED]: wrapped, ...generated } = components.schemas ?? {};
  const { value } = (wrapped as { properties: { value: unknown } }).properties;
  return { root: value, components: generated };
}

const nameOf = (reference: unknown): string | undefined =>
  typeof reference === "string" && reference.startsWith(COMPONENTS) ? reference.slice(COMPONENTS.length) : undefined;

/**
 * Writes a zod schema as JSON Schema 2020-12 that stands alone: what the OpenAPI document says of it, with the components that it
 * refers to under `$defs`.
 *
 * @param own components in place of those that are made of models.
 */
export function jsonSchemaOf(schema: z.ZodType, own: Components = {}): JsonSchema {
  const described = describe(schema);
  const { root } = described;
  const components: JsonSchema = { ...described.components, ...own };
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
  const whole = localize(name === undefined ? root : components[name]) as JsonSchema;
  return definitions.size === 0 ? whole : { ...whole, $defs: Object.fromEntries(definitions) };
}

/**
 * A schema with other descriptions of its members, by their paths.
 *
 * @throws {TypeError} for a path that does not exist.
 */
export function withNotes(schema: JsonSchema, notes: Readonly<Record<string, string>>): JsonSchema {
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
export function outlineOf(schema: JsonSchema): JsonSchema {
  const { properties = {}, required } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  const members = Object.entries(properties).map(([name, { type }]) => [name, type === undefined ? {} : { type }]);
  return { properties: Object.fromEntries(members), ...(required === undefined ? {} : { required }) };
}
