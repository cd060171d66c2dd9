import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../http/context.ts";
import type { Router } from "../http/route.ts";

export interface OpenApiOptions {
  readonly baseUrl: string;
  readonly version: string;
}

export type OpenApiDocument = ReturnType<OpenAPIHono<AppEnv>["getOpenAPI31Document"]> & {
  readonly jsonSchemaDialect: string;
};

const DESCRIPTION = `A STAC API and renderer over optical satellite archives.

Search and everything that reads pixels needs an API key in the \`X-API-Key\` header; documents about the service do not.
Every error is a problem document (RFC 9457) whose \`type\` leads to a page about it.`;

const TAGS = [
  { name: "Catalog", description: "Collections, items and search: a STAC API." },
  { name: "Rendering", description: "Previews, map tiles and areas as GeoTIFF." },
  { name: "Analysis", description: "Statistics and time series." },
  { name: "Account", description: "Accounts, their keys and tokens." },
  { name: "Service", description: "Health, schema and documentation." },
];

/** The OpenAPI 3.1 document: made from the same route specifications that the router checks. */
export function openApiDocument({ app, access }: Router, { baseUrl, version }: OpenApiOptions): OpenApiDocument {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Swath",
      version,
      description: DESCRIPTION,
      contact: { name: "Swath", url: `${baseUrl}/docs` },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: baseUrl }],
    tags: [],
  });
  const used = new Set(
    Object.values(document.paths ?? {}).flatMap((item) =>
      Object.values(item as Record<string, { readonly tags?: readonly string[] }>).flatMap(({ tags = [] }) => tags),
    ),
  );
  return {
    ...document,
    tags: TAGS.filter(({ name }) => used.has(name)),
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    components: {
      ...document.components,
      securitySchemes: access.schemes,
    },
  };
}
