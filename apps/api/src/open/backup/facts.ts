import type { Queries } from "@swath/store";
import { counted } from "../counted.ts";

/** Counts of a state, and its newest change. */
export interface StateFacts {
  readonly accounts: number;
  readonly keys: number;
  /** Epoch milliseconds; 0: none. */
  readonly changed: number;
}

const KEYS = ["api_key", "account_key"];
const CHANGES = [
  ["account", "created"],
  ["account_key", "created"],
  ["api_key", "created"],
  ["job", "updated"],
  ["setting", "updated"],
] as const;

/** Counts what a state holds, whose tables may be those of an earlier release. */
export async function readFacts(db: Queries, tables: ReadonlySet<string>): Promise<StateFacts> {
  const value = async (table: string, expression: string, rest = ""): Promise<number> => {
    if (!tables.has(table)) return 0;
    const [row] = await db.query(`select coalesce(${expression}, 0) as value from ${table}${rest}`);
    return Number(row?.value);
  };
  let keys = 0;
  for (const table of KEYS) keys += await value(table, "count(*)");
  let changed = 0;
  for (const [table, column] of CHANGES) changed = Math.max(changed, await value(table, `max(${column})`));
  return { accounts: await value("account", "count(*)", " where deleted is null"), keys, changed };
}

/** Names of the tables of a SQLite file. */
export async function sqliteTables(db: Queries): Promise<ReadonlySet<string>> {
  const rows = await db.query("select name from sqlite_master where type = 'table'");
  return new Set(rows.map(({ name }) => String(name)));
}

export function factsText({ accounts, keys, changed }: StateFacts): string {
  const newest = changed === 0 ? "no change" : `newest change ${new Date(changed).toISOString()}`;
  return `${counted(accounts, "account")}, ${counted(keys, "key")}, ${newest}`;
}
