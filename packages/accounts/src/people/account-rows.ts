import { createHmac, randomBytes } from "node:crypto";
import type { Queries, StoreRow } from "@swath/store";
import { monthOf } from "../calendar.ts";
import { ACCOUNT_TIERS, type Account, type AccountTier } from "./account.ts";

/** Changes of accounts, their keys and sign-ins run one after the other, so that none sees another half done. */
export const ACCOUNT_TURN = "accounts";

export const ACCOUNT_COLUMNS = "id, email, name, tier, created, verified, suspended";

const SQL = {
  known: `select ${ACCOUNT_COLUMNS} from account where email = $1`,
  before: `select coalesce(payer, id) as payer from account
    where address_hash = $1 and deleted is not null order by deleted desc limit 1`,
  create: `insert into account(id, email, name, tier, created, payer) values ($1, $2, $3, $4, $5, $6)
    returning ${ACCOUNT_COLUMNS}`,
  forget: `update account set email = null, name = null, deleted = $2, address_hash = $3
    where id = $1 and deleted is null`,
  unhash: "update account set address_hash = null where address_hash is not null and deleted < $1",
};

/** Options of the rows of accounts. */
export interface AccountRowsOptions {
  readonly now: () => number;
  /** The installation's key of the hashes of addresses, so that nobody else can tell whose it is. */
  readonly addressKey: Uint8Array;
}

/** Rows of accounts, within transactions of `ACCOUNT_TURN`. */
export class AccountRows {
  readonly #options: AccountRowsOptions;

  constructor(options: AccountRowsOptions) {
    this.#options = options;
  }

  /**
   * The account of an address, made where there is none; `isNew` says which. Where the address had an account that was
   * deleted in this month, the new one goes on with its counts: the same payer pays.
   */
  async accountFor(
    db: Queries,
    email: string,
    { name, tier }: { readonly name: string | undefined; readonly tier: AccountTier },
  ): Promise<{ readonly account: Account; readonly isNew: boolean }> {
    const [known] = await db.query(SQL.known, [email]);
    if (known !== undefined) return { account: accountOf(known), isNew: false };
    const id = randomBytes(12).toString("hex");
    const time = this.#options.now();
    await this.forgetHashes(db);
    const [before] = await db.query(SQL.before, [this.#hashOf(email)]);
    const [made] = await db.query(SQL.create, [id, email, name ?? null, tier, time, before?.payer ?? null]);
    return { account: accountOf(made as StoreRow), isNew: true };
  }

  /** Forgets the address and name of an account; a keyed hash of the address stays until the month ends. */
  async forget(db: Queries, id: string, email: string): Promise<void> {
    await db.query(SQL.forget, [id, this.#options.now(), this.#hashOf(email)]);
  }

  /** Removes hashes of accounts that were deleted in another month. */
  async forgetHashes(db: Queries): Promise<void> {
    await db.query(SQL.unhash, [Date.parse(`${monthOf(this.#options.now())}-01T00:00:00Z`)]);
  }

  #hashOf(email: string): string {
    return createHmac("sha256", this.#options.addressKey).update(email).digest("hex");
  }
}

const timeOf = (value: StoreRow[string] | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);

export function accountOf(row: StoreRow): Account {
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
