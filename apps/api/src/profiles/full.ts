import { createAccess } from "../access/access.ts";
import { keyAuthenticator } from "../access/keys/key-authenticator.ts";
import { requestCounts } from "../metering/request-counts.ts";
import type { Services } from "../services.ts";
import { FULL_CLASSES } from "./conformance-classes.ts";
import type { Profile } from "./profile.ts";
import { sharedModules, sharedParts } from "./shared-modules.ts";

/** The full contract. */
export function fullProfile(services: Services): Profile {
  const parts = sharedParts(services);
  return {
    access: createAccess({
      authenticators: [keyAuthenticator(services.keys)],
      missingDetail: "This route needs an API key in the X-API-Key header.",
    }),
    admission: requestCounts(services.limits),
    modules: [...sharedModules(services, parts, { landing: { conformsTo: FULL_CLASSES } })],
  };
}
