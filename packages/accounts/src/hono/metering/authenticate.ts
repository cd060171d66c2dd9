import type { Context } from "hono";
import type { Identity } from "../../identity.ts";
import type { Admission } from "../../metering/answers/admission.ts";
import type { Access } from "../access/access.ts";
import { isPublic, type RouteAccess, requestKind, takes } from "../access/route-access.ts";
import type { AccountContext, AccountEnv } from "./context.ts";

/** The policies of a service: who may call a route, and how much. */
export interface Policies {
  readonly access: Access;
  readonly admission: Admission;
}

/**
 * Puts the caller's identity on the context and counts the request as it arrives; does neither on public routes.
 *
 * @param operationId the route's name in the counts of requests
 * @throws {AccountProblem} `invalid-key`, `insufficient-scope`.
 * @throws {CredentialError}
 * @throws {LimitError} `rate`, `quota`, `address`.
 */
export async function authenticate<E extends AccountEnv>(
  { access, admission }: Policies,
  context: Context<E>,
  route: RouteAccess,
  operationId: string,
): Promise<Identity | undefined> {
  const c = context as unknown as AccountContext;
  // the answer to an address depends on no header
  if (!isPublic(route) && !takes(route, "map")) c.set("readsCredential", true);
  const identity = await access.identify(route, {
    header: (name) => c.req.header(name),
    network: () => c.get("clientNetwork")(),
    path: () => c.req.path,
  });
  if (identity === undefined) return undefined;
  c.set("identity", identity);
  c.set("missingCredential", access.missing);
  await admission.arrive(identity, requestKind(route), operationId);
  return identity;
}
