import type { SpendingStop } from "@swath/accounts/owner";
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./context.ts";

/** Health is reported in any case; downloads of finished results and the state of jobs read no archive. */
const OPEN = /^\/v1\/(?:health|results\/[^/]+\/[^/]+|process\/jobs\/[^/]+)\/?$/;

/**
 * Ends every request of the API that could read from paid archives or lead to one while spending is stopped.
 *
 * @param isOpen further paths that go on.
 */
export function spendingGate(spending: SpendingStop, isOpen: (path: string) => boolean): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { path } = c.req;
    if (!OPEN.test(path) && !isOpen(path)) spending.check();
    return next();
  };
}
