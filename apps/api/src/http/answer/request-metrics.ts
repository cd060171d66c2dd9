import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Metrics } from "../../metrics/metrics.ts";
import type { AppEnv } from "../request/context.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"]);

/** Statuses of requests that were refused for who sent them, or how many. */
const REFUSALS = new Set([401, 403, 409, 429]);
const isRefusal = (code: string, status: number): boolean => REFUSALS.has(status) || code === "request-too-expensive";

/** The pattern of a request's route; `other` where it is none, `legacy` for all of the legacy hosts. */
export function routeOf(c: Context): string {
  const pattern = matchedRoutes(c).at(-1)?.path ?? "";
  if (c.req.path.startsWith("/legacy/")) return "legacy";
  return pattern === "" || pattern.endsWith("*") ? "other" : pattern;
}

/** Counts and times requests by the pattern of their route, never by their address. */
export function requestMetrics(metrics: Metrics): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now();
    await next();
    const route = routeOf(c);
    const method = METHODS.has(c.req.method) ? c.req.method : "other";
    const code = c.get("problemCode");
    if (code !== undefined && isRefusal(code, c.res.status)) metrics.refused(code);
    metrics.request({ method, route, status: c.res.status, seconds: (performance.now() - started) / 1000 });
  };
}
