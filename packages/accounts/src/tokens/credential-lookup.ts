import type { Store, StoreRow } from "@swath/store";
import { CredentialError } from "../errors.ts";
import type { Identity, Tier } from "../identity.ts";
import { keyScopesOf } from "../keys/account-keys.ts";
import type { KeyLookup } from "../keys/key-lookup.ts";
import { ACCOUNT_TIERS } from "../people/account.ts";
import { MAX_SESSION_MS, SESSION_MS } from "../people/sign-in.ts";
import { type Finding, FindingCache, GOOD_MS, UNKNOWN_MS } from "../secrets/finding-cache.ts";
import { hashOf, sameHash } from "../secrets/secret-hash.ts";
import { isSecret } from "../secrets/secrets.ts";

/** Renewals of sessions and times of last use are written at most once in this time. */
const WRITE_MS = 3_600_000;

/** Finds the holder of a bearer token. */
export interface TokenLookup {
  /**
   * @param origin of the website that sends the token; undefined where the request names none.
   * @returns undefined where the token is unknown, expired or revoked.
   * @throws {CredentialError} `suspended`, `unverified`; `other-origin` for a guest token of another origin.
   */
  identify(token: string, origin: string | undefined): Promise<Identity | undefined>;
}

/** Finds the holders of keys and tokens of accounts, and of guest tokens. */
export interface CredentialLookup {
  readonly keys: KeyLookup;
  readonly tokens: TokenLookup;
  /** Forgets what this node remembers of the secrets with these hashes: they were revoked here. */
  forget(hashes: readonly string[]): void;
}

type Held =
  | { readonly identity: Identity; readonly origin?: string | null }
  | { readonly refusal: "suspended" | "unverified" };

const KEY = `select k.id, k.hash, k.account_id, k.scopes, k.expires, k.used, a.tier, a.payer, a.verified, a.suspended
  from account_key k join account a on a.id = k.account_id
  where k.hash = $1 and k.revoked is null and a.deleted is null`;
const KEY_USED = "update account_key set used = $2 where id = $1 and (used is null or used <= $3)";
const TOKEN = `select t.hash, t.id, t.kind, t.account_id, t.key_id, t.scopes, t.origin, t.created, t.used, t.expires,
    a.tier, a.payer, a.verified, a.suspended, k.id as live_key, k.scopes as key_scopes, k.expires as key_expires
  from access_token t
  left join account a on a.id = t.account_id and a.deleted is null
  left join account_key k on k.id = t.key_id and k.account_id = t.account_id and k.revoked is null
  where t.hash = $1 and t.expires > $2`;
const RENEW = `update access_token set expires = $2, used = $3
  where hash = $1 and expires > $3 and (used is null or used <= $4)`;

const timeOf = (value: StoreRow[string] | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);

function tierOf(row: StoreRow): Tier {
  const tier = ACCOUNT_TIERS.find((each) => each === row.tier);
  if (tier === undefined) throw new Error("The database holds an account of an unknown tier.");
  return tier;
}

/** The account of a row, and who pays for it. */
function accountOf(row: StoreRow): Pick<Identity, "tier" | "payer"> & { readonly account: string } {
  const account = String(row.account_id);
  return { account, tier: tierOf(row), ...(row.payer === null ? {} : { payer: String(row.payer) }) };
}

/** Returns the reason in the account's state for which its keys and tokens are refused, if there is one. */
function refusalOf({ suspended, verified }: StoreRow): Held | undefined {
  if (suspended !== null) return { refusal: "suspended" };
  return verified === null ? { refusal: "unverified" } : undefined;
}

function identityOf(held: Held | undefined): Identity | undefined {
  if (held === undefined) return undefined;
  if ("refusal" in held) throw new CredentialError(held.refusal);
  return held.identity;
}

/**
 * Looks self-service keys and tokens up by their hash and caches what it found for up to 30 s, as `storedKeyLookup`
 * does. A refusal is remembered as short as an unknown secret, so that a resumed account works at once.
 *
 * @param prefix of the keys, before `_`.
 */
