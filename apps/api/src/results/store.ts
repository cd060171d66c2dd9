import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { findFile } from "./file-bytes.ts";
import type { StoredBytes } from "./stored-bytes.ts";

/** The folder of one result: each result has its own, so that no two share a name. */
export interface ResultPlace {
  /** 128 random bits in hexadecimal: not to be guessed. */
  readonly id: string;
  readonly directory: string;
}

/**
 * Finished files: in a folder, or in a bucket. A file is written in its folder on this machine and is served by links
 * once it is published, whole.
 */
export interface ResultStore {
  /** Folder for what waits to be written; it is emptied by the system when its writer ends. */
  readonly spoolDirectory: string;
  allocate(): Promise<ResultPlace>;
  /**
   * Publishes a complete file of a folder: from now on links serve it.
   *
   * @throws {ProblemError} `upstream-unavailable` when the store does not answer or is full.
   */
  publish(id: string, file: string): Promise<void>;
  /** A published file; `undefined` for names that no result has, and for files that are gone. */
  find(id: string, file: string): Promise<StoredBytes | undefined>;
  /** Returns an address outside of the service that gives the file for `seconds`, where the deployment allows it. */
  address?(id: string, file: string, seconds: number): Promise<string | undefined>;
  /** Deletes a result, published or not. */
  remove(id: string): Promise<void>;
  /** Deletes what was last written before `olderThan` (milliseconds since 1970), unfinished files too. */
  removeExpired(olderThan: number): Promise<readonly string[]>;
}

const ID = /^[0-9a-f]{32}$/;
const FILE = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}\.(tif|png)$/;

/** Whether text is the id of a result, and of a file in it: nothing that could lead elsewhere. */
export const isResultId = (id: string): boolean => ID.test(id);
export const isResultName = (id: string, file: string): boolean => ID.test(id) && FILE.test(file);

/** Opens a store in a folder, which is made when it is first needed. Nodes that share it share its results. */
export function openDirectoryStore(root: string): ResultStore {
  const spoolDirectory = join(root, "spool");
  return {
    spoolDirectory,
    async allocate() {
      const id = randomBytes(16).toString("hex");
      const directory = join(root, id);
      await mkdir(spoolDirectory, { recursive: true });
      await mkdir(directory);
      return { id, directory };
    },
    // a file gets its name when it is complete, and is read from the same path
    async publish() {},
    async find(id, file) {
      return isResultName(id, file) ? findFile(join(root, id, file)) : undefined;
    },
    async remove(id) {
      if (ID.test(id)) await rm(join(root, id), { recursive: true, force: true, maxRetries: 3 });
    },
    async removeExpired(olderThan) {
      const names = await readdir(root).catch(() => []);
      const removed: string[] = [];
      for (const name of names.filter((each) => ID.test(each))) {
        const directory = join(root, name);
        if ((await lastWrite(directory)) >= olderThan) continue;
        await rm(directory, { recursive: true, force: true });
        removed.push(name);
      }
      return removed;
    },
  };
}

/** Newest change of a folder and the files in it; the current time for a folder that was deleted meanwhile. */
async function lastWrite(directory: string): Promise<number> {
  try {
    const files = await readdir(directory);
    const facts = await Promise.all(
      [directory, ...files.map((file) => join(directory, file))].map((path) => stat(path)),
    );
    return Math.max(...facts.map(({ mtimeMs }) => mtimeMs));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The store in `{dataDir}/results`. */
export function openResultStore(dataDir: string): ResultStore {
  return openDirectoryStore(join(dataDir, "results"));
}
