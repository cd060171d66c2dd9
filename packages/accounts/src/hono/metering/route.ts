import {
  addRoute,
  type Fields,
  type HeaderDescriptions,
  header,
  type RouteHandler,
  type RouteInput,
  type Router,
  type RouteSpec,
  type StatusDescriptions,
} from "@swath/web";
import type { Context } from "hono";
import type { z } from "zod";
import type { Identity } from "../../identity.ts";
import { Meter } from "../../metering/answers/meter.ts";
import type { Units } from "../../metering/units/units.ts";
import type { RouteAccess } from "../access/route-access.ts";
import { authenticate, type Policies } from "./authenticate.ts";
import type { AccountContext, AccountEnv } from "./context.ts";
import { settle } from "./settle.ts";

/** The app and the table of paths in which routes are registered, with the policies of their requests. */
export interface MeteredRouter<E extends AccountEnv = AccountEnv> extends Policies, Router<E, RouteAccess> {
  /** Problem statuses that every route may answer, and what the service says of statuses in the OpenAPI document. */
  readonly everyRoute?: { readonly problems: readonly number[]; readonly statuses: StatusDescriptions };
}

/** One operation of a service, with its callers and its cost. */
export interface MeteredRoute<P extends Fields, Q extends Fields, B, E extends AccountEnv = AccountEnv>
  extends Omit<RouteSpec<P, Q, B>, "security"> {
  /** The callers that the route admits. */
  readonly access: RouteAccess;
  /**
   * Returns the callers that a request admits, where they depend on its parameters; `access` is then that of the
   * strictest.
   */
  readonly accessOf?: (c: Context<E>) => RouteAccess;
  /**
   * The cost of a request, admitted before the handler runs; nothing by default. `by-plan`: the handler plans first
   * and admits the cost through the context's `meter`.
   */
  readonly cost?: ((input: RouteInput<z.infer<P>, z.infer<Q>, B>) => Units) | "by-plan";
}

/** Additions of a service to a route that are not in its specification. */
export interface MeteredOptions<E extends AccountEnv> {
  /** Runs before the caller is known; an error that it throws is the answer. */
  readonly before?: (c: Context<E>) => void;
}

/**
 * Registers one operation: its OpenAPI entry, and a handler that runs after the caller, the parameters and the body
 * have been checked and the cost was admitted, in this order. A good answer is charged, another is not.
 */
export function addMeteredRoute<
  P extends Fields = z.ZodType<Record<string, never>>,
  Q extends Fields = z.ZodType<Record<string, never>>,
  B = undefined,
  E extends AccountEnv = AccountEnv,
>(
  router: MeteredRouter<E>,
  spec: MeteredRoute<P, Q, B, E>,
  handler: RouteHandler<E, z.infer<P>, z.infer<Q>, B>,
  { before }: MeteredOptions<E> = {},
): void {
  type Input = RouteInput<z.infer<P>, z.infer<Q>, B>;
  const metered = (context: Context<E>, identity: Identity, input: Input): Promise<Response> => {
    const c = context as unknown as AccountContext;
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
      return handler(context, input);
    });
  };

  addRoute<P, Q, B, E, RouteAccess>(
    router,
    { ...spec, ...policyDescriptions(spec, router) },
    (c, input) => {
      const identity: Identity | undefined = (c as unknown as AccountContext).get("identity");
      return identity === undefined ? handler(c, input) : metered(c, identity, input);
    },
    {
      facts: spec.access,
      async before(c) {
        before?.(c);
        await authenticate(router, c, spec.accessOf?.(c) ?? spec.access, spec.operationId);
      },
    },
  );
}

const UNITS: HeaderDescriptions = {
  "X-Units-Spent": header("Units that this answer costs; absent for callers without a credential."),
  "X-Units-Remaining": header("Units that can still be spent; absent where there is no limit."),
  RateLimit: header("What is left of each policy, and seconds until it begins anew (RFC 9651 list)."),
  "RateLimit-Policy": header("The limits that apply (RFC 9651 list)."),
};
const RETRY_AFTER: HeaderDescriptions = { "Retry-After": header("Seconds until the request can succeed.", "integer") };

const STATUSES: StatusDescriptions = {
  401: {
    description: "The API key is missing or unknown.",
    headers: { "WWW-Authenticate": header("The scheme: a key in a header.") },
  },
  409: { description: "The account has as many keys as it may have." },
};
const TOO_MANY = "Too many requests.";

/** Returns the parts of an OpenAPI operation that follow from the policies: security, statuses and headers of units. */
function policyDescriptions<P extends Fields, Q extends Fields, B>(
  spec: Pick<MeteredRoute<P, Q, B>, "access" | "cost" | "problems" | "headers" | "statuses">,
  { access, admission, everyRoute }: Pick<MeteredRouter, "access" | "admission" | "everyRoute">,
): Pick<RouteSpec<P, Q, B>, "security" | "problems" | "headers" | "statuses"> {
  const units = spec.cost !== undefined && admission.receiptFor !== undefined ? UNITS : {};
  const tooMany = { description: TOO_MANY, headers: { ...RETRY_AFTER, ...units } };
  return {
    security: access.security(spec.access),
    problems: [...(everyRoute?.problems ?? []), ...access.refusals(spec.access), ...(spec.problems ?? [])],
    headers: { ...spec.headers, ...units },
    statuses: { ...STATUSES, 429: tooMany, ...everyRoute?.statuses, ...spec.statuses },
  };
}
