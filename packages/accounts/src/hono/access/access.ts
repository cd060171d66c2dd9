import type { CredentialKind, Identity, Scope } from "../../identity.ts";
import { AccountProblem } from "../problems.ts";
import type { Authenticator, Credentials, Refusal, SecurityScheme } from "./authenticator.ts";
import { isPublic, permits, type RouteAccess, takes } from "./route-access.ts";

/** Settings of {@link createAccess}. */
export interface AccessOptions {
  /** In order of precedence: the first whose header a request carries decides, and the others are not read. */
  readonly authenticators: readonly Authenticator[];
  /** The identity of callers without a key or token; absent: all callers need one. */
  readonly anonymous?: (credentials: Credentials) => Identity;
  /** Detail of the problem where a key or token is missing. */
  readonly missingDetail: string;
}

/** The callers that each route admits: the keys and tokens that a profile reads against those that a route takes. */
export interface Access {
  /**
   * Returns the caller of a route; undefined on public routes, where no key or token is read.
   *
   * A key or token that is sent and not good is refused even where the route takes anonymous callers.
   *
   * @throws {AccountProblem} `invalid-key` (401) where a key or token is missing or not good; `insufficient-scope` (403)
   * where a good one is not for this route.
   */
  identify(route: RouteAccess, credentials: Credentials): Promise<Identity | undefined>;
  /** The refusal of a caller who would need a key or token: 401 with the challenge of every scheme. */
  missing(detail: string): AccountProblem;
  /** The refusal of a caller whose key or token is good and lacks a scope: 403 with the challenge of every scheme. */
  lacking(scope: Scope, detail: string): AccountProblem;
  /** The security requirements of the route in the OpenAPI document: alternatives, `{}` for anonymous callers. */
  security(route: RouteAccess): Record<string, string[]>[];
  /** The security schemes of the OpenAPI document, by name. */
  readonly schemes: Readonly<Record<string, SecurityScheme["definition"]>>;
  /** Whether keys or tokens of this kind are read at all. */
  reads(kind: CredentialKind): boolean;
  /** Statuses of the refusals that callers of the route may get. */
  refusals(route: RouteAccess): readonly number[];
}

/** Makes the table of callers and routes of the schemes that a service reads. */
export function createAccess({ authenticators, anonymous, missingDetail }: AccessOptions): Access {
  // clients take the first scheme that they know: the one of the lowest precedence is the standard's own
  const challenge = (refusal: Refusal): Record<string, string> => ({
    "WWW-Authenticate": [...authenticators]
      .reverse()
      .flatMap((each) => each.challenge?.(refusal) ?? [])
      .join(", "),
  });
  const missing = (detail: string): AccountProblem =>
    new AccountProblem("invalid-key", detail, { headers: challenge({ reason: "missing" }) });
  const lacking = (scope: Scope, detail: string): AccountProblem =>
    new AccountProblem("insufficient-scope", detail, { headers: challenge({ reason: "scope", scope }) });
  const requireScope = (route: RouteAccess, identity: Identity): Identity => {
    if (permits(route, identity)) return identity;
    const [scope = "data"] = route.scopes;
    throw lacking(scope, `This route needs a credential with the scope "${scope}".`);
  };
  const openTo = (route: RouteAccess): readonly Authenticator[] =>
    authenticators.filter(({ kinds }) => kinds.some((kind) => takes(route, kind)));
  const takesAnonymous = (route: RouteAccess): boolean => anonymous !== undefined && takes(route, "anonymous");

  return {
    async identify(route, credentials) {
      if (isPublic(route)) return undefined;
      // an address that has a token in it is not read beside headers, nor are headers beside it
      const isMap = takes(route, "map");
      for (const by of authenticators.filter(({ kinds }) => kinds.includes("map") === isMap)) {
        const secret = by.read(credentials);
        if (secret === undefined) continue;
        const identity = await by.identify(secret, credentials);
        if (identity === undefined) {
          throw new AccountProblem("invalid-key", by.invalidDetail, { headers: challenge({ reason: "invalid", by }) });
        }
        return requireScope(route, identity);
      }
      const identity = anonymous?.(credentials);
      if (identity !== undefined && permits(route, identity)) return identity;
      throw missing(missingDetail);
    },
    missing,
    lacking,
    security(route) {
      if (isPublic(route)) return [];
      return [
        ...(takesAnonymous(route) ? [{}] : []),
        ...openTo(route).flatMap(({ scheme, grants = [] }) => [
          ...(scheme === undefined ? [] : [{ [scheme.name]: [] as string[] }]),
          ...grants.flatMap((grant) => grantRequirement(grant, route)),
        ]),
      ];
    },
    schemes: Object.fromEntries(
      authenticators
        .flatMap(({ scheme, grants = [] }) => [...(scheme === undefined ? [] : [scheme]), ...grants])
        .map(({ name, definition }) => [name, definition]),
    ),
    reads: (kind) => authenticators.some(({ kinds }) => kinds.includes(kind)),
    refusals(route) {
      if (isPublic(route)) return [];
      // keys of the owner alone: each has the scope of every route that takes keys for data
      const hasScopes = authenticators.some(({ kinds }) => kinds.some((kind) => kind !== "key"));
      return hasScopes || !route.scopes.includes("data") ? [401, 403, 429] : [401, 429];
    },
  };
}

/** The requirement of a route that a grant can meet, with the scopes that it needs; none where no scope of it will do. */
function grantRequirement({ name, definition }: SecurityScheme, { scopes }: RouteAccess): Record<string, string[]>[] {
  if (definition.type !== "oauth2") return [{ [name]: [] }];
  const known = Object.keys(definition.flows.clientCredentials.scopes);
  const needed = scopes.filter((scope) => known.includes(scope));
  return needed.length === 0 ? [] : [{ [name]: needed }];
}