export function credentialLookup(store: Store, prefix: string, now: () => number = Date.now): CredentialLookup {
  const unknown = (asked: number): Finding<Held> => ({ value: undefined, until: asked + UNKNOWN_MS });
  const refused = (held: Held, asked: number): Finding<Held> => ({ value: held, until: asked + UNKNOWN_MS });
  const good = (held: Held, asked: number, ...ends: readonly (number | undefined)[]): Finding<Held> => ({
    value: held,
    until: Math.min(asked + GOOD_MS, ...ends.filter((end) => end !== undefined)),
  });

  const lookAtKey = async (key: string, asked: number): Promise<Finding<Held>> => {
    const hash = hashOf(key);
    const [row] = await store.query(KEY, [hash]);
    const expires = timeOf(row?.expires);
    if (row === undefined || !sameHash(String(row.hash), hash)) return unknown(asked);
    if (expires !== undefined && expires <= asked) return unknown(asked);
    const refusal = refusalOf(row);
    if (refusal !== undefined) return refused(refusal, asked);
    const id = String(row.id);
    const used = timeOf(row.used);
    if (used === undefined || used <= asked - WRITE_MS) await store.query(KEY_USED, [id, asked, asked - WRITE_MS]);
    const identity: Identity = {
      credential: "key",
      subject: id,
      ...accountOf(row),
      usedKey: id,
      scopes: keyScopesOf(String(row.scopes)),
    };
    return good({ identity }, asked, expires);
  };

  const lookAtToken = async (token: string, asked: number): Promise<Finding<Held>> => {
    const hash = hashOf(token);
    const [row] = await store.query(TOKEN, [hash, asked]);
    if (row === undefined || !sameHash(String(row.hash), hash)) return unknown(asked);
    const expires = Number(row.expires);
    if (row.kind === "guest") {
      const subject = `guest-${row.id}`;
      const identity: Identity = { credential: "guest", subject, scopes: ["tiles"], tier: "guest" };
      return good({ identity, origin: row.origin === null ? null : String(row.origin) }, asked, expires);
    }
    if (row.tier === null) return unknown(asked);
    const keyExpires = timeOf(row.key_expires);
    const isOfKey = row.kind === "oauth";
    if (isOfKey && (row.live_key === null || (keyExpires !== undefined && keyExpires <= asked))) return unknown(asked);
    const refusal = refusalOf(row);
    if (refusal !== undefined) return refused(refusal, asked);
    const shared = { credential: "bearer", ...accountOf(row) } as const;
    if (isOfKey) {
      const id = String(row.live_key);
      const ofKey = keyScopesOf(String(row.key_scopes));
      const scopes = keyScopesOf(String(row.scopes)).filter((scope) => ofKey.includes(scope));
      return good({ identity: { ...shared, subject: id, usedKey: id, scopes } }, asked, expires, keyExpires);
    }
    const last = Number(row.created) + MAX_SESSION_MS;
    if (last <= asked) return unknown(asked);
    const used = timeOf(row.used);
    const renewed = Math.min(asked + SESSION_MS, last);
    if (used === undefined || used <= asked - WRITE_MS)
      await store.query(RENEW, [hash, renewed, asked, asked - WRITE_MS]);
    const identity: Identity = {
      ...shared,
      subject: shared.account,
      usedKey: "session",
      scopes: [...keyScopesOf(String(row.scopes)), "session"],
    };
    return good({ identity }, asked, expires, last);
  };

  const keys = new FindingCache({ look: lookAtKey, now });
  const tokens = new FindingCache({ look: lookAtToken, now });
  return {
    keys: {
      async identify(key) {
        const hasForm = key.startsWith(`${prefix}_`) && isSecret(key.slice(prefix.length + 1));
        return hasForm ? identityOf(await keys.find(key)) : undefined;
      },
    },
    tokens: {
      async identify(token, origin) {
        if (!isSecret(token)) return undefined;
        const held = await tokens.find(token);
        const identity = identityOf(held);
        if (held === undefined || !("origin" in held) || origin === undefined) return identity;
        if (held.origin === origin) return identity;
        throw new CredentialError("other-origin");
      },
    },
    forget(hashes) {
      keys.forget(hashes);
      tokens.forget(hashes);
    },
  };
}
