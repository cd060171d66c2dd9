import {
  type Admission,
  accountRequests,
  anonymousIdentity,
  anonymousLimits,
  anyKeyLookup,
  DEFAULT_LIMITS,
  GuessLimit,
  requestCounts,
  unitAdmission,
  wrongCredentials,
} from "@swath/accounts";
import {
  type Authenticator,
  bearerAuthenticator,
  createAccess,
  isAccountPath,
  keyAuthenticator,
  limitGuesses,
  mapAuthenticator,
  registerTokenForm,
} from "@swath/accounts/hono";
import { ObservedGroups } from "@swath/engine/node";
import type { Router } from "../../http/request/route.ts";
import { registerMcp, registerMcpGate } from "../../mcp/routes.ts";
import type { Services } from "../../operations/services.ts";
import { registerStatistics } from "../../routes/analysis/statistics.ts";
import { registerTimeseries } from "../../routes/analysis/timeseries.ts";
import { registerLegends } from "../../routes/images/legends.ts";
import { FULL_DIALECT } from "../../routes/images/parameters.ts";
import { registerWmts } from "../../routes/images/wmts.ts";
import { registerOpenEo, registerOpenEoForm } from "../../routes/openeo/openeo.ts";
import { registerAggregate } from "../../routes/scenes/aggregate.ts";
import { registerQueryables } from "../../routes/scenes/queryables.ts";
import { accountModules, REALM } from "./account-modules.ts";
import { FULL_CLASSES } from "./conformance-classes.ts";
import { fullLinks } from "./full-links.ts";
import type { Profile } from "./profile.ts";
import { sharedModules, sharedParts } from "./shared-modules.ts";

/** Headers with keys and tokens, and addresses with map tokens. */
function allAuthenticators(services: Services): readonly Authenticator[] {
  const { maps, accounts, addressLimits } = services;
  if (maps === undefined) return authenticators(services);
  const guesses =
    accounts?.guesses ?? (addressLimits === undefined ? undefined : new GuessLimit(wrongCredentials(addressLimits)));
  const byMap = mapAuthenticator(maps.lookup);
  return [...authenticators(services), guesses === undefined ? byMap : limitGuesses(byMap, guesses)];
}

/** Keys of the owner; where there are accounts, also their keys, tokens and sessions, and guests. */
function authenticators({ keys, accounts, addressLimits }: Services): readonly Authenticator[] {
  if (accounts === undefined) {
    const byKey = keyAuthenticator(keys, { openEo: true });
    if (addressLimits === undefined) return [byKey];
    return [limitGuesses(byKey, new GuessLimit(wrongCredentials(addressLimits)))];
  }
  const all = anyKeyLookup([keys, accounts.lookup.keys]);
  return [
    keyAuthenticator(all, { description: "A key made with `POST /v1/keys`, or issued by the owner of the service." }),
    bearerAuthenticator(accounts.lookup.tokens, all, { realm: REALM }),
  ].map((each) => limitGuesses(each, accounts.guesses));
}

/** Units and requests, or requests alone where the service has no accounts of units. */
function countsOf({ units, limits, limitSettings = DEFAULT_LIMITS, now, metrics, guestUnitsDay }: Services): Admission {
  if (units === undefined) return requestCounts(limits);
  return unitAdmission({
    accounts: units,
    requests: limits,
    limits: limitSettings,
    now: () => now().getTime(),
    ...(metrics === undefined ? {} : { metrics }),
    ...(guestUnitsDay === undefined ? {} : { guestUnitsDay }),
  });
}

/** The full contract. */
export function fullProfile(services: Services): Profile {
  const parts = sharedParts(services);
  const observed = new ObservedGroups();
  const { addressLimits, mcpSessions, accounts } = services;
  const links = fullLinks(services.registry, { hasAccounts: accounts !== undefined });
  const counts = countsOf(services);
  const ofAccounts = accounts === undefined ? counts : accountRequests(accounts.limits, counts);
  return {
    access: createAccess({
      authenticators: allAuthenticators(services),
      ...(addressLimits === undefined ? {} : { anonymous: ({ network }) => anonymousIdentity(network()) }),
      missingDetail:
        accounts === undefined
          ? "This route needs an API key in the X-API-Key header."
          : "This route needs an API key in the X-API-Key header, or a token in the Authorization header.",
    }),
    admission: addressLimits === undefined ? ofAccounts : anonymousLimits(addressLimits, ofAccounts),
    modules: [
      ...sharedModules(services, parts, {
        conformsTo: FULL_CLASSES,
        links,
        filters: "cql2",
        dialect: FULL_DIALECT,
        jobUnits: "reported",
        expressions: "taken",
        isOpen: isAccountPath,
        forms: (router) => {
          registerOpenEoForm(router);
          if (accounts !== undefined) registerTokenForm(router);
          if (mcpSessions !== undefined) registerMcpGate(router, services);
        },
        missingItems: addressLimits,
      }),
      (router) => registerLegends(router, { ...services, extents: parts.extents }),
      (router) => registerQueryables(router, { ...services, extents: parts.extents }),
      (router) => registerAggregate(router, { ...services, extents: parts.extents }),
      (router) => registerStatistics(router, services),
      (router) => registerTimeseries(router, { ...services, observed }),
      (router) => registerOpenEo(router, services, parts.extents),
      ...accountModules(services),
      (router) => registerWmts(router, { ...services, extents: parts.extents }, parts.images),
      ...(mcpSessions === undefined
        ? []
        : [(router: Router) => registerMcp(router, { ...services, ...parts, mcpSessions, observed, links })]),
    ],
  };
}
