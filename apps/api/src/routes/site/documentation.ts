import { type OpenApiDocument, takesAnybody } from "./openapi.ts";
import { escapeHtml, page } from "./pages.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly $ref?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Content {
  readonly schema?: Schema;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, Content>> };
  readonly responses?: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
}

const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

/** A type in words, as HTML; the service's own models are links. */
function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return "";
  if (schema.$ref !== undefined) {
    const name = escapeHtml(schema.$ref.split("/").at(-1) ?? "");
    return `<a href="#model-${name}">${name}</a>`;
  }
  if (schema.items !== undefined) {
    const bounds = [schema.minItems, schema.maxItems].filter((part) => part !== undefined);
    const items = typeOf(schema.items);
    return `list${items === "" ? "" : ` of ${items}`}${bounds.length === 0 ? "" : ` (${[...new Set(bounds)].join(" to ")})`}`;
  }
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return either.map(typeOf).join(" or ");
  const name = schema.enum?.join(" | ") ?? [schema.type].flat().filter(Boolean).join(" | ");
  const limits = [
    schema.format,
    schema.minimum === undefined ? undefined : `≥ ${schema.minimum}`,
    schema.maximum === undefined ? undefined : `≤ ${schema.maximum}`,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((part) => part !== undefined);
  return escapeHtml(limits.length === 0 ? name : `${name} (${limits.join(", ")})`);
}

/** One model: its members with their types. */
function modelSection(name: string, schema: Schema): string {
  const rows = Object.entries(schema.properties ?? {}).map(
    ([member, of]) =>
      `<tr><td><code>${escapeHtml(member)}</code></td><td>${schema.required?.includes(member) === true ? "required" : ""}</td><td>${typeOf(of)}</td><td>${prose(of.description ?? "")}</td></tr>`,
  );
  const table =
    rows.length === 0
      ? `<p>${typeOf(schema)}</p>`
      : `<table><thead><tr><th>Member</th><th></th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
  return `<section class="op" id="model-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${schema.description === undefined ? "" : `<p>${prose(schema.description)}</p>`}${table}</section>`;
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required === true ? ", required" : ""}</td><td>${typeOf(schema)}</td><td>${prose(description ?? schema?.description ?? "")}</td></tr>`,
  );
  return `<table><thead><tr><th>Parameter</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** Good answers with what they hold, and in one row the problems. */
function responseTable(responses: NonNullable<Operation["responses"]>): string {
  const all = Object.entries(responses);
  const rows = all
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description = "", content = {} }]) => {
      const types = Object.keys(content).map((type) => `<code>${escapeHtml(type)}</code>`);
      const model = typeOf(Object.values(content)[0]?.schema);
      const holds = model.startsWith("<a") ? ` ${model}` : "";
      return `<tr><td>${status}</td><td>${types.join(", ")}${holds}</td><td>${prose(description)}</td></tr>`;
    });
  const problems = all.filter(([status]) => Number(status) >= 400).map(([status]) => status);
  const last = `<tr><td>${problems.join(", ")}</td><td><code>application/problem+json</code> <a href="#model-Problem">Problem</a></td><td>Its <code>type</code> leads to a page about it.</td></tr>`;
  return `<table><thead><tr><th>Status</th><th>Media type</th><th>Meaning</th></tr></thead><tbody>${rows.join("")}${problems.length === 0 ? "" : last}</tbody></table>`;
}

function accessOf({ security = [] }: Operation): string {
  if (security.length === 0) return "";
  return takesAnybody(security) ? " · with or without a key" : " · needs a key";
}

function operationSection(method: string, path: string, operation: Operation): string {
  const body = Object.entries(operation.requestBody?.content ?? {})
    .map(([type, { schema }]) => `<p>Body: <code>${type}</code> ${typeOf(schema)}</p>`)
    .join("");
  return `<section class="op" id="${operation.operationId ?? ""}">
<h3><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p><strong>${prose(operation.summary ?? "")}</strong>${accessOf(operation)}</p>
${operation.description === undefined ? "" : `<p>${prose(operation.description)}</p>`}
${parameterTable(operation.parameters ?? [])}${body}${responseTable(operation.responses ?? {})}
</section>`;
}

/** The API's documentation as one page, made from the OpenAPI document. `guides`: links to more, as HTML. */
export function documentationPage(document: OpenApiDocument, guides = ""): Response {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = document.tags ?? [];
  const list = operations
    .map(
      ({ method, path, operation }) =>
        `<li><a href="#${operation.operationId ?? ""}">${method.toUpperCase()} ${escapeHtml(path)}</a></li>`,
    )
    .join("");
  const sections = tags
    .map(({ name, description = "" }) => {
      const own = operations.filter(({ operation }) => operation.tags?.includes(name) === true);
      return `<h2>${escapeHtml(name)}</h2><p>${prose(description)}</p>${own.map((o) => operationSection(o.method, o.path, o.operation)).join("")}`;
    })
    .join("");
  const models = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>)
    .map(([name, schema]) => modelSection(name, schema))
    .join("");
  const intro = (document.info.description ?? "")
    .split("\n\n")
    .map((paragraph) => `<p>${prose(paragraph)}</p>`)
    .join("");
  return page(
    `${document.info.title} API`,
    `<h1>${escapeHtml(document.info.title)} API</h1>${intro}
<p>Version ${escapeHtml(document.info.version)} · <a href="/v1/openapi.json">OpenAPI document</a> · <a href="/v1">landing page</a> · <a href="/docs/changelog">changelog</a></p>
<nav aria-label="Guides">${guides}</nav>
<h2>Routes</h2>
<nav aria-label="Operations"><ul>${list}</ul></nav>${sections}<h2 id="models">Models</h2>${models}`,
  );
}
