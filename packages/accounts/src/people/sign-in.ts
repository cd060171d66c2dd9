import { randomBytes } from "node:crypto";
import type { Store } from "@swath/store";
import { hashOf } from "../secrets/secret-hash.ts";
import { isSecret, makeSecret } from "../secrets/secrets.ts";
import type { Account } from "./account.ts";
import { ACCOUNT_TURN, type AccountRows } from "./account-rows.ts";

export const LINK_MS = 3_600_000;
/** A session that is not used ends after this time. */
export const SESSION_MS = 7 * 86_400_000;
/** Longest life of a session, however much it is used. */
export const MAX_SESSION_MS = 30 * 86_400_000;

/** The result of a sign-in. */
export interface SignedIn {
  readonly account: Account;
  /** The session's secret, known this once; undefined for a suspended account, which gets no session. */
  readonly session: string | undefined;
  readonly isNew: boolean;
}

/** Sign-up and sign-in, which are one thing: whoever reads the mail of an address holds its account. */
export interface SignIn {
  /**
   * Verifies the link's address, makes its account where there is none, and begins a session.
   *
   * @returns undefined where the link is unknown, used or expired.
   */
  redeem(link: string): Promise<SignedIn | undefined>;
}

const SQL = {
  find: "select 1 as found from sign_in_link where hash = $1 and expires > $2",
  take: "delete from sign_in_link where hash = $1 and expires > $2 returning email, name",
  verify: "update account set verified = coalesce(verified, $2) where id = $1",
  begin: `insert into access_token(hash, id, kind, account_id, scopes, created, expires, used)
    values ($1, $2, 'session', $3, 'data account', $4, $5, $4)`,
};

export function storedSignIn(store: Store, accounts: AccountRows, now: () => number = Date.now): SignIn {
  return {
    async redeem(link) {
      // whoever guesses takes nobody's turn
      const known = isSecret(link) ? await store.query(SQL.find, [hashOf(link), now()]) : [];
      if (known.length === 0) return undefined;
      return store.transaction(ACCOUNT_TURN, async (db) => {
        const time = now();
        const [taken] = await db.query(SQL.take, [hashOf(link), time]);
        if (taken === undefined) return undefined;
        const name = taken.name === null ? undefined : String(taken.name);
        const { account, isNew } = await accounts.accountFor(db, String(taken.email), { name, tier: "free" });
        await db.query(SQL.verify, [account.id, time]);
        const verified = { ...account, verified: account.verified ?? time };
        if (account.suspended !== undefined) return { account: verified, session: undefined, isNew };
        const session = makeSecret();
        const id = randomBytes(12).toString("hex");
        await db.query(SQL.begin, [hashOf(session), id, account.id, time, time + SESSION_MS]);
        return { account: verified, session, isNew };
      });
    },
  };
}
