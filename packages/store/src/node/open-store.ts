import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { migrate } from "../migrations.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Store } from "../store.ts";

export interface StoreSettings {
  readonly dataDir: string;
  /** `postgres://...`; absent: a file in the data directory. */
  readonly databaseUrl?: string;
}

/** The file's path; the file is made readable for its owner alone. */
async function prepareFile(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, "state.sqlite");
  await (await open(path, "a", 0o600)).close();
  return path;
}

/** Opens the store of a deployment, its tables brought to the newest version. */
export async function openStore({ dataDir, databaseUrl }: StoreSettings): Promise<Store> {
  const store =
    databaseUrl === undefined ? openSqliteStore(await prepareFile(dataDir)) : openPostgresStore(databaseUrl);
  try {
    await migrate(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}
