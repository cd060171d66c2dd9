/** The kind of key or token of a caller. */
export type CredentialKind = "anonymous" | "key" | "bearer" | "guest" | "map";

/** The permission of an identity; a route names the scopes of which it needs one. */
export type Scope = "data" | "account" | "search" | "tiles" | "cached-images" | "session" | "legacy" | "map";

/** The tier that limits an identity. */
export type Tier = "owner" | "free" | "pro" | "guest" | "anonymous";

/** The contents of a map token: what it shows, for how many units. */
export interface MapIdentity {
  readonly id: string;
  readonly unitsPerDay: number;
  /** Ids of presets; absent: all. */
  readonly presets?: readonly string[];
  /** Ids of collections; absent: all. */
  readonly collections?: readonly string[];
}

/** The caller of a request. It holds no secret. */
export interface Identity {
  readonly credential: CredentialKind;
  /**
   * Safe to log and to count by, and the owner of background jobs: the id of the key, also where a token of that key is
   * sent; of a session the id of its account; of a guest and a map the id of its token.
   */
  readonly subject: string;
  /** Account that is charged; absent for keys of the service's owner, guests and anonymous callers. */
  readonly account?: string;
  /** Account whose counts are charged, where it is another: one of the same address that was deleted in this month. */
  readonly payer?: string;
  /** Key that the usage of an account names: the id of the key, or `session`; present with `account`. */
  readonly usedKey?: string;
  readonly scopes: readonly Scope[];
  readonly tier: Tier;
  /** The map whose token is in the address. */
  readonly map?: MapIdentity;
  /** The network of an anonymous caller or a guest: its IPv4 address, or the /64 of its IPv6 address. Not to be logged. */
  readonly network?: string;
}

/** Returns a caller without a key or token: it searches, and sees images that are finished already. */
export function anonymousIdentity(network: string): Identity {
  return {
    credential: "anonymous",
    subject: "anonymous",
    scopes: ["search", "cached-images"],
    tier: "anonymous",
    network,
  };
}

/** The identity of a key that the service's owner issued: it reads data, on the legacy hosts too, and has no account. */
export function ownerIdentity(subject: string): Identity {
  return { credential: "key", subject, scopes: ["data", "legacy"], tier: "owner" };
}
