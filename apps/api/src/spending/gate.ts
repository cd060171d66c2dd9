import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../http/context.ts";
import type { SpendingStop } from "./stop.ts";

/** Health is reported in any case. */
const OPEN = /^\/v1\/health\/?$/;

/** Ends every request of the API while spending is stopped. */
export function spendingGate(spending: SpendingStop): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (!OPEN.test(c.req.path)) spending.check();
    return next();
  };
}
