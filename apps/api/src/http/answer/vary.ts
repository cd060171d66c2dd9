import { appendVary } from "@swath/web/answers";
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../request/context.ts";

/**
 * Names the headers of keys and tokens in `Vary` of every answer that depends on one, refusals included: without it a
 * browser's cache gives an image that was fetched with a good key to a request with a wrong one.
 */
export const varyByCredential: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.get("readsCredential") === undefined) return;
  appendVary(c.res.headers, "X-API-Key", "Authorization");
};
