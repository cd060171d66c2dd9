import { anonymousIdentity, type Identity } from "@swath/accounts";
import { type Authenticator, createAccess } from "@swath/accounts/hono";
import type { Services } from "../../src/operations/services.ts";
import { fullProfile } from "../../src/service/profiles/full.ts";
import type { Profile } from "../../src/service/profiles/profile.ts";
import { FULL, type TestProfile } from "../tools/harness.ts";

/** Takes the secrets of a table in `X-API-Key`, whoever holds them. */
function tableAuthenticator(holders: Readonly<Record<string, Identity>>): Authenticator {
  return {
    kinds: ["key", "bearer", "guest"],
    scheme: { name: "ApiKey", definition: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key." } },
    read: ({ header }) => header("X-API-Key"),
    identify: async (secret) => holders[secret],
    invalidDetail: "There is no such key.",
    challenge: () => 'ApiKey realm="swath"',
  };
}

/** The full contract, for callers of a table: key to identity. */
export function profileFor(holders: Readonly<Record<string, Identity>>): TestProfile {
  return {
    ...FULL,
    create: (services: Services): Profile => ({
      ...fullProfile(services),
      access: createAccess({
        authenticators: [tableAuthenticator(holders)],
        anonymous: ({ network }) => anonymousIdentity(network()),
        missingDetail: "This route needs a key.",
      }),
    }),
  };
}
