import { chmod, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openSqliteStore } from "@swath/store/node";
import { BackupError, isThere } from "./backup-file.ts";
import { STATE } from "./finish-restore.ts";

/** Files of the data directory that belong to a state. */
export const SECRETS: readonly string[] = ["results-secret", "archive-secret", "sandbox-key", "sandbox-map"];
/** The table of a backup that holds them. */
export const SECRETS_TABLE = "backup_secret";

/**
 * Copies a state and the secrets beside it into one SQLite file, while services write to it.
 *
 * @throws {BackupError} where there is no state. {StoreError} where it is damaged.
 */
export async function copySqlite(dataDir: string, folder: string): Promise<string> {
  const state = join(dataDir, STATE);
  if (!(await isThere(state))) throw new BackupError(`There is no ${STATE} in ${dataDir}.`);
  const copy = join(folder, STATE);
  await (await open(copy, "wx", 0o600)).close();
  const store = openSqliteStore(state, { setting: "SWATH_DATA_DIR" });
  try {
    await store.exec(`vacuum into '${copy.replaceAll("'", "''")}'`);
  } finally {
    await store.close();
  }
  await chmod(copy, 0o600);
  const copied = openSqliteStore(copy);
  try {
    await copied.transaction("backup", async (db) => {
      await db.exec(`drop table if exists ${SECRETS_TABLE};
        create table ${SECRETS_TABLE}(name text primary key, content blob not null)`);
      for (const name of SECRETS) {
        const path = join(dataDir, name);
        if (!(await isThere(path))) continue;
        await db.query(`insert into ${SECRETS_TABLE}(name, content) values ($1, $2)`, [name, await readFile(path)]);
      }
    });
  } finally {
    await copied.close();
  }
  return copy;
}
