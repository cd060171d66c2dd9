import { randomBytes } from "node:crypto";
import type { Queries, Store, StoreRow } from "../../state/store.ts";
import { ACCOUNT_TIERS, type Account, AccountError, type AccountTier } from "./account.ts";

/** Changes of accounts, their keys and sign-ins run one after the other, so that none sees another half done. */
export const ACCOUNT_TURN = "accounts";

/** Accounts in the store, without what is deleted. */
export interface StoredAccounts {
  find(id: string): Promise<Account | undefined>;
  list(): Promise<readonly Account[]>;
  /**
   * An account that the owner makes for a person, who has yet to follow a mailed link.
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
   * Forgets the address, the name, and all keys, tokens, sessions and mailed links. The id and the times stay, since
   * counts refer to them.
   *
   * @returns hashes of the secrets that stop.
   */
  remove(id: string): Promise<readonly string[]>;
}

const COLUMNS = "id, email, name, tier, created, verified, suspended";
const SQL = {
  find: `select ${COLUMNS} from account where id = $1 and deleted is null`,
  list: `select ${COLUMNS} from account where deleted is null order by created, id`,
  create: `insert into account(id, email, name, tier, created) values ($1, $2, $3, $4, $5)
    on conflict(email) do nothing returning ${COLUMNS}`,
  rename: `update account set name = $2 where id = $1 and deleted is null returning ${COLUMNS}`,
  setTier: "update account set tier = $2 where email = $1 returning id",
  suspend: "update account set suspended = coalesce(suspended, $2) where email = $1 returning id",
  resume: "update account set suspended = null where email = $1 returning id",
  remove: [
    "delete from sign_in_link where email = (select email from account where id = $1) returning hash",
    "delete from access_token where account_id = $1 returning hash",
    "delete from account_key where account_id = $1 returning hash",
  ],
  forget: "update account set email = null, name = null, deleted = $2 where id = $1 and deleted is null",
};

const timeOf = (value: StoreRow[string] | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);

function accountOf(row: StoreRow): Account {
  const tier = ACCOUNT_TIERS.find((each) => each === row.tier);
  if (tier === undefined) throw new Error("The database holds an account of an unknown tier.");
  return {
    id: String(row.id),
    email: String(row.email),
    name: row.name === null ? undefined : String(row.name),
    tier,
    created: Number(row.created),
    verified: timeOf(row.verified),
    suspended: timeOf(row.suspended),
  };
}

/** The account of an address, made where there is none; `isNew` says which. Part of a transaction of `ACCOUNT_TURN`. */
export async function accountFor(
  db: Queries,
  email: string,
  { name, tier, now }: { readonly name: string | undefined; readonly tier: AccountTier; readonly now: number },
): Promise<{ readonly account: Account; readonly isNew: boolean }> {
  const id = randomBytes(12).toString("hex");
  const [made] = await db.query(SQL.create, [id, email, name ?? null, tier, now]);
  if (made !== undefined) return { account: accountOf(made), isNew: true };
  const [known] = await db.query(`select ${COLUMNS} from account where email = $1`, [email]);
  if (known === undefined) throw new Error("An account is neither new nor known.");
  return { account: accountOf(known), isNew: false };
}

export function storedAccounts(store: Store, now: () => number = Date.now): StoredAccounts {
  const change = async (text: string, email: string, ...values: readonly (string | number)[]): Promise<void> => {
    const rows = await store.query(text, [email, ...values]);
    if (rows.length === 0) throw new AccountError("unknown-account", `There is no account of ${email}.`);
  };
  return {
    async find(id) {
      const [row] = await store.query(SQL.find, [id]);
      return row === undefined ? undefined : accountOf(row);
    },
    list: async () => (await store.query(SQL.list)).map(accountOf),
    create: (email, tier) =>
      store.transaction(ACCOUNT_TURN, async (db) => {
        const { account, isNew } = await accountFor(db, email, { name: undefined, tier, now: now() });
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
    remove: (id) =>
      store.transaction(ACCOUNT_TURN, async (db) => {
        const hashes: string[] = [];
        for (const text of SQL.remove) for (const { hash } of await db.query(text, [id])) hashes.push(String(hash));
        await db.query(SQL.forget, [id, now()]);
        return hashes;
      }),
  };
}
