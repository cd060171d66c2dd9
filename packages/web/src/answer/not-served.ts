import type { Context } from "hono";
import type { WebContext, WebEnv } from "../context.ts";
import { RequestProblem } from "../problems.ts";
import type { PathTable } from "../request/paths.ts";
import { preflightHeaders } from "./cors.ts";

/** Parts of the answers to requests that no route takes. */
export interface NotServedOptions<E extends WebEnv = WebEnv> {
  readonly paths: Pick<PathTable, "methods">;
  /** Names of the headers that pages may send. */
  readonly accepted: readonly string[];
  /** The answer to a failed request. */
  readonly respond: (error: unknown, c: Context<E>) => Response;
}

/**
 * Makes the `notFound` handler of an app. It answers preflights of pages; 405 with the methods of an address that there is; 404 for one
 * that there is not.
 */
export function notServed<E extends WebEnv = WebEnv>({
  paths,
  accepted,
  respond,
}: NotServedOptions<E>): (c: Context<E>) => Response {
  return (c) => {
    const methods = paths.methods(c.req.path);
    const shown = (c as unknown as WebContext).get("shownPath")?.(c.req.path) ?? c.req.path;
    // a preflight passes at any address: else a browser hides the problem document that says what is wrong with it
    const preflight = c.req.header("Access-Control-Request-Method") !== undefined;
    if (c.req.method === "OPTIONS" && (methods.length > 0 || preflight)) {
      const taken = methods.length > 0 ? methods : ["GET", "HEAD", "POST", "OPTIONS"];
      return new Response(null, { status: 204, headers: preflightHeaders(taken, accepted) });
    }
    if (methods.length === 0 || methods.includes(c.req.method)) {
      return respond(new RequestProblem("not-found", `Nothing is served at ${shown}.`), c);
    }
    const detail = `${shown} takes ${methods.join(", ")}, not ${c.req.method}.`;
    return respond(new RequestProblem("method-not-allowed", detail, { headers: { Allow: methods.join(", ") } }), c);
  };
}
