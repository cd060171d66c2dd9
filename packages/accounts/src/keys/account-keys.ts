import { randomBytes } from "node:crypto";
import type { Store, StoreRow } from "@swath/store";
import { AccountError } from "../people/account.ts";
import { ACCOUNT_TURN } from "../people/account-rows.ts";
import { hashOf } from "../secrets/secret-hash.ts";
import { makeSecret, prefixOf } from "../secrets/secrets.ts";

/** Scopes that a key may have. */
export const KEY_SCOPES = ["data", "account"] as const;
/** One scope of a key. */
export type KeyScope = (typeof KEY_SCOPES)[number];

/** A key that the holder of an account made; times are epoch milliseconds. Its id is also its OAuth client id. */
export interface AccountKey {
  readonly id: string;
  readonly name: string;
  /** First eight characters of the secret. */
  readonly prefix: string;
  readonly scopes: readonly KeyScope[];
  readonly created: number;
  /** Within an hour of the last use. */
  readonly lastUsed: number | undefined;
  readonly expires: number | undefined;
  readonly status: "active" | "expired" | "revoked";
}

/** A key as it is shown once, when it is made. */
export interface NewKey {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly expires: number | undefined;
  /** Most active keys that the account may have. */
  readonly max: number;
}

/** The account has as many active keys as its tier allows. */
export class KeyLimitError extends Error {
  override readonly name = "KeyLimitError";
  readonly max: number;
  readonly active: number;

  constructor(max: number, active: number) {
    super(`The account has ${active} active keys and may have ${max}: revoke one first.`);
    this.max = max;
    this.active = active;
  }
}

/** Keys of accounts in the store. */
export interface AccountKeys {
  /**
   * Makes a key; its secret is known this once.
   *
   * @throws {KeyLimitError} where the account has `max` active keys or more.
   * @throws {AccountError} `unknown-account` where it is deleted.
   */
  create(account: string, key: NewKey): Promise<{ readonly key: AccountKey; readonly secret: string }>;
  /** Active keys, then the newest others, at most a hundred. */
  list(account: string): Promise<readonly AccountKey[]>;
  find(account: string, id: string): Promise<AccountKey | undefined>;
  countActive(account: string): Promise<number>;
  /** First eight characters of the secret of a key of any account; undefined where there is none. */
  prefixOf(id: string): Promise<string | undefined>;
  /**
   * Revokes a key and removes its tokens. One that is revoked stays as it is.
   *
   * @returns hashes of the secrets that stop; undefined where the account has no such key.
   */
  revoke(account: string, id: string): Promise<readonly string[] | undefined>;
}

const COLUMNS = "id, name, prefix, scopes, created, used, expires, revoked";
const ACTIVE = "revoked is null and (expires is null or expires > $2)";
const SQL = {
  account: "select id from account where id = $1 and deleted is null",
  active: `select count(*) as keys from account_key where account_id = $1 and ${ACTIVE}`,
  create: `insert into account_key(id, account_id, hash, prefix, name, scopes, created, expires)
    values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
  list: `select ${COLUMNS} from account_key where account_id = $1
    order by case when ${ACTIVE} then 0 else 1 end, created desc, id limit 100`,
  find: `select ${COLUMNS} from account_key where account_id = $1 and id = $2`,
  prefix: "select prefix from account_key where id = $1",
  revoke: "update account_key set revoked = coalesce(revoked, $3) where account_id = $1 and id = $2 returning hash",
  tokens: "delete from access_token where key_id = $1 returning hash",
};

/** Scopes as the store holds them: words, divided by spaces. */
export function keyScopesOf(text: string): readonly KeyScope[] {
  const words = text.split(" ");
  return KEY_SCOPES.filter((scope) => words.includes(scope));
}

function keyOf(row: StoreRow, now: number): AccountKey {
  const optional = (value: StoreRow[string] | undefined): number | undefined =>
    value === null || value === undefined ? undefined : Number(value);
  const expires = optional(row.expires);
  const isExpired = expires !== undefined && expires <= now;
  return {
    id: String(row.id),
    name: String(row.name),
    prefix: String(row.prefix),
    scopes: keyScopesOf(String(row.scopes)),
    created: Number(row.created),
    lastUsed: optional(row.used),
    expires,
    status: row.revoked !== null ? "revoked" : isExpired ? "expired" : "active",
  };
}

/** @param prefix of the secrets, before `_`. */
export function storedAccountKeys(store: Store, prefix: string, now: () => number = Date.now): AccountKeys {
  return {
    create: (account, { name, scopes, expires, max }) =>
      store.transaction(ACCOUNT_TURN, async (db) => {
        const time = now();
        const known = await db.query(SQL.account, [account]);
        if (known.length === 0) throw new AccountError("unknown-account", "The account is deleted.");
        const [row] = await db.query(SQL.active, [account, time]);
        if (Number(row?.keys) >= max) throw new KeyLimitError(max, Number(row?.keys));
        const secret = `${prefix}_${makeSecret()}`;
        const [made] = await db.query(SQL.create, [
          randomBytes(12).toString("hex"),
          account,
          hashOf(secret),
          prefixOf(secret),
          name,
          scopes.join(" "),
          time,
          expires ?? null,
        ]);
        return { key: keyOf(made as StoreRow, time), secret };
      }),
    list: async (account) => (await store.query(SQL.list, [account, now()])).map((row) => keyOf(row, now())),
    async find(account, id) {
      const [row] = await store.query(SQL.find, [account, id]);
      return row === undefined ? undefined : keyOf(row, now());
    },
    countActive: async (account) => Number((await store.query(SQL.active, [account, now()]))[0]?.keys),
    async prefixOf(id) {
      const [row] = await store.query(SQL.prefix, [id]);
      return row === undefined ? undefined : String(row.prefix);
    },
    revoke: (account, id) =>
      store.transaction(ACCOUNT_TURN, async (db) => {
        const revoked = await db.query(SQL.revoke, [account, id, now()]);
        if (revoked.length === 0) return undefined;
        return [...revoked, ...(await db.query(SQL.tokens, [id]))].map(({ hash }) => String(hash));
      }),
  };
}
