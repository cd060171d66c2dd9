import type { Problem } from "@swath/problem";
import { JSON_TYPE, RequestProblem, type WebEnv } from "@swath/web";
import { allowsOrigin, type SiteOrigins } from "@swath/web/origins";
import type { MiddlewareHandler } from "hono";
import { SERVER_ERROR, STATELESS_VERSION } from "./messages/protocol.ts";

/** A problem as clients of the version without sessions expect errors: in the body of a JSON-RPC error. */
function rpcForm(problem: Problem): { readonly body: object; readonly mediaType: string } {
  const message = problem.detail ?? problem.title;
  return {
    body: { jsonrpc: "2.0", id: null, error: { code: SERVER_ERROR, message, data: problem } },
    mediaType: JSON_TYPE,
  };
}

/** `WWW-Authenticate` with where a client learns which tokens are taken (RFC 9728, section 5.1). */
function withResourceMetadata(challenge: string, baseUrl: string): string {
  const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
  return challenge.replace(/(^|, )Bearer (?=\w+=)/, `$1Bearer ${metadata}, `);
}

/**
 * Checks every request to `/mcp`, before it is known who asks: the form of its errors, and that no page of
 * another site may call it. Such a page could else use a server on the machine or in the network of its visitor, also
 * where it has its own name lead there (DNS rebinding). A challenge of the scheme Bearer gets the address of the metadata of RFC 9728.
 *
 * @throws {RequestProblem} `origin-not-allowed`.
 */
export function mcpGate(sites: SiteOrigins): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    if (c.req.header("MCP-Protocol-Version") === STATELESS_VERSION) c.set("problemForm", rpcForm);
    const origin = c.req.header("Origin");
    const isAllowed = origin === undefined || allowsOrigin(origin, c.req.url, sites);
    c.set("allowedOrigin", isAllowed ? (origin ?? null) : null);
    if (!isAllowed) {
      throw new RequestProblem("origin-not-allowed", `Pages of ${origin.slice(0, 200)} may not call this route.`);
    }
    await next();
    const challenge = c.res.headers.get("WWW-Authenticate");
    if (challenge !== null) c.res.headers.set("WWW-Authenticate", withResourceMetadata(challenge, c.get("baseUrl")));
  };
}
