import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/accounts/hono";
import type { UpstreamState } from "@swath/catalog";
import { RENDER_VERSION } from "@swath/engine/node/images";
import { upstreamProblem } from "@swath/engine/search";
import { SCHEMA_VERSION } from "@swath/schema";
import { methodsOf } from "@swath/web";
import { sendDocument } from "@swath/web/answers";
import { JSON_TYPE, OPENAPI_TYPE } from "../../documents/media-types.ts";
import { findProblem } from "../../errors/problems.ts";
import { CACHE_DOCUMENT, NO_STORE } from "../../http/answer/documents.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { stateOf } from "../../operations/readiness.ts";
import type { HealthParts, SearchParts } from "../../operations/services.ts";
import { registerDocuments } from "./documents.ts";
import { openApiDocument } from "./openapi.ts";
import { escapeHtml, page } from "./pages.ts";
import { registerProbes } from "./probes.ts";

const Check = z.enum(["ok", "unavailable"]);
const Health = z
  .object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    renderVersion: z.string(),
    time: z.iso.datetime(),
    checks: z.object({ catalog: Check, renderer: Check, store: Check }),
  })
  .meta({ id: "Health" });

const Credential = z
  .object({
    credential: z.string().openapi({ description: "`aws`, `earthdata`, or `s3:` and the name of further keys." }),
    status: z.enum(["ok", "missing", "expired", "refused"]),
    variables: z.array(z.string()).openapi({ description: "Environment variables of the service that hold it." }),
    detail: z.string().optional().openapi({ description: "What the owner of the service has to mend." }),
    collections: z.array(z.string()).openapi({ description: "Collections whose files want it." }),
  })
  .meta({ id: "FileCredential" });
const Upstream = z
  .object({
    name: z.string(),
    status: z.enum(["ok", "degraded", "failing", "unknown"]).openapi({
      description: "`degraded`: it answers, and something has failed within five minutes.",
    }),
    checked: z.iso.datetime().nullable().openapi({ description: "When it was asked last." }),
    problem: z.string().optional().openapi({ description: "What it did the last time that it failed." }),
  })
  .meta({ id: "UpstreamHealth" });
/** Further members of health, for the parts that a deployment has. */
const MEMBERS = {
  access: z.array(Credential).openapi({ description: "Credentials of the service that archives want." }),
  upstreams: z
    .array(Upstream)
    .openapi({ description: "The upstreams of the service, by the names that it gives them." }),
};

function upstreamHealth({ name, status, checked, problem }: UpstreamState): z.infer<typeof Upstream> {
  return {
    name,
    status,
    checked: checked === undefined ? null : new Date(checked).toISOString(),
    ...(problem === undefined ? {} : { problem: upstreamProblem(problem) }),
  };
}

/** Time the health check waits for the catalog. */
const HEALTH_TIMEOUT_MS = 3000;

function registerHealth(router: Router, services: HealthParts): void {
  const { fileAccess, upstreams } = services;
  const members = {
    ...(fileAccess === undefined ? {} : { access: MEMBERS.access }),
    ...(upstreams === undefined ? {} : { upstreams: MEMBERS.upstreams }),
  };
  const isPlain = Object.keys(members).length === 0;
  const schema = isPlain ? Health : Health.extend(members).meta({ id: "HealthWithAccess" });
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/health",
      operationId: "getHealth",
      tag: "Service",
      summary: "Health",
      description: "Always 200 while the process answers; `status` says whether its parts do.",
      access: PUBLIC,
      responses: { 200: { description: "State of the service.", content: { [JSON_TYPE]: { schema } } } },
    },
    async (c) => {
      const signal = AbortSignal.any([c.get("signal"), AbortSignal.timeout(HEALTH_TIMEOUT_MS)]);
      const [catalog, renderer, store] = await Promise.all([
        stateOf(services.catalog.ping({ signal })),
        stateOf(services.renderer.ping({ signal })),
        stateOf(services.pingStore?.({ signal }) ?? Promise.resolve()),
      ]);
      const access = fileAccess?.credentials();
      // a key that was never set is a choice of the deployment; one that stopped working is a fault
      const isBroken = access?.some(({ status }) => status === "expired" || status === "refused") === true;
      const states = upstreams?.map((upstream) => upstreamHealth(upstream.state()));
      const isFailing = states?.some(({ status }) => status === "failing") === true;
      const isWell = [catalog, renderer, store].every((each) => each === "ok") && !isBroken && !isFailing;
      const body = {
        status: isWell ? ("ok" as const) : ("degraded" as const),
        version: services.version,
        renderVersion: String(RENDER_VERSION),
        time: services.now().toISOString(),
        checks: { catalog, renderer, store },
        ...(access === undefined ? {} : { access }),
        ...(states === undefined ? {} : { upstreams: states }),
      } satisfies z.infer<typeof Health>;
      return c.json(body, 200, { "Cache-Control": NO_STORE });
    },
  );
}

function registerSchema(router: Router, { registry }: Pick<SearchParts, "registry">): void {
  const document = registry.schemaDocument();
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/schema",
      operationId: "getSchema",
      tag: "Service",
      summary: "Schema v1: bands, masks, harmonization, units",
      access: PUBLIC,
      etag: true,
      responses: {
        200: {
          description: "The band crosswalk.",
          content: {
            [JSON_TYPE]: { schema: z.looseObject({ "svc:schemaVersion": z.string() }).meta({ id: "SchemaV1" }) },
          },
        },
      },
    },
    (c) => sendDocument(c, document, { cacheControl: CACHE_DOCUMENT, version: SCHEMA_VERSION }),
  );
}

function registerOpenApi(router: Router, { version }: Pick<HealthParts, "version">): void {
  const documentFor = openApiDocument(router, version);
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/openapi.json",
      operationId: "getOpenApi",
      tag: "Service",
      summary: "This document",
      access: PUBLIC,
      etag: true,
      responses: {
        200: {
          description: "The OpenAPI 3.1 document of the API.",
          content: {
            [OPENAPI_TYPE]: { schema: z.looseObject({ openapi: z.string() }).meta({ id: "OpenApiDocument" }) },
          },
        },
      },
    },
    (c) =>
      sendDocument(c, documentFor(c.get("baseUrl")), {
        type: OPENAPI_TYPE,
        cacheControl: CACHE_DOCUMENT,
        version: SCHEMA_VERSION,
      }),
  );
}

/** A page for each kind of problem; the documents say more about it. */
function registerProblemPages(router: Router): void {
  const problems = router.paths.add("/problems/{code}", methodsOf("get"));
  router.app.get(problems.pattern, (c) => {
    const { code = "" } = problems.read(c.req.path);
    const facts = findProblem(code);
    if (facts === undefined) return c.notFound();
    const text = (value: string): string => escapeHtml(value).replace(/`([^`]+)`/g, "<code>$1</code>");
    return page(
      facts.title,
      `<h1>${text(facts.title)}</h1>
<p><span class="method">${facts.status}</span> <code>${code}</code></p>
<p>${text(facts.description)}</p>
<h2>What to do</h2>
<p>${text(facts.remedy)}</p>
<p><a href="/docs/errors/${code}">An example, and what else is known</a> · <a href="/docs">Documentation</a></p>`,
    );
  });
}

export function registerService(router: Router, services: HealthParts & Pick<SearchParts, "registry">): void {
  registerHealth(router, services);
  registerProbes(router, services);
  registerSchema(router, services);
  registerOpenApi(router, services);
  registerDocuments(router);
  registerProblemPages(router);
}
