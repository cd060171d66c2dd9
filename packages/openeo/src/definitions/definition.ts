/** The definition of a process, as `GET /processes` of openEO API 1.2 gives it. */
export interface ProcessDefinition {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly parameters: readonly ProcessParameter[];
  readonly returns: { readonly description: string; readonly schema: JsonSchema | readonly JsonSchema[] };
  readonly exceptions?: Readonly<Record<string, { readonly message: string }>>;
  readonly links: readonly { readonly rel: string; readonly href: string; readonly title: string }[];
}

/** A parameter of a process (openEO API 1.2.0, Process Parameter). */
export interface ProcessParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema | readonly JsonSchema[];
  readonly optional?: true;
  readonly default?: unknown;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

export const CUBE: JsonSchema = { type: "object", subtype: "datacube" };
export const NUMBER: JsonSchema = { type: ["number", "null"] };
export const BOOLEAN: JsonSchema = { type: ["boolean", "null"] };
export const ANY: JsonSchema = { description: "Any data type." };
export const NUMBERS: JsonSchema = { type: "array", items: NUMBER };

export function parameter(
  name: string,
  description: string,
  schema: ProcessParameter["schema"],
  otherwise?: { readonly default: unknown },
): ProcessParameter {
  return { name, description, schema, ...(otherwise === undefined ? {} : { optional: true, ...otherwise }) };
}

/** A process graph as a parameter, and what it is given. */
export function callback(
  parameters: readonly (readonly [name: string, description: string, schema: JsonSchema])[],
  returns: JsonSchema,
): JsonSchema {
  return {
    type: "object",
    subtype: "process-graph",
    parameters: [
      ...parameters.map(([name, description, schema]) => ({ name, description, schema })),
      { name: "context", description: "Additional data.", schema: ANY, optional: true, default: null },
    ],
    returns: { description: "The value.", schema: returns },
  };
}

export const CONTEXT = parameter("context", "Additional data that the process graph gets.", ANY, { default: null });

export function define(
  id: string,
  categories: readonly string[],
  summary: string,
  description: string,
  parameters: readonly ProcessParameter[],
  returns: ProcessDefinition["returns"],
  exceptions?: Readonly<Record<string, string>>,
): ProcessDefinition {
  return {
    id,
    summary,
    description,
    categories,
    parameters,
    returns,
    ...(exceptions === undefined
      ? {}
      : {
          exceptions: Object.fromEntries(Object.entries(exceptions).map(([code, message]) => [code, { message }])),
        }),
    links: [{ rel: "about", href: `https://processes.openeo.org/#${id}`, title: `${id} as openEO defines it` }],
  };
}
