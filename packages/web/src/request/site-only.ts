import type { MiddlewareHandler } from "hono";
import type { WebEnv } from "../context.ts";
import { RequestProblem } from "../problems.ts";
import { isLoopbackHost } from "./loopback.ts";

/** Origins of pages that may call a route. */
export interface SiteOrigins {
  /** Origins of the website, named by the service's owner; absent or none: the service's own. */
  readonly siteOrigins?: readonly string[] | undefined;
  /** Address of the service; absent: the request's own host, which is believed for this machine's own names alone. */
  readonly publicUrl?: string | undefined;
}

/** Whether a page of this origin may call a server that was reached at `address`. */
export function allowsOrigin(origin: string, address: string, { siteOrigins = [], publicUrl }: SiteOrigins): boolean {
  if (siteOrigins.length > 0) return siteOrigins.includes(origin);
  if (publicUrl !== undefined) return new URL(publicUrl).origin === origin;
  const own = new URL(address);
  return isLoopbackHost(own.hostname) && own.origin === origin;
}

/**
 * Closes routes to pages of other websites than the service's own. Callers that are no pages send no `Origin`. The
 * preflight of another page is answered without the header that it would need.
 *
 * @throws {RequestProblem} `origin-not-allowed`; its answer may be read by no page.
 */
export function siteOnly(sites: SiteOrigins): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    const origin = c.req.header("Origin");
    const isAllowed = origin === undefined || allowsOrigin(origin, c.req.url, sites);
    c.set("allowedOrigin", isAllowed ? (origin ?? null) : null);
    if (!isAllowed && c.req.method !== "OPTIONS")
      throw new RequestProblem("origin-not-allowed", "Pages of this origin may not use this address.");
    await next();
  };
}
