import { type Identity, Meter, type Units } from "@swath/accounts";
import { didYouMean } from "@swath/engine";
import {
  addRoute as addWebRoute,
  type Fields,
  type RouteHandler,
  type RouteInput,
  type RouteSpec,
  type Router as WebRouter,
} from "@swath/web";
import type { z } from "zod";
import type { RouteAccess } from "../../access/route-access.ts";
import type { MemberNames } from "../../errors/refusals.ts";
import { authenticate, type Policies } from "./authenticate.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { policyDescriptions } from "./policy-descriptions.ts";
import { settle } from "./settle.ts";

export interface Router extends Policies, WebRouter<AppEnv, RouteAccess> {}

/** One operation of the service, with its callers and its cost. */
export interface ServiceRoute<P extends Fields, Q extends Fields, B>
  extends Omit<RouteSpec<P, Q, B>, "security" | "headers" | "statuses"> {
  /** The callers that the route admits. */
  readonly access: RouteAccess;
  /**
   * Returns the callers that a request admits, where they depend on its parameters; `access` is then that of the
   * strictest.
   */
  readonly accessOf?: (c: AppContext) => RouteAccess;
  /**
   * The cost of a request, admitted before the handler runs; nothing by default. `by-plan`: the handler plans first
   * and admits the cost through the context's `meter`.
   */
  readonly cost?: ((input: RouteInput<z.infer<P>, z.infer<Q>, B>) => Units) | "by-plan";
  /** Names of the members of the engine's request in this route; absent: refusals name no member. */
  readonly members?: MemberNames;
}

/**
 * Registers one operation: its OpenAPI entry, and a handler that runs after the caller, the parameters and the body
 * have been checked and the cost was admitted, in this order.
 */
export function addRoute<
  P extends Fields = z.ZodType<Record<string, never>>,
  Q extends Fields = z.ZodType<Record<string, never>>,
  B = undefined,
>(router: Router, spec: ServiceRoute<P, Q, B>, handler: RouteHandler<AppEnv, z.infer<P>, z.infer<Q>, B>): void {
  type Input = RouteInput<z.infer<P>, z.infer<Q>, B>;
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

  addWebRoute<P, Q, B, AppEnv, RouteAccess>(
    { suggest: didYouMean, ...router },
    { ...spec, ...policyDescriptions(spec, router) },
    (c, input) => {
      const identity: Identity | undefined = c.get("identity");
      return identity === undefined ? handler(c, input) : metered(c, identity, input);
    },
    {
      facts: spec.access,
      async before(c) {
        if (spec.members !== undefined) c.set("members", spec.members);
        await authenticate(router, c, spec.accessOf?.(c) ?? spec.access, spec.operationId);
      },
    },
  );
}
