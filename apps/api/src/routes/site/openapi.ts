import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Access } from "@swath/accounts/hono";
import type { AppEnv } from "../../http/request/context.ts";
import type { Router } from "../../http/request/route.ts";

export type OpenApiDocument = ReturnType<OpenAPIHono<AppEnv>["getOpenAPI31Document"]> & {
  readonly jsonSchemaDialect: string;
};

/** Writes the description of the service and its access: as the routes and the schemes of the profile say. */
function descriptionOf(paths: OpenApiDocument["paths"], schemes: Access["schemes"]): string {
  const token = "bearer" in schemes ? ", or a token in the `Authorization` header" : "";
  const credential = `an API key in the \`X-API-Key\` header${token}`;
  const needs = operationsOf(paths).some(({ security = [] }) => takesAnybody(security))
    ? `Anyone can search (300 requests per address in five minutes) and see images that are already rendered. The rest needs ${credential}; documents about the service do not.`
    : `Search and everything that reads pixels needs ${credential}; documents about the service do not.`;
  return `A STAC API and renderer over optical satellite archives.

${needs}
Every error is a problem document (RFC 9457) whose \`type\` leads to a page about it.`;
}

/** Tells whether the security requirements of an operation admit callers without a key or token. */
function takesAnybody(security: readonly object[]): boolean {
  return security.some((requirement) => Object.keys(requirement).length === 0);
}

interface Operation {
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
}

function operationsOf(paths: OpenApiDocument["paths"]): readonly Operation[] {
  return Object.values(paths ?? {}).flatMap((item) => Object.values(item as Record<string, Operation>));
}

const TAGS = [
  { name: "Catalog", description: "Collections, items and search: a STAC API." },
  { name: "Rendering", description: "Previews, map tiles and areas as GeoTIFF." },
  { name: "Analysis", description: "Statistics and time series." },
  { name: "Account", description: "Accounts, their keys and tokens." },
  { name: "Service", description: "Health, schema and documentation." },
];

/**
 * Returns what writes the OpenAPI 3.1 document for an address of the service. It is made from the same route specifications
 * that the router checks, when it is first asked for.
 */
export function openApiDocument({ app, access }: Router, version: string): (baseUrl: string) => OpenApiDocument {
  let made: OpenApiDocument | undefined;
  const make = (): OpenApiDocument => {
    const license = { name: "MIT", url: "https://opensource.org/license/mit" };
    const document = app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: { title: "Swath", version, contact: {}, license },
      servers: [],
      tags: [],
    });
    const used = new Set(operationsOf(document.paths).flatMap(({ tags = [] }) => tags));
    return {
      ...document,
      info: { ...document.info, description: descriptionOf(document.paths, access.schemes) },
      tags: TAGS.filter(({ name }) => used.has(name)),
      jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
      components: {
        ...document.components,
        securitySchemes: access.schemes,
      },
    };
  };
  return (baseUrl) => {
    made ??= make();
    return {
      ...made,
      info: { ...made.info, contact: { name: "Swath", url: `${baseUrl}/docs` } },
      servers: [{ url: baseUrl }],
    };
  };
}
