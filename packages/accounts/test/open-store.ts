import type { Store } from "@swath/store";
import { migrate, STORE_TABLES } from "@swath/store";
import { openStore as open, openSqliteStore, type StoreSettings } from "@swath/store/node";
import { ACCOUNTS_TABLES } from "../src/migrations.ts";

/** Opens a store with the tables of jobs and accounts. */
export function openStore(settings: StoreSettings): Promise<Store> {
  return open(settings, { tables: [ACCOUNTS_TABLES] });
}

/** The same in memory. */
export async function memoryStore(): Promise<Store> {
  const store = openSqliteStore(":memory:");
  await migrate(store, [STORE_TABLES, ACCOUNTS_TABLES]);
  return store;
}
