import type { KeyLookup } from "../../keys/key-lookup.ts";
import type { Authenticator } from "./authenticator.ts";

/** A key as clients of openEO send it. */
const OPENEO_KEY = /^Bearer +basic\/\/(\S+) *$/i;

/** Settings of {@link keyAuthenticator}. */
export interface KeyAuthenticatorOptions {
  /** Description of the scheme in the OpenAPI document. */
  readonly description?: string;
  /**
   * Whether `Authorization: Bearer basic//{key}` is read too, where no other authenticator reads that header. A header
   * of another form is a key that is not good, never none.
   */
  readonly openEo?: boolean;
}

/** Reads `X-API-Key`; an empty header is a key that is not good, never none. */
export function keyAuthenticator(
  keys: KeyLookup,
  { description = "A key issued by the owner of the service.", openEo = false }: KeyAuthenticatorOptions = {},
): Authenticator {
  return {
    kinds: ["key"],
    scheme: {
      name: "apiKey",
      definition: {
        type: "apiKey",
        in: "header",
        name: "X-API-Key",
        description,
      },
    },
    read(credentials) {
      const key = credentials.header("X-API-Key");
      if (key !== undefined || !openEo) return key;
      const header = credentials.header("Authorization");
      return header === undefined ? undefined : (OPENEO_KEY.exec(header)?.[1] ?? header);
    },
    identify: (key) => keys.identify(key),
    invalidDetail: openEo
      ? "The API key is unknown or disabled: send it in the X-API-Key header."
      : "The API key in the X-API-Key header is unknown or disabled.",
    challenge: () => 'ApiKey header="X-API-Key"',
  };
}
