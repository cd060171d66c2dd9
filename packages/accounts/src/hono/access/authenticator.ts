import type { CredentialKind, Identity, Scope } from "../../identity.ts";

/** The parts of a request that tell who asks: the headers of a request, and the network it comes from. */
export interface Credentials {
  header(name: string): string | undefined;
  /** IPv4 address, or the /64 of an IPv6 address. */
  network(): string;
  /** Path of the request, not decoded; absent: none is known. */
  path?(): string;
}

/** The reason why a request is refused; `missing` is an answer to a request without a key or token. */
export type Refusal =
  | { readonly reason: "missing" }
  | { readonly reason: "invalid"; readonly by: Authenticator }
  | { readonly reason: "scope"; readonly scope: Scope };

/**
 * The flow by which clients of OAuth get tokens for their own account. A type, not an interface: OpenAPI takes members
 * of other names.
 */
type ClientCredentialsFlow = {
  /** Path on this service. */
  readonly tokenUrl: string;
  /** The purpose of each scope. */
  readonly scopes: Readonly<Record<string, string>>;
};

/** A security scheme of the OpenAPI document: its name there, and its object (OpenAPI 3.1 section 4.8.27). */
export interface SecurityScheme {
  readonly name: string;
  readonly definition:
    | { readonly type: "apiKey"; readonly in: "header"; readonly name: string; readonly description: string }
    | { readonly type: "http"; readonly scheme: string; readonly description: string }
    | {
        readonly type: "oauth2";
        readonly description: string;
        readonly flows: { readonly clientCredentials: ClientCredentialsFlow };
      };
}

/** Reads one kind of header and knows which of its secrets are good. */
export interface Authenticator {
  /** Kinds of keys and tokens that the header may hold. */
  readonly kinds: readonly CredentialKind[];
  /** The scheme in the OpenAPI document; absent of what is read from addresses, whose parameter describes it. */
  readonly scheme?: SecurityScheme;
  /** Schemes by which a client gets what the header then holds. */
  readonly grants?: readonly SecurityScheme[];
  /** The secret that a request carries; undefined where it carries none of this scheme. */
  read(credentials: Credentials): string | undefined;
  /** Returns the holder of the secret; undefined where it is unknown, expired or disabled. */
  identify(secret: string, credentials: Credentials): Promise<Identity | undefined>;
  /** Detail of the problem where `identify` knows no holder. */
  readonly invalidDetail: string;
  /** This scheme's part of `WWW-Authenticate` (RFC 9110 section 11.6.1); absent of what is in no header. */
  challenge?(refusal: Refusal): string;
}
