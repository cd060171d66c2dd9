import { OpenAPIHono, z } from "@hono/zod-openapi";
import { BODY_SCHEMAS, type Schema } from "../documents/body-schemas.ts";

const COMPONENTS = "#/components/schemas/";
const WRAPPED = "Wrapped";

/** What the OpenAPI document says of a schema, and the components that it may refer to. */
function describe(schema: z.ZodType): { readonly root: unknown; readonly components: Schema } {
  const app = new OpenAPIHono();
  // only objects made by this package's zod can be registered
  app.openAPIRegistry.register(WRAPPED, z.object({ value: schema }));
  const { components = {} } = app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: WRAPPED, version: "1" } });
  const { [WRAPPED]: wrapped, ...generated } = components.schemas ?? {};
  const { value } = (wrapped as { properties: { value: unknown } }).properties;
  return { root: value, components: { ...BODY_SCHEMAS, ...generated } };
}

const nameOf = (reference: unknown): string | undefined =>
  typeof reference === "string" && reference.startsWith(COMPONENTS) ? reference.slice(COMPONENTS.length) : undefined;

/**
 * A zod schema as JSON Schema 2020-12 that stands alone: what the OpenAPI document says of it, with the components that it
 * refers to under `$defs`.
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
