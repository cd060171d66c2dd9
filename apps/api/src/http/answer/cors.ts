import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../request/context.ts";
import { appendVary } from "./vary.ts";

const ALLOW_HEADERS = [
  "X-API-Key",
  "Authorization",
  "Content-Type",
  "Accept",
  "If-None-Match",
  "Range",
  "Mcp-Session-Id",
  "MCP-Protocol-Version",
  "Mcp-Method",
  "Mcp-Name",
  "Last-Event-ID",
  "X-Request-Id",
].join(", ");

const EXPOSE_HEADERS = [
  "X-Request-Id",
  "Retry-After",
  "ETag",
  "Location",
  "Content-Location",
  "Content-Disposition",
  "Content-Range",
  "Accept-Ranges",
  "Link",
  "WWW-Authenticate",
  "X-Units-Spent",
  "X-Units-Remaining",
  "RateLimit",
  "RateLimit-Policy",
  "X-Attribution",
  "X-Scenes-Used",
  "X-Scenes-Truncated",
  "X-Scenes-Skipped",
  "X-Upstreams-Missing",
  "X-Sampled-At",
  "Mcp-Session-Id",
  "OpenEO-Costs",
  "OpenEO-Identifier",
].join(", ");

/**
 * Lets every origin read every answer, errors included: without these headers a browser shows a network error
 * where the service sent a problem document. Routes that `siteOnly` guards are open to the website alone.
 */
export const cors: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const allowed = c.get("allowedOrigin");
  if (allowed !== undefined) appendVary(c.res.headers, "Origin");
  if (allowed === null) return;
  c.res.headers.set("Access-Control-Allow-Origin", allowed ?? "*");
  c.res.headers.set("Access-Control-Expose-Headers", EXPOSE_HEADERS);
};

/** Headers of the answer to a preflight request (Fetch standard, CORS-preflight fetch). */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    Allow: methods.join(", "),
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": ALLOW_HEADERS,
    "Access-Control-Max-Age": "86400",
  };
}
