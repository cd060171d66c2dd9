/** How a caller shows who asks. */
export type CredentialKind = "anonymous" | "key" | "bearer" | "guest";

/** What an identity may do; a route names the scopes of which it needs one. */
export type Scope = "data" | "account" | "search" | "tiles";

/** What an identity is limited by. */
export type Tier = "owner" | "free" | "pro" | "guest" | "anonymous";

/** Who sent a request. It holds no secret. */
export interface Identity {
  readonly credential: CredentialKind;
  /** Id of the key, token or client; safe to log and to count by, and the owner of background jobs. */
  readonly subject: string;
  /** Account that is charged; absent for keys of the service's owner, guests and anonymous callers. */
  readonly account?: string;
  readonly scopes: readonly Scope[];
  readonly tier: Tier;
}

/** The identity of a key that the service's owner issued: it reads data and has no account. */
export function ownerIdentity(subject: string): Identity {
  return { credential: "key", subject, scopes: ["data"], tier: "owner" };
}
