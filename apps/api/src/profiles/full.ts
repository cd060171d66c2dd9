import { createAccess } from "../access/access.ts";
import { anonymousIdentity } from "../access/identity.ts";
import { keyAuthenticator } from "../access/keys/key-authenticator.ts";
import { anonymousLimits } from "../metering/anonymous-limits.ts";
import { requestCounts } from "../metering/request-counts.ts";
import { registerQueryables } from "../routes/queryables.ts";
import { registerStatistics } from "../routes/statistics.ts";
import { registerTimeseries } from "../routes/timeseries.ts";
import { registerWmts } from "../routes/wmts.ts";
import type { Services } from "../services.ts";
import { FULL_CLASSES } from "./conformance-classes.ts";
import { fullLinks } from "./full-links.ts";
import type { Profile } from "./profile.ts";
import { sharedModules, sharedParts } from "./shared-modules.ts";

/** The full contract. */
export function fullProfile(services: Services): Profile {
  const parts = sharedParts(services);
  const { addressLimits } = services;
  const counts = requestCounts(services.limits);
  return {
    access: createAccess({
      authenticators: [keyAuthenticator(services.keys)],
      ...(addressLimits === undefined ? {} : { anonymous: ({ network }) => anonymousIdentity(network()) }),
      missingDetail: "This route needs an API key in the X-API-Key header.",
    }),
    admission: addressLimits === undefined ? counts : anonymousLimits(addressLimits, counts),
    modules: [
      ...sharedModules(services, parts, {
        conformsTo: FULL_CLASSES,
        links: fullLinks(services.registry),
        filters: "cql2",
      }),
      (router) => registerQueryables(router, services),
      (router) => registerStatistics(router, services),
      (router) => registerTimeseries(router, services),
      (router) => registerWmts(router, { ...services, extents: parts.extents }, parts.images),
    ],
  };
}
