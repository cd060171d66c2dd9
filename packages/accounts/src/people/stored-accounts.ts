import type { Store } from "@swath/store";
import { type Account, AccountError, type AccountTier } from "./account.ts";
import { ACCOUNT_COLUMNS, ACCOUNT_TURN, type AccountRows, accountOf } from "./account-rows.ts";

/** Accounts in the store, without what is deleted. */
export interface StoredAccounts {
  find(id: string): Promise<Account | undefined>;
  list(): Promise<readonly Account[]>;
  /**
   * Makes an account for someone who has yet to follow a mailed link.
   *
   * @param email as `parseEmailAddress` gives it.
   * @throws {AccountError} `known-account` where the address has one.
   */
  create(email: string, tier: AccountTier): Promise<Account>;
  /** @returns the account; undefined where it is deleted. */
  rename(id: string, name: string): Promise<Account | undefined>;
  /** @throws {AccountError} `unknown-account`, as the two below. */
  setTier(email: string, tier: AccountTier): Promise<void>;
  suspend(email: string): Promise<void>;
  resume(email: string): Promise<void>;
  /**
   * Forgets the address, the name, and all keys, tokens, sessions, mailed links and waiting mails. The id and the times
   * stay, since counts refer to them, and until the month ends a keyed hash of the address.
   *
   * @returns hashes of the secrets that stop.
   */
  remove(id: string): Promise<readonly string[]>;
  /** Removes hashes of addresses of accounts that were deleted in an earlier month. */
  removeExpired(): Promise<void>;
}

const SQL = {
  find: `select ${ACCOUNT_COLUMNS} from account where id = $1 and deleted is null`,
  list: `select ${ACCOUNT_COLUMNS} from account where deleted is null order by created, id`,
  rename: `update account set name = $2 where id = $1 and deleted is null returning ${ACCOUNT_COLUMNS}`,
  setTier: "update account set tier = $2 where email = $1 returning id",
  suspend: "update account set suspended = coalesce(suspended, $2) where email = $1 returning id",
  resume: "update account set suspended = null where email = $1 returning id",
  mails: "delete from mail where email = $1",
  protocol: `delete from mcp_session where subject = $1
    or subject in (select id from account_key where account_id = $1)`,
  links: "delete from sign_in_link where email = $1 returning hash",
  secrets: [
    "delete from access_token where account_id = $1 returning hash",
    "delete from account_key where account_id = $1 returning hash",
    "delete from map_token where account_id = $1 returning hash",
  ],
};

/** Opens the accounts of a store. */
export function storedAccounts(store: Store, rows: AccountRows, now: () => number = Date.now): StoredAccounts {
  const change = async (text: string, email: string, ...values: readonly (string | number)[]): Promise<void> => {
    const changed = await store.query(text, [email, ...values]);
    if (changed.length === 0) throw new AccountError("unknown-account", `There is no account of ${email}.`);
  };
  const find = async (id: string): Promise<Account | undefined> => {
    const [row] = await store.query(SQL.find, [id]);
    return row === undefined ? undefined : accountOf(row);
  };
  return {
    find,
    list: async () => (await store.query(SQL.list)).map(accountOf),
    create: (email, tier) =>
      store.transaction(ACCOUNT_TURN, async (db) => {
        const { account, isNew } = await rows.accountFor(db, email, { name: undefined, tier });
        if (!isNew) throw new AccountError("known-account", `${email} has an account.`);
        return account;
      }),
    async rename(id, name) {
      const [row] = await store.query(SQL.rename, [id, name]);
      return row === undefined ? undefined : accountOf(row);
    },
    setTier: (email, tier) => change(SQL.setTier, email, tier),
    suspend: (email) => change(SQL.suspend, email, now()),
    resume: (email) => change(SQL.resume, email),
    async remove(id) {
      const hashes = await store.transaction(ACCOUNT_TURN, async (db) => {
        const [row] = await db.query(SQL.find, [id]);
        if (row === undefined) return [];
        const { email } = accountOf(row);
        await db.query(SQL.mails, [email]);
        await db.query(SQL.protocol, [id]);
        const stopped = [...(await db.query(SQL.links, [email]))];
        for (const text of SQL.secrets) stopped.push(...(await db.query(text, [id])));
        await rows.forget(db, id, email);
        return stopped.map(({ hash }) => String(hash));
      });
      await store.scrub();
      return hashes;
    },
    removeExpired: () => rows.forgetHashes(store),
  };
}
