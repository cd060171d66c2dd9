import type { Page } from "./page.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
}

interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
}

/** The parts of an OpenAPI 3.1 document that the page is made of. */
export interface OpenApi {
  readonly info: { readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Text in a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function accessOf({ security = [] }: Operation): string {
  if (security.length === 0) return "No key needed.";
  return security.some((each) => Object.keys(each).length === 0) ? "With or without a key." : "Needs a key.";
}

function typeOf({ type, enum: values, default: fallback }: Schema = {}): string {
  const name = values?.map((value) => `\`${value}\``).join(", ") ?? [type].flat().filter(Boolean).join(" or ");
  return fallback === undefined ? name : `${name}, default \`${JSON.stringify(fallback)}\``;
}

function parameterTable({ parameters = [] }: Operation): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const meaning = description ?? schema?.description ?? "";
    return `| \`${name}\` | ${place}${required === true ? ", required" : ""} | ${cell(typeOf(schema))} | ${cell(meaning)} |`;
  });
  return `\n| parameter | in | type | meaning |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

function section(method: string, path: string, operation: Operation): string {
  const { operationId, summary = "", description = "" } = operation;
  return `### ${summary} {: #${operationId} :}

\`${method.toUpperCase()} ${path}\`

${[description, accessOf(operation)].filter(Boolean).join(" ")}
${parameterTable(operation)}`;
}

/** The operations of the service as one page that search finds: what each does, who may call it, its parameters. */
export function httpApiPage({ info, tags = [], paths }: OpenApi): Page {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      tag: operation.tags?.[0],
      text: section(method, path, operation),
    })),
  );
  const sections = tags.map(({ name, description = "" }) => {
    const own = operations.filter(({ tag }) => tag === name).map(({ text }) => text);
    return `## ${name}\n\n${description}\n\n${own.join("\n")}`;
  });
  const text = `# HTTP API

${info.description ?? ""}

The [reference with a console](/api/){: target="_self" :} shows bodies and answers too, and sends requests to this server with your key. The
[OpenAPI 3.1 document](/api/openapi.json){: target="_self" :} is for programs; \`/v1/openapi.json\` gives the one of the server that you ask.

${sections.join("\n\n")}
`;
  return { place: "http-api.md", text, matter: { outline: [2, 3] } };
}
