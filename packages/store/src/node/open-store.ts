import { open } from "node:fs/promises";
import { join } from "node:path";
import { migrate, STORE_TABLES, type TablesOf } from "../migrations.ts";
import type { Store } from "../store.ts";
import { makeFolder } from "./make-folder.ts";
import { openSqliteStore } from "./sqlite-store.ts";

/** The place of a deployment's state. */
export interface StoreSettings {
  readonly dataDir: string;
  /** `postgres://...`; absent: the file `state.sqlite` in the data directory. */
  readonly databaseUrl?: string;
}

/** Options of `openStore`. */
export interface OpenStoreOptions {
  /** Tables of the parts that use the store, besides its own. */
  readonly tables?: readonly TablesOf[];
  /** Names of the settings as their owner knows them, with which messages of faults begin. */
  readonly names?: Readonly<Record<keyof StoreSettings, string>>;
}

/** The file's path; the file is made readable for its owner alone. */
async function prepareFile(dataDir: string): Promise<string> {
  await makeFolder(dataDir);
  const path = join(dataDir, "state.sqlite");
  await (await open(path, "a", 0o600)).close();
  return path;
}

const named = (setting: string | undefined) => (setting === undefined ? {} : { setting });

/**
 * Opens the store of a deployment, its tables brought to the newest version.
 *
 * @throws {StoreError} `unavailable`, `newer-schema`.
 */
export async function openStore(
  { dataDir, databaseUrl }: StoreSettings,
  { tables = [], names }: OpenStoreOptions = {},
): Promise<Store> {
  const store =
    databaseUrl === undefined
      ? openSqliteStore(await prepareFile(dataDir), named(names?.dataDir))
      : (await import("./postgres-store.ts")).openPostgresStore(databaseUrl, named(names?.databaseUrl));
  try {
    await migrate(store, [STORE_TABLES, ...tables]);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}
