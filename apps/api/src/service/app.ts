import { OpenAPIHono } from "@hono/zod-openapi";
import { PUBLIC, withoutMapSecret } from "@swath/accounts/hono";
import { didYouMean } from "@swath/engine/search";
import { compress, notServed, PathTable, requestScope, requestSpans, securityHeaders } from "@swath/web";
import { cors } from "@swath/web/origins";
import { authenticationOf } from "../documents/authentication.ts";
import { ACCEPTED_HEADERS, EXPOSED_HEADERS } from "../http/answer/cors.ts";
import { problemResponse } from "../http/answer/problems.ts";
import { requestMetrics, routeOf } from "../http/answer/request-metrics.ts";
import { varyByCredential } from "../http/answer/vary.ts";
import type { AppContext, AppEnv } from "../http/request/context.ts";
import { EVERY_ROUTE, type Router } from "../http/request/route.ts";
import type { AppParts } from "../operations/services.ts";
import type { Profile } from "./profiles/profile.ts";

/**
 * The whole service as one fetch handler, made from its parts: nothing in it reads the environment or a clock.
 *
 * @param profile what is served and to whom, made of the same parts.
 */
export function createApp(parts: AppParts, profile: Profile): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({ strict: false });
  const paths = new PathTable(PUBLIC);
  const { access, admission, modules } = profile;
  const router: Router = { app, paths, access, admission, suggest: didYouMean, everyRoute: EVERY_ROUTE };

  app.use(
    requestScope({
      log: parts.log,
      ...parts.http,
      shownPath: withoutMapSecret,
      logged: (c: AppContext) => ({ key: c.get("identity")?.subject, traceId: c.get("traceId") }),
    }),
  );
  app.use(requestSpans({ except: ["/live", "/ready"], routeOf }));
  app.use((c, next) => {
    c.set("authentication", () => authenticationOf(access.schemes, c.get("baseUrl")));
    return next();
  });
  if (parts.metrics !== undefined) app.use(requestMetrics(parts.metrics));
  app.use(cors(EXPOSED_HEADERS));
  app.use(securityHeaders);
  app.use(compress);
  app.use(varyByCredential);
  app.onError(problemResponse);
  app.notFound(notServed({ paths, accepted: ACCEPTED_HEADERS, respond: problemResponse }));
  for (const register of modules) register(router);
  return app;
}
