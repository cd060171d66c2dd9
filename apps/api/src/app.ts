import { OpenAPIHono } from "@hono/zod-openapi";
import { ProblemError } from "@swath/problem";
import { compress } from "./http/compress.ts";
import type { AppContext, AppEnv } from "./http/context.ts";
import { cors, preflightHeaders } from "./http/cors.ts";
import { PathTable } from "./http/paths.ts";
import { problemResponse } from "./http/problems.ts";
import { requestScope } from "./http/request-scope.ts";
import type { Router } from "./http/route.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { measure } from "./metrics/measure.ts";
import { registerModules } from "./routes/modules.ts";
import type { Services } from "./services.ts";

const CHALLENGE = { "WWW-Authenticate": 'ApiKey header="X-API-Key"' };

/**
 * Puts the caller's identity on the context and counts the request against its key. The key is read from the header
 * only.
 */
function authenticator(services: Services): (c: AppContext) => Promise<void> {
  return async (c) => {
    const key = c.req.header("X-API-Key");
    const identity = key === undefined || key === "" ? undefined : await services.keys.identify(key);
    if (identity === undefined) {
      const detail =
        key === undefined || key === ""
          ? "This route needs an API key in the X-API-Key header."
          : "The API key in the X-API-Key header is unknown or disabled.";
      throw new ProblemError("invalid-key", detail, { headers: CHALLENGE });
    }
    c.set("identity", identity);
    await services.limits.admit(identity);
  };
}

/** The whole service as one fetch handler, made from its parts: nothing in it reads the environment or a clock. */
export function createApp(services: Services): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({ strict: false });
  const paths = new PathTable();
  const router: Router = { app, paths, authenticate: authenticator(services) };

  app.use(requestScope({ log: services.log, ...services.http }));
  if (services.metrics !== undefined) app.use(measure(services.metrics));
  app.use(cors);
  app.use(securityHeaders);
  app.use(compress);
  app.onError((error, c) => problemResponse(error, c));
  app.notFound((c) => {
    const methods = paths.methods(c.req.path);
    // a preflight passes at any address: else a browser hides the problem document that says what is wrong with it
    const preflight = c.req.header("Access-Control-Request-Method") !== undefined;
    if (c.req.method === "OPTIONS" && (methods.length > 0 || preflight)) {
      const headers = preflightHeaders(methods.length > 0 ? methods : ["GET", "HEAD", "POST", "OPTIONS"]);
      return new Response(null, { status: 204, headers });
    }
    if (methods.length === 0 || methods.includes(c.req.method)) {
      return problemResponse(new ProblemError("not-found", `Nothing is served at ${c.req.path}.`), c);
    }
    const detail = `${c.req.path} takes ${methods.join(", ")}, not ${c.req.method}.`;
    return problemResponse(
      new ProblemError("method-not-allowed", detail, { headers: { Allow: methods.join(", ") } }),
      c,
    );
  });
  registerModules(router, services);
  return app;
}
