import { OpenAPIHono } from "@hono/zod-openapi";
import { authenticationOf } from "../documents/authentication.ts";
import { ProblemError } from "../errors/problems.ts";
import { compress } from "../http/answer/compress.ts";
import { cors, preflightHeaders } from "../http/answer/cors.ts";
import { problemResponse } from "../http/answer/problems.ts";
import { requestMetrics } from "../http/answer/request-metrics.ts";
import { securityHeaders } from "../http/answer/security-headers.ts";
import { varyByCredential } from "../http/answer/vary.ts";
import type { AppEnv } from "../http/request/context.ts";
import { PathTable } from "../http/request/paths.ts";
import { requestScope } from "../http/request/request-scope.ts";
import type { Router } from "../http/request/route.ts";
import type { Services } from "../operations/services.ts";
import type { Profile } from "./profiles/profile.ts";

/**
 * The whole service as one fetch handler, made from its parts: nothing in it reads the environment or a clock.
 *
 * @param profile what is served and to whom, made of the same services.
 */
export function createApp(services: Services, profile: Profile): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({ strict: false });
  const paths = new PathTable();
  const { access, admission, modules } = profile;
  const router: Router = { app, paths, access, admission };

  app.use(requestScope({ log: services.log, ...services.http }));
  app.use((c, next) => {
    c.set("authentication", () => authenticationOf(access.schemes, c.get("baseUrl")));
    return next();
  });
  if (services.metrics !== undefined) app.use(requestMetrics(services.metrics));
  app.use(cors);
  app.use(securityHeaders);
  app.use(compress);
  app.use(varyByCredential);
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
  for (const register of modules) register(router);
  return app;
}
