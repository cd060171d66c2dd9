import type { Authenticator } from "../authenticator.ts";
import type { KeyLookup } from "./key-lookup.ts";

/** Reads `X-API-Key`; an empty header counts as none. */
export function keyAuthenticator(keys: KeyLookup): Authenticator {
  return {
    kinds: ["key"],
    scheme: {
      name: "apiKey",
      definition: {
        type: "apiKey",
        in: "header",
        name: "X-API-Key",
        description: "A key issued by the owner of the service.",
      },
    },
    read(credentials) {
      const key = credentials.header("X-API-Key");
      return key === "" ? undefined : key;
    },
    identify: (key) => keys.identify(key),
    invalidDetail: "The API key in the X-API-Key header is unknown or disabled.",
    challenge: () => 'ApiKey header="X-API-Key"',
  };
}
