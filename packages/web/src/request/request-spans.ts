import { traced } from "@swath/tracing";
import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { WebEnv } from "../context.ts";

/** Options of the spans of requests. */
export interface RequestSpanOptions {
  /** Paths without a span: those that supervisors ask every few seconds. */
  readonly except?: readonly string[];
  /** The pattern of the route of a request; by default that of its last handler. */
  readonly routeOf?: (c: Parameters<MiddlewareHandler<WebEnv>>[0]) => string | undefined;
}

/**
 * Makes a span of each request, part of the client's own trace where it sends `traceparent`. It is named by method and
 * pattern of the route; addresses are left out, since they may hold tokens and signatures.
 */
export function requestSpans({ except = [], routeOf }: RequestSpanOptions = {}): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    if (except.includes(c.req.path)) return next();
    const { method } = c.req;
    const parent = c.req.header("traceparent");
    await traced(method, { role: "server", facts: { "http.request.method": method }, parent }, async (span) => {
      if (span.traceId !== undefined) c.set("traceId", span.traceId);
      await next();
      if (!span.isRecording) return;
      const route = routeOf?.(c) ?? matchedRoutes(c).at(-1)?.path;
      if (route !== undefined) span.rename(`${method} ${route}`);
      const { status } = c.res;
      const facts = { "http.response.status_code": status, "swath.request_id": c.get("requestId") };
      span.add(route === undefined ? facts : { ...facts, "http.route": route });
      if (status >= 500) span.fail(String(status));
    });
  };
}
