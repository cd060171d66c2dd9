import { z } from "@hono/zod-openapi";
import { JSON_TYPE } from "@swath/web";
import { sendDocument } from "@swath/web/answers";
import { KEY_SCOPES } from "../../../keys/account-keys.ts";
import { TOKEN_PATH } from "../../access/bearer-authenticator.ts";
import { PUBLIC } from "../../access/route-access.ts";
import { addMeteredRoute, type MeteredRouter } from "../../metering/route.ts";
import type { AccountRoutes } from "../options.ts";

const AuthorizationServer = z
  .looseObject({ issuer: z.string(), token_endpoint: z.string() })
  .meta({ id: "OAuthAuthorizationServer", description: "RFC 8414." });
const ProtectedResource = z
  .looseObject({ resource: z.string(), authorization_servers: z.array(z.string()) })
  .meta({ id: "OAuthProtectedResource", description: "RFC 9728." });

/** Metadata of the authorization server: this service (RFC 8414 section 2). */
function authorizationServer(baseUrl: string, documentation: string): object {
  return {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}${TOKEN_PATH}`,
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    // required, and empty: the only grant has no authorization endpoint
    response_types_supported: [],
    scopes_supported: KEY_SCOPES,
    service_documentation: `${baseUrl}${documentation}`,
  };
}

/** Metadata of a resource that takes the tokens (RFC 9728 section 2). */
function protectedResource(baseUrl: string, path: string, documentation: string): object {
  return {
    resource: `${baseUrl}${path}`,
    authorization_servers: [baseUrl],
    scopes_supported: KEY_SCOPES,
    bearer_methods_supported: ["header"],
    resource_documentation: `${baseUrl}${documentation}`,
  };
}

/** Adds the documents from which clients of OAuth learn the addresses and parameters of requests. */
export function registerOAuthMetadata(router: MeteredRouter, { oauth }: AccountRoutes): void {
  const { resources, documentation, ...caching } = oauth;
  addMeteredRoute(
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
    (c) => sendDocument(c, authorizationServer(c.get("baseUrl"), documentation), caching),
  );
  for (const { path, operationId } of resources) {
    addMeteredRoute(
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
      (c) => sendDocument(c, protectedResource(c.get("baseUrl"), path, documentation), caching),
    );
  }
}
