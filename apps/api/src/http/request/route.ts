import type { OpenAPIHono } from "@hono/zod-openapi";
import { type Identity, Meter } from "@swath/accounts";
import { z } from "zod";
import { ProblemError } from "../../errors/problems.ts";
import { authenticate, type Policies } from "./authenticate.ts";
import { type BodySpec, readBody } from "../../../../../packages/web/src/request/body.ts";
import { check, detailOf } from "../../../../../packages/web/src/request/check.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { openApiOperation } from "../../../../../packages/web/src/request/openapi-operation.ts";
import { methodsOf, type PathTable } from "../../../../../packages/web/src/request/paths.ts";
import type { Fields, RouteHandler, RouteInput, RouteSpec } from "./route-spec.ts";
import { settle } from "./settle.ts";

export interface Router extends Policies {
  readonly app: OpenAPIHono<AppEnv>;
  readonly paths: PathTable;
}

/**
 * Query parameters as text.
 *
 * @throws {ProblemError} `invalid-parameter` for each that was sent more than once.
 */
function queryOf(c: AppContext): Record<string, string> {
  const found = Object.entries(c.req.queries());
  const repeated = found.filter(([, values]) => values.length > 1);
  if (repeated.length > 0) {
    const errors = repeated.map(([pointer, values]) => ({
      pointer,
      detail: `Sent ${values.length} times: send it once, comma-separated where it takes several values.`,
    }));
    throw new ProblemError("invalid-parameter", detailOf(errors), { errors });
  }
  return Object.fromEntries(found.map(([name, [value = ""]]) => [name, value]));
}

const noQuery = z.strictObject({});

async function checkedBody<B>(spec: BodySpec<B> | undefined, request: Request): Promise<B> {
  if (spec === undefined) return undefined as B;
  try {
    const { value, schema } = await readBody(request, spec);
    return check(schema, value, "body");
  } catch (error) {
    throw error instanceof ProblemError && spec.fault !== undefined ? spec.fault(error) : error;
  }
}

/**
 * Registers one operation: its OpenAPI entry, and a handler that runs after the caller, the parameters and the body
 * have been checked and the cost was admitted, in this order.
 */
export function addRoute<
  P extends Fields = z.ZodType<Record<string, never>>,
  Q extends Fields = z.ZodType<Record<string, never>>,
  B = undefined,
>(router: Router, spec: RouteSpec<P, Q, B>, handler: RouteHandler<z.infer<P>, z.infer<Q>, B>): void {
  type Input = RouteInput<z.infer<P>, z.infer<Q>, B>;
  router.app.openAPIRegistry.registerPath(openApiOperation(spec, router));
  const path = router.paths.add(spec.path, methodsOf(spec.method), spec.access);

  const metered = (c: AppContext, identity: Identity, input: Input): Promise<Response> => {
    const meter = new Meter({
      admission: router.admission,
      identity,
      route: spec.operationId,
      onReleaseError: (error) => c.get("log").warn({ err: error }, "a reservation was not released"),
    });
    c.set("meter", meter);
    return settle(meter, c.get("signal"), async () => {
      const { cost } = spec;
      if (cost !== undefined && cost !== "by-plan") await meter.admit(cost(input));
      return handler(c, input);
    });
  };

  router.app.on(spec.method.toUpperCase(), path.pattern, async (c) => {
    if (spec.members !== undefined) c.set("members", spec.members);
    const identity = await authenticate(router, c, spec.accessOf?.(c) ?? spec.access, spec.operationId);
    const input: Input = {
      params: check(spec.params, path.read(c.req.path), "query") as z.infer<P>,
      query: check(spec.query ?? noQuery, queryOf(c), "query") as z.infer<Q>,
      body: await checkedBody(spec.body, c.req.raw),
    };
    return identity === undefined ? handler(c, input) : metered(c, identity, input);
  });
}
