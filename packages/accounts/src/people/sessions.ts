import type { Store } from "@swath/store";
import { hashOf } from "../secrets/secret-hash.ts";
import { MAX_SESSION_MS } from "./sign-in.ts";

/** A session of the website; times are epoch milliseconds. */
export interface Session {
  readonly id: string;
  readonly created: number;
  /** Within an hour of the last request. */
  readonly lastUsed: number;
  /** Time at which it ends unless it is used before. */
  readonly expires: number;
}

/** Sessions of accounts in the store. */
export interface Sessions {
  /** Those that are good, newest first, at most a hundred. */
  list(account: string): Promise<readonly Session[]>;
  /** The id of the session that a secret belongs to. */
  idOf(secret: string): Promise<string | undefined>;
  /**
   * Ends a session.
   *
   * @returns hashes of the secrets that stop; undefined where the account has no such session.
   */
  end(account: string, id: string): Promise<readonly string[] | undefined>;
}

const SQL = {
  list: `select id, created, coalesce(used, created) as used, expires from access_token
    where account_id = $1 and kind = 'session' and expires > $2 and created > $3
    order by created desc, id limit 100`,
  id: "select id from access_token where hash = $1 and kind = 'session'",
  end: "delete from access_token where account_id = $1 and id = $2 and kind = 'session' returning hash",
};

export function storedSessions(store: Store, now: () => number = Date.now): Sessions {
  return {
    async list(account) {
      const time = now();
      const rows = await store.query(SQL.list, [account, time, time - MAX_SESSION_MS]);
      return rows.map(({ id, created, used, expires }) => ({
        id: String(id),
        created: Number(created),
        lastUsed: Number(used),
        expires: Math.min(Number(expires), Number(created) + MAX_SESSION_MS),
      }));
    },
    async idOf(secret) {
      const [row] = await store.query(SQL.id, [hashOf(secret)]);
      return row === undefined ? undefined : String(row.id);
    },
    async end(account, id) {
      const rows = await store.query(SQL.end, [account, id]);
      return rows.length === 0 ? undefined : rows.map(({ hash }) => String(hash));
    },
  };
}
