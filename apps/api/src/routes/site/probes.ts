import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/accounts/hono";
import { LIVE } from "@swath/web/server";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { NO_STORE } from "../../http/answer/documents.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { createReadiness } from "../../operations/readiness.ts";
import type { HealthParts } from "../../operations/services.ts";

const Live = z.object({ status: z.literal("live") }).meta({ id: "Live" });
const Part = z.enum(["ok", "unavailable"]);
const Ready = z
  .object({
    status: z.literal("ready"),
    checks: z.object({ store: Part, renderer: Part, queue: Part, results: Part }),
  })
  .meta({ id: "Ready" });

/** `/live` and `/ready`, which a supervisor or a proxy asks; beside `/v1`, since they are none of its versions'. */
export function registerProbes(router: Router, services: HealthParts): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/live",
      operationId: "getLive",
      tag: "Service",
      summary: "Whether the process answers",
      access: PUBLIC,
      responses: { 200: { description: "The process answers.", content: { [JSON_TYPE]: { schema: Live } } } },
    },
    (c) => c.json(LIVE, 200, { "Cache-Control": NO_STORE }),
  );
  const readiness = createReadiness(services);
  addRoute(
    router,
    {
      method: "get",
      path: "/ready",
      operationId: "getReady",
      tag: "Service",
      summary: "Whether this node can do its work",
      description:
        "503 while its store, its render threads or the queue of jobs do not answer, or its folder of results cannot be written to, with the state of each in `checks`; the upstream is not asked.",
      access: PUBLIC,
      responses: { 200: { description: "All parts answer.", content: { [JSON_TYPE]: { schema: Ready } } } },
    },
    async (c) => c.json(await readiness(), 200, { "Cache-Control": NO_STORE }),
  );
}
