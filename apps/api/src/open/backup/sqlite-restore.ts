import { link, mkdir, mkdtemp, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Store, StoreError } from "@swath/store";
import { openSqliteStore } from "@swath/store/node";
import { openStore } from "../open-store.ts";
import { BackupError, isThere, readBackup, synchronize } from "./backup-file.ts";
import { readFacts, type StateFacts, sqliteTables } from "./facts.ts";
import { DECIDED, DRAFT, finishRestore, REPLACED, RESTORED, removeDrafts, STATE } from "./finish-restore.ts";
import { SECRETS, SECRETS_TABLE } from "./sqlite-backup.ts";

/** The two states between which the owner decides. */
export interface RestoreQuestion {
  readonly backup: StateFacts;
  /** `undefined`: it cannot be read. */
  readonly state: StateFacts | undefined;
}

/** Options of a restore. */
export interface RestoreOptions {
  /** Whether to go on where there is a state. */
  readonly accept: (question: RestoreQuestion) => boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The outcome of a restore; `undefined` where it was not accepted. */
export type Restored = { readonly backup: StateFacts; readonly replaced?: string } | undefined;

/**
 * Puts a backup in the place of the state, at once: a process that is killed meanwhile leaves the one or the other. No
 * service runs on the state meanwhile, which its locks tell.
 *
 * @throws {BackupError} for a file that is no whole backup, and where a service runs.
 * @throws {StoreError} `newer-schema`.
 */
export async function restoreSqlite(file: string, dataDir: string, { accept, now }: RestoreOptions): Promise<Restored> {
  const draft = await mkdtemp(join(dataDir, DRAFT));
  let store: Store | undefined;
  try {
    const restored = join(draft, RESTORED);
    await mkdir(restored, { mode: 0o700 });
    const backup = await unpack(file, restored);
    const state = join(dataDir, STATE);
    let replaced: string | undefined;
    if (await isThere(state)) {
      store = openExisting(state);
      if (!accept({ backup, state: await factsOf(store) })) return undefined;
      if (store !== undefined) await lock(store);
      replaced = `${REPLACED}${new Date(now).toISOString().replaceAll(":", "-")}`;
      await keepFiles(dataDir, join(draft, replaced));
    }
    for (const folder of [...(await readdir(restored)).map((name) => join(restored, name)), restored, draft])
      await synchronize(folder);
    await rename(draft, join(dataDir, DECIDED));
    await synchronize(dataDir);
    await finishRestore(dataDir);
    return replaced === undefined ? { backup } : { backup, replaced: join(dataDir, replaced) };
  } finally {
    await store?.close();
    await removeDrafts(dataDir);
  }
}

/** Unpacks a backup into a folder as a data directory of this release, and tries it. */
async function unpack(file: string, folder: string): Promise<StateFacts> {
  const path = join(folder, STATE);
  await readBackup(file, path);
  const wrong = (what: string, cause?: unknown): BackupError =>
    new BackupError(`${file} ${what}. Nothing was changed.`, { cause });
  try {
    const store = openSqliteStore(path);
    try {
      const [row] = await store.query("pragma integrity_check");
      if (row?.integrity_check !== "ok") throw wrong("is damaged");
      if (!(await sqliteTables(store)).has(SECRETS_TABLE)) throw wrong("is no backup of a state in a data directory");
      for (const { name, content } of await store.query(`select name, content from ${SECRETS_TABLE}`)) {
        if (SECRETS.includes(String(name)) && content instanceof Uint8Array)
          await writeFile(join(folder, String(name)), content, { mode: 0o600, flag: "wx" });
      }
      await store.exec(`drop table ${SECRETS_TABLE}`);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof StoreError) throw wrong("is damaged, or no backup of a state in a data directory", error);
    throw error;
  }
  const store = await openStore({ dataDir: folder });
  try {
    return await readFacts(store, await sqliteTables(store));
  } finally {
    await store.close();
  }
}

/** Milliseconds in which a command that reads the state ends; a service is not waited for. */
const LONGEST_WAIT = 1000;

const isLocked = (error: unknown): boolean => error instanceof StoreError && error.message.includes("locked");
const RUNS = `A service runs on ${STATE}, or another command: stop it first. Nothing was changed.`;

/** Opens the state that is there, as it is; `undefined` where it cannot be read: then no service runs on it either. */
function openExisting(path: string): Store | undefined {
  try {
    return openSqliteStore(path, { longestWait: LONGEST_WAIT });
  } catch (error) {
    if (isLocked(error)) throw new BackupError(RUNS, { cause: error });
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

async function factsOf(store: Store | undefined): Promise<StateFacts | undefined> {
  try {
    return store === undefined ? undefined : await readFacts(store, await sqliteTables(store));
  } catch {
    return undefined;
  }
}

/**
 * Keeps others from the state, until the store is closed. The log goes into the state's file with it. Who opens the file
 * meanwhile waits, and then is refused by SQLite: a file that was moved is not switched to a log.
 */
async function lock(store: Store): Promise<void> {
  try {
    // fails as long as another process has the state open
    await store.exec("pragma journal_mode = delete");
    await store.exec("begin exclusive");
  } catch (error) {
    if (isLocked(error)) throw new BackupError(RUNS, { cause: error });
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Gives the state and its secrets a second name each, in a folder. */
async function keepFiles(dataDir: string, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for (const name of [STATE, `${STATE}-wal`, ...SECRETS]) {
    await link(join(dataDir, name), join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
}
