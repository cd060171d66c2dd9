import { admissionOf, anonymousIdentity } from "@swath/accounts";
import { authenticatorsOf, createAccess, isAccountPath, registerTokenForm } from "@swath/accounts/hono";
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

/** The full contract. */
export function fullProfile(services: Services): Profile {
  const parts = sharedParts(services);
  const observed = new ObservedGroups();
  const { addressLimits, mcpSessions, accounts, now, metrics } = services;
  const links = fullLinks(services.registry, { hasAccounts: accounts !== undefined });
  return {
    access: createAccess({
      authenticators: authenticatorsOf(services, REALM),
      ...(addressLimits === undefined ? {} : { anonymous: ({ network }) => anonymousIdentity(network()) }),
      missingDetail:
        accounts === undefined
          ? "This route needs an API key in the X-API-Key header."
          : "This route needs an API key in the X-API-Key header, or a token in the Authorization header.",
    }),
    admission: admissionOf(services, { now: () => now().getTime(), ...(metrics === undefined ? {} : { metrics }) }),
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
