import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Metrics } from "../../metrics/metrics.ts";
import type { AppEnv } from "../request/context.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"]);

/** Statuses of requests that were refused for who sent them, or how many. */
const REFUSALS = new Set([401, 403, 409, 429]);
const isRefusal = (code: string, status: number): boolean => REFUSALS.has(status) || code === "request-too-expensive";

/** Counts and times requests by the pattern of their route, never by their address. */
export function requestMetrics(metrics: Metrics): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now();
    await next();
    const pattern = matchedRoutes(c).at(-1)?.path ?? "";
    const isLegacy = c.req.path.startsWith("/legacy/");
    const route = isLegacy ? "legacy" : pattern === "" || pattern.endsWith("*") ? "other" : pattern;
    const method = METHODS.has(c.req.method) ? c.req.method : "other";
    const code = c.get("problemCode");
    if (code !== undefined && isRefusal(code, c.res.status)) metrics.refused(code);
    metrics.request({ method, route, status: c.res.status, seconds: (performance.now() - started) / 1000 });
  };
}
