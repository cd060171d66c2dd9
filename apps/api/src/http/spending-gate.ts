import type { MiddlewareHandler } from "hono";
import type { SpendingStop } from "../spending/stop.ts";
import type { AppEnv } from "./context.ts";

/** Health says how the service is in any case. */
const OPEN = /^\/v1\/health\/?$/;

/** Ends every request of the API while spending is stopped. */
export function spendingGate(spending: SpendingStop): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (!OPEN.test(c.req.path)) spending.check();
    return next();
  };
}
