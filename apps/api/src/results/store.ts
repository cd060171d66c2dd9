import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** A place for one result: a folder of its own, so that no two share a name. */
export interface ResultPlace {
  /** 128 random bits in hexadecimal: not to be guessed. */
  readonly id: string;
  readonly directory: string;
}

/** Finished files in a folder of the data directory. */
export interface ResultStore {
  /** Folder for what waits to be written; it is emptied by the system when its writer ends. */
  readonly spoolDirectory: string;
  allocate(): Promise<ResultPlace>;
  /** Path of a file; `undefined` for names that no result has. Whether it exists is not said. */
  path(id: string, file: string): string | undefined;
  remove(id: string): Promise<void>;
  /** Deletes what was last written before `olderThan` (milliseconds since 1970), unfinished files too. */
  removeExpired(olderThan: number): Promise<readonly string[]>;
}

const ID = /^[0-9a-f]{32}$/;
const FILE = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}\.tif$/;

/** Opens the store in `{dataDir}/results`; the folder is made when it is first needed. */
export function openResultStore(dataDir: string): ResultStore {
  const root = join(dataDir, "results");
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
    path: (id, file) => (ID.test(id) && FILE.test(file) ? join(root, id, file) : undefined),
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

/** Newest change of a folder and the files in it; a folder that is gone meanwhile is the future's. */
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
