import type { MiddlewareHandler } from "hono";
import type { WebEnv } from "../context.ts";
import { appendVary } from "./header-list.ts";

/**
 * Lets every origin read every answer, errors included: without these headers a browser shows a network error
 * where the service sent a problem document. Routes that `siteOnly` guards are open to the website alone.
 *
 * @param exposed names of the headers that pages may read
 */
export function cors(exposed: readonly string[]): MiddlewareHandler<WebEnv> {
  const names = exposed.join(", ");
  return async (c, next) => {
    await next();
    const allowed = c.get("allowedOrigin");
    if (allowed !== undefined) appendVary(c.res.headers, "Origin");
    if (allowed === null) return;
    c.res.headers.set("Access-Control-Allow-Origin", allowed ?? "*");
    c.res.headers.set("Access-Control-Expose-Headers", names);
  };
}

/**
 * Headers of the answer to a preflight request (Fetch standard, CORS-preflight fetch), which a browser keeps for a day.
 *
 * @param accepted names of the headers that pages may send
 */
export function preflightHeaders(methods: readonly string[], accepted: readonly string[]): Record<string, string> {
  return {
    Allow: methods.join(", "),
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": accepted.join(", "),
    "Access-Control-Max-Age": "86400",
  };
}
