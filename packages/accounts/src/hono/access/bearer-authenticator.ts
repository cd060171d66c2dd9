import type { KeyLookup } from "../../keys/key-lookup.ts";
import type { TokenLookup } from "../../tokens/credential-lookup.ts";
import type { Authenticator } from "./authenticator.ts";

/** The path at which OAuth clients get tokens. */
export const TOKEN_PATH = "/oauth/token";
const UNKNOWN = "The bearer token is unknown, expired or revoked.";

/** The token of an `Authorization` header (RFC 6750 section 2.1); undefined for another scheme or no token. */
export function bearerToken(header: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header)?.[1];
}

/** Settings of {@link bearerAuthenticator}. */
export interface BearerOptions {
  /** Name of the service in challenges (RFC 9110 section 11.5), of characters that need no quoting. */
  readonly realm: string;
}

/**
 * Reads `Authorization`. A header of another scheme is a token that is not good, never none. Clients of openEO send
 * `Bearer basic//…` with what they got in place of a password, which may be a key as well.
 */
export function bearerAuthenticator(tokens: TokenLookup, keys: KeyLookup, { realm }: BearerOptions): Authenticator {
  const authenticator: Authenticator = {
    kinds: ["bearer", "guest"],
    scheme: {
      name: "bearer",
      definition: {
        type: "http",
        scheme: "bearer",
        description: "An OAuth access token (`POST /oauth/token`), a session of the website, or a guest token.",
      },
    },
    grants: [
      {
        name: "oauth2",
        definition: {
          type: "oauth2",
          description: "Tokens of one hour: the client id comes with a key, and the key is the client secret.",
          flows: {
            clientCredentials: {
              tokenUrl: TOKEN_PATH,
              scopes: { data: "Everything that reads data.", account: "The account and its keys." },
            },
          },
        },
      },
    ],
    read: (credentials) => credentials.header("Authorization"),
    async identify(header, credentials) {
      const token = bearerToken(header);
      if (token === undefined) return undefined;
      const origin = credentials.header("Origin");
      const isOpenEo = token.startsWith("basic//");
      const secret = isOpenEo ? token.slice("basic//".length) : token;
      const found = (await tokens.identify(secret, origin)) ?? (isOpenEo ? await keys.identify(secret) : undefined);
      // the units of guests are counted by the network that they ask from too
      return found?.credential === "guest" ? { ...found, network: credentials.network() } : found;
    },
    invalidDetail: UNKNOWN,
    challenge(refusal) {
      const scheme = `Bearer realm="${realm}"`;
      if (refusal.reason === "scope") return `${scheme}, error="insufficient_scope", scope="${refusal.scope}"`;
      const isOurs = refusal.reason === "invalid" && refusal.by.scheme === authenticator.scheme;
      return isOurs ? `${scheme}, error="invalid_token", error_description="${UNKNOWN}"` : scheme;
    },
  };
  return authenticator;
}
