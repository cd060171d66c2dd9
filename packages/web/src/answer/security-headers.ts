import type { MiddlewareHandler } from "hono";

/**
 * Headers that keep browsers from guessing types, from telling other sites where a user was, and from showing our
 * pages inside others. A page's own policy is kept.
 */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "no-referrer");
  if (headers.get("Content-Type")?.startsWith("text/html") !== true) return;
  headers.set("X-Frame-Options", "DENY");
  const policy = headers.get("Content-Security-Policy");
  if (policy?.includes("frame-ancestors") === true) return;
  headers.set("Content-Security-Policy", `${policy === null ? "" : `${policy}; `}frame-ancestors 'none'`);
};
