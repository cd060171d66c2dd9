import type { OpenApiDocument } from "./openapi.ts";
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
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses?: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, unknown>> }>
  >;
}

const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return "";
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  const name = schema.enum?.join(" | ") ?? [schema.type].flat().filter(Boolean).join(" | ");
  const limits = [
    schema.format,
    schema.minimum === undefined ? undefined : `≥ ${schema.minimum}`,
    schema.maximum === undefined ? undefined : `≤ ${schema.maximum}`,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((part) => part !== undefined);
  return limits.length === 0 ? name : `${name} (${limits.join(", ")})`;
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required === true ? ", required" : ""}</td><td>${escapeHtml(typeOf(schema))}</td><td>${prose(description ?? schema?.description ?? "")}</td></tr>`,
  );
  return `<table><thead><tr><th>Parameter</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function responseTable(responses: NonNullable<Operation["responses"]>): string {
  const rows = Object.entries(responses).map(
    ([status, { description = "", content = {} }]) =>
      `<tr><td>${status}</td><td>${escapeHtml(Object.keys(content).join(", "))}</td><td>${prose(description)}</td></tr>`,
  );
  return `<table><thead><tr><th>Status</th><th>Media type</th><th>Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function operationSection(method: string, path: string, operation: Operation): string {
  const body = Object.entries(operation.requestBody?.content ?? {})
    .map(([type, { schema }]) => `<p>Body: <code>${type}</code> ${escapeHtml(typeOf(schema))}</p>`)
    .join("");
  return `<section class="op" id="${operation.operationId ?? ""}">
<h3><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p><strong>${prose(operation.summary ?? "")}</strong>${(operation.security ?? []).length > 0 ? " · needs a key" : ""}</p>
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
  const intro = (document.info.description ?? "")
    .split("\n\n")
    .map((paragraph) => `<p>${prose(paragraph)}</p>`)
    .join("");
  return page(
    `${document.info.title} API`,
    `<h1>${escapeHtml(document.info.title)} API</h1>${intro}
<p>Version ${escapeHtml(document.info.version)} · <a href="/v1/openapi.json">OpenAPI document</a> · <a href="/v1">landing page</a></p>
<nav aria-label="Guides">${guides}</nav>
<h2>Routes</h2>
<nav aria-label="Operations"><ul>${list}</ul></nav>${sections}`,
  );
}
