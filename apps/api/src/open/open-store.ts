import { ACCOUNTS_TABLES } from "@swath/accounts";
import { SPENDING_TABLES } from "@swath/accounts/owner";
import type { Store, TablesOf } from "@swath/store";
import { openStore as open, type StoreSettings } from "@swath/store/node";

/** Tables of the parts of the service, besides those of the store. */
export const OWN_TABLES: readonly TablesOf[] = [ACCOUNTS_TABLES, SPENDING_TABLES];

/**
 * Opens the store of the service, with the tables of all its parts.
 *
 * @throws {StoreError} `unavailable`, `newer-schema`, with a message that names the variable to look at.
 */
export function openStore(settings: StoreSettings): Promise<Store> {
  return open(settings, {
    tables: OWN_TABLES,
    names: { dataDir: "SWATH_DATA_DIR", databaseUrl: "DATABASE_URL" },
  });
}
