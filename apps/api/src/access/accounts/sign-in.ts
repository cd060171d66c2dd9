import { randomBytes } from "node:crypto";
import type { Store } from "../../state/store.ts";
import { makeSecret } from "../keys/secrets.ts";
import { hashOf } from "../secret-hash.ts";
import type { Account } from "./account.ts";
import { ACCOUNT_TURN, accountFor } from "./stored-accounts.ts";

export const LINK_MS = 3_600_000;
export const SESSION_MS = 7 * 86_400_000;
/** Mails that one address gets in an hour: whoever signs up others' addresses does not fill their mailboxes. */
const MAX_LINKS = 5;

export interface SignedIn {
  readonly account: Account;
  /** The session's secret, known this once; undefined for a suspended account, which gets no session. */
  readonly session: string | undefined;
  readonly isNew: boolean;
}

/** Sign-up and sign-in, which are one thing: whoever reads the mail of an address is its person. */
export interface SignIn {
  /**
   * A new secret for a link of one hour and one use.
   *
   * @param email as `parseEmailAddress` gives it. Whether it has an account is not looked at.
   * @param name of the account, if it is made by this link.
   * @returns undefined where the address has got enough mails in this hour.
   */
  issueLink(email: string, name: string | undefined): Promise<string | undefined>;
  /**
   * Verifies the link's address, makes its account where there is none, and begins a session.
   *
   * @returns undefined where the link is unknown, used or expired.
   */
  redeem(link: string): Promise<SignedIn | undefined>;
  /** Ends the session that the secret belongs to, and gives the hash of the secret. */
  end(session: string): Promise<readonly string[]>;
}

const SQL = {
  issued: "select count(*) as links from sign_in_link where email = $1 and created > $2",
  issue: "insert into sign_in_link(hash, email, name, created, expires) values ($1, $2, $3, $4, $5)",
  find: "select 1 as found from sign_in_link where hash = $1 and expires > $2",
  take: "delete from sign_in_link where hash = $1 and expires > $2 returning email, name",
  verify: "update account set verified = coalesce(verified, $2) where id = $1",
  begin: `insert into access_token(hash, id, kind, account_id, scopes, created, expires)
    values ($1, $2, 'session', $3, 'data account', $4, $5)`,
  end: "delete from access_token where hash = $1 and kind = 'session'",
};

export function storedSignIn(store: Store, now: () => number = Date.now): SignIn {
  return {
    issueLink: (email, name) =>
      // of one address one after the other; strangers' sign-ups do not wait for each other
      store.transaction(`sign-in link ${email}`, async (db) => {
        const time = now();
        const [row] = await db.query(SQL.issued, [email, time - LINK_MS]);
        if (Number(row?.links) >= MAX_LINKS) return undefined;
        const link = makeSecret();
        await db.query(SQL.issue, [hashOf(link), email, name ?? null, time, time + LINK_MS]);
        return link;
      }),
    async redeem(link) {
      const known = await store.query(SQL.find, [hashOf(link), now()]);
      // whoever guesses takes nobody's turn
      if (known.length === 0) return undefined;
      return store.transaction(ACCOUNT_TURN, async (db) => {
        const time = now();
        const [taken] = await db.query(SQL.take, [hashOf(link), time]);
        if (taken === undefined) return undefined;
        const name = taken.name === null ? undefined : String(taken.name);
        const { account, isNew } = await accountFor(db, String(taken.email), { name, tier: "free", now: time });
        await db.query(SQL.verify, [account.id, time]);
        const verified = { ...account, verified: account.verified ?? time };
        if (account.suspended !== undefined) return { account: verified, session: undefined, isNew };
        const session = makeSecret();
        const id = randomBytes(12).toString("hex");
        await db.query(SQL.begin, [hashOf(session), id, account.id, time, time + SESSION_MS]);
        return { account: verified, session, isNew };
      });
    },
    async end(session) {
      const hash = hashOf(session);
      await store.query(SQL.end, [hash]);
      return [hash];
    },
  };
}
