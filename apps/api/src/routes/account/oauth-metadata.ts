import { z } from "@hono/zod-openapi";
import { KEY_SCOPES } from "@swath/accounts";
import { SCHEMA_VERSION } from "@swath/schema";
import { sendDocument } from "@swath/web";
import { TOKEN_PATH } from "../../access/bearer-authenticator.ts";
import { PUBLIC } from "../../access/route-access.ts";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { CACHE_DOCUMENT } from "../../http/answer/documents.ts";
import type { AppContext } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";

const AuthorizationServer = z
  .looseObject({ issuer: z.string(), token_endpoint: z.string() })
  .meta({ id: "OAuthAuthorizationServer", description: "RFC 8414." });
const ProtectedResource = z
  .looseObject({ resource: z.string(), authorization_servers: z.array(z.string()) })
  .meta({ id: "OAuthProtectedResource", description: "RFC 9728." });

const send = (c: AppContext, document: object): Promise<Response> =>
  sendDocument(c, document, { cacheControl: CACHE_DOCUMENT, version: SCHEMA_VERSION });

/** Metadata of the authorization server: this service (RFC 8414 section 2). */
function authorizationServer(baseUrl: string): object {
  return {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}${TOKEN_PATH}`,
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    // required, and empty: the only grant has no authorization endpoint
    response_types_supported: [],
    scopes_supported: KEY_SCOPES,
    service_documentation: `${baseUrl}/docs/guides/accounts`,
  };
}

/** Metadata of a resource that takes the tokens (RFC 9728 section 2). */
function protectedResource(baseUrl: string, path: string): object {
  return {
    resource: `${baseUrl}${path}`,
    authorization_servers: [baseUrl],
    scopes_supported: KEY_SCOPES,
    bearer_methods_supported: ["header"],
    resource_documentation: `${baseUrl}/docs/guides/accounts`,
  };
}

/** Adds the documents from which clients of OAuth learn the addresses and parameters of requests. */
export function registerOAuthMetadata(router: Router): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/.well-known/oauth-authorization-server",
      operationId: "getAuthorizationServer",
      tag: "Account",
      summary: "Where OAuth tokens are given",
      access: PUBLIC,
      etag: true,
      responses: { 200: { description: "Metadata.", content: { [JSON_TYPE]: { schema: AuthorizationServer } } } },
    },
    (c) => send(c, authorizationServer(c.get("baseUrl"))),
  );
  for (const { path, operationId } of [
    { path: "", operationId: "getProtectedResource" },
    { path: "/mcp", operationId: "getProtectedMcp" },
  ]) {
    addRoute(
      router,
      {
        method: "get",
        path: `/.well-known/oauth-protected-resource${path}`,
        operationId,
        tag: "Account",
        summary: "Whose OAuth tokens are taken here",
        access: PUBLIC,
        etag: true,
        responses: { 200: { description: "Metadata.", content: { [JSON_TYPE]: { schema: ProtectedResource } } } },
      },
      (c) => send(c, protectedResource(c.get("baseUrl"), path)),
    );
  }
}
