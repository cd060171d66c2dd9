import { randomBytes } from "node:crypto";
import type { Store } from "@swath/store";
import { type KeyScope, keyScopesOf } from "../keys/account-keys.ts";
import { hashOf } from "../secrets/secret-hash.ts";
import { makeSecret } from "../secrets/secrets.ts";

/** Milliseconds for which a token is valid. */
export const TOKEN_MS = 3_600_000;
/** Time for which keys that no longer work stay in lists, milliseconds. */
const ENDED_KEY_MS = 90 * 86_400_000;

/** Tokens of an hour, in the store: of OAuth clients and of guests. Each secret is known this once. */
export interface StoredTokens {
  /**
   * @param key id of the key whose client asks, and `account` its account.
   * @param scopes those of the key that were asked for.
   */
  issue(key: string, account: string, scopes: readonly KeyScope[]): Promise<string>;
  /** @param origin of the website that asks; undefined for callers that are none. */
  issueGuest(origin: string | undefined): Promise<string>;
  /** Removes tokens, sessions and links that have expired, and keys that ended three months ago. */
  removeExpired(): Promise<void>;
}

const SQL = {
  issue: `insert into access_token(hash, id, kind, account_id, key_id, scopes, origin, created, expires)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  remove: ["delete from access_token where expires <= $1", "delete from sign_in_link where expires <= $1"],
  removeKeys: "delete from account_key where revoked <= $1 or expires <= $1",
};

export function storedTokens(store: Store, now: () => number = Date.now): StoredTokens {
  const issue = async (
    kind: "oauth" | "guest",
    account: string | null,
    key: string | null,
    scopes: string,
    origin: string | null,
  ): Promise<string> => {
    const time = now();
    const secret = makeSecret();
    const id = randomBytes(12).toString("hex");
    await store.query(SQL.issue, [hashOf(secret), id, kind, account, key, scopes, origin, time, time + TOKEN_MS]);
    return secret;
  };
  return {
    issue: (key, account, scopes) => issue("oauth", account, key, keyScopesOf(scopes.join(" ")).join(" "), null),
    issueGuest: (origin) => issue("guest", null, null, "tiles", origin ?? null),
    async removeExpired() {
      for (const text of SQL.remove) await store.query(text, [now()]);
      await store.query(SQL.removeKeys, [now() - ENDED_KEY_MS]);
    },
  };
}
