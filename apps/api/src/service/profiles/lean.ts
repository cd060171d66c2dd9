import { admissionOf } from "@swath/accounts";
import { createAccess, keyAuthenticator } from "@swath/accounts/hono";
import type { Services } from "../../operations/services.ts";
import { LEAN_DIALECT } from "../../routes/images/parameters.ts";
import { LEAN_CLASSES } from "./conformance-classes.ts";
import type { Profile } from "./profile.ts";
import { sharedModules, sharedParts } from "./shared-modules.ts";

/** Lean v1: keys of the owner alone, limited by requests. */
export function leanProfile(services: Services): Profile {
  return {
    access: createAccess({
      authenticators: [keyAuthenticator(services.keys)],
      missingDetail: "This route needs an API key in the X-API-Key header.",
    }),
    admission: admissionOf({ limits: services.limits }),
    modules: sharedModules(services, sharedParts(services), {
      conformsTo: LEAN_CLASSES,
      links: {},
      filters: "refused",
      dialect: LEAN_DIALECT,
      jobUnits: "none",
      expressions: "refused",
      isOpen: () => false,
    }),
  };
}
