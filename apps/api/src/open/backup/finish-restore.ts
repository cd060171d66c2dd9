import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { openSqliteStore } from "@swath/store/node";
import { isThere, synchronize } from "./backup-file.ts";

/** The folder of a restore that is decided: what is in it is the state from the moment at which it has this name. */
export const DECIDED = "restore-decided";
/** The folder in it whose files go to the data directory. */
export const RESTORED = "new";
/** The beginning of the name of the folder for the state that was replaced. */
export const REPLACED = "before-restore-";
export const STATE = "state.sqlite";
/** The beginning of the name of the folder of a restore that is not decided. */
export const DRAFT = "restore-draft-";
/** A database whose lock ends with the process that holds it. */
const LOCK = "restore.lock";

async function listOf(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** Puts the files of a restore that is decided in their places, where there is one that was cut off; one process at a time. */
export async function finishRestore(dataDir: string): Promise<void> {
  const decided = join(dataDir, DECIDED);
  if (!(await isThere(decided))) return;
  const lock = openSqliteStore(join(dataDir, LOCK));
  try {
    await lock.transaction("restore", () => putInPlace(decided, dataDir));
  } finally {
    await lock.close();
  }
}

async function putInPlace(decided: string, dataDir: string): Promise<void> {
  const restored = join(decided, RESTORED);
  for (const name of await listOf(restored)) {
    // a log of the state before would be read into the one that takes its place
    if (name === STATE) {
      for (const end of ["-wal", "-shm", "-journal"]) await rm(join(dataDir, `${STATE}${end}`), { force: true });
    }
    await rename(join(restored, name), join(dataDir, name));
  }
  await synchronize(dataDir);
  for (const name of await listOf(decided)) {
    if (name.startsWith(REPLACED)) await rename(join(decided, name), join(dataDir, name));
  }
  await rm(decided, { recursive: true, force: true });
  await synchronize(dataDir);
}

/** Removes what restores leave that are not decided, those too that were killed. */
export async function removeDrafts(dataDir: string): Promise<void> {
  for (const name of await listOf(dataDir)) {
    const isPart = name.startsWith(REPLACED) && name.includes(".part-");
    if (isPart || name.startsWith(DRAFT)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}
