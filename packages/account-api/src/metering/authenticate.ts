import type { Admission, Identity } from "@swath/accounts";
import type { Access } from "../../access/access.ts";
import { isPublic, type RouteAccess, requestKind } from "../../access/route-access.ts";
import type { AppContext } from "./context.ts";

/** The policies of a service: who may call a route, and how much. */
export interface Policies {
  readonly access: Access;
  readonly admission: Admission;
}

/**
 * Puts the caller's identity on the context and counts the request as it arrives; does neither on public routes.
 *
 * @throws {ProblemError} `invalid-key`, `insufficient-scope`.
 * @throws {CredentialError}
 * @throws {LimitError} `rate`, `quota`, `address`.
 */
export async function authenticate(
  { access, admission }: Policies,
  c: AppContext,
  route: RouteAccess,
  operationId: string,
): Promise<Identity | undefined> {
  if (!isPublic(route)) c.set("readsCredential", true);
  const identity = await access.identify(route, {
    header: (name) => c.req.header(name),
    network: () => c.get("clientNetwork")(),
  });
  if (identity === undefined) return undefined;
  c.set("identity", identity);
  c.set("missingCredential", access.missing);
  await admission.arrive(identity, requestKind(route), operationId);
  return identity;
}
