import type { SecurityScheme } from "@swath/accounts/hono";
export const AUTHENTICATION_EXTENSION = "https://stac-extensions.github.io/authentication/v1.1.0/schema.json";

/**
 * Members by which browsers of STAC learn the keys that previews, tiles and searches need (STAC authentication
 * extension 1.1.0).
 */
export interface Authentication {
  /** `auth:schemes`, by name. */
  readonly schemes: Readonly<Record<string, object>>;
  /** `auth:refs` of links that a key or token of any of the schemes opens. */
  readonly refs: readonly string[];
}

/**
 * The schemes of the OpenAPI document, whose form the extension has, as STAC documents name them: those are read apart
 * from the service, so addresses are whole.
 */
export function authenticationOf(
  schemes: Readonly<Record<string, SecurityScheme["definition"]>>,
  baseUrl: string,
): Authentication {
  const entries = Object.entries(schemes).map(([name, scheme]) => [name, withWholeAddress(scheme, baseUrl)] as const);
  return { schemes: Object.fromEntries(entries), refs: Object.keys(schemes) };
}

function withWholeAddress(scheme: SecurityScheme["definition"], baseUrl: string): object {
  if (scheme.type !== "oauth2") return scheme;
  const { tokenUrl, scopes } = scheme.flows.clientCredentials;
  return { ...scheme, flows: { clientCredentials: { tokenUrl: `${baseUrl}${tokenUrl}`, scopes } } };
}
