import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  isResultId,
  isResultName,
  type ResultSink,
  type ResultStore,
  ResultStoreError,
  type StoredFile,
} from "../../results.ts";
import { makeFolder } from "../make-folder.ts";

/** Opens the results in a folder, which is made when it is first needed. Nodes that share it share its results. */
export function openResultFolder(root: string): ResultStore {
  const spoolDirectory = join(root, "spool");
  return {
    spoolDirectory,
    async allocate() {
      const id = randomBytes(16).toString("hex");
      const directory = join(root, id);
      await makeFolder(spoolDirectory);
      await mkdir(directory);
      return { id, directory };
    },
    async check() {
      await makeFolder(spoolDirectory);
      for (const folder of [root, spoolDirectory]) {
        const path = join(folder, `.probe-${randomBytes(8).toString("hex")}`);
        await (await open(path, "wx")).close();
        await rm(path, { force: true });
      }
    },
    // a file gets its name when it is complete, and is read from the same path
    async publish() {},
    async create(id, file) {
      if (!isResultName(id, file)) throw new RangeError(`Expected the name of a result, got "${id}/${file}".`);
      return createFile(join(root, id, file));
    },
    async find(id, file) {
      return isResultName(id, file) ? findFile(join(root, id, file)) : undefined;
    },
    async remove(id) {
      if (isResultId(id)) await rm(join(root, id), { recursive: true, force: true, maxRetries: 3 });
    },
    async removeExpired(olderThan) {
      const names = await readdir(root).catch(() => []);
      const removed: string[] = [];
      for (const name of names.filter((each) => isResultId(each))) {
        const directory = join(root, name);
        if ((await lastWrite(directory)) >= olderThan) continue;
        await rm(directory, { recursive: true, force: true });
        removed.push(name);
      }
      return removed;
    },
  };
}

/** A file that gets its name when it ends. */
async function createFile(path: string): Promise<ResultSink> {
  const partial = `${path}.${randomBytes(8).toString("hex")}.part`;
  const handle = await open(partial, "wx");
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await handle.close();
    isOpen = false;
  };
  return {
    // of a handle it writes all, behind what was written
    write: (bytes) => handle.writeFile(bytes),
    async end() {
      await close();
      await rename(partial, path);
    },
    async abort() {
      await close();
      await rm(partial, { force: true });
    },
  };
}

/** A file of this machine; `undefined` where there is none. */
async function findFile(path: string): Promise<StoredFile | undefined> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined || !facts.isFile()) return undefined;
  return {
    size: facts.size,
    modified: facts.mtime,
    etag: `"${facts.size.toString(16)}-${Math.floor(facts.mtimeMs).toString(16)}"`,
    open: (range) => Readable.toWeb(createReadStream(path, range)) as ReadableStream<Uint8Array>,
    read: (position, into) => readAt(path, position, into),
  };
}

async function readAt(path: string, position: number, into: Uint8Array): Promise<void> {
  try {
    const handle = await open(path);
    try {
      for (let done = 0; done < into.length; ) {
        const { bytesRead } = await handle.read(into, done, into.length - done, position + done);
        if (bytesRead === 0) throw new Error(`The file ends after ${position + done} bytes.`);
        done += bytesRead;
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new ResultStoreError("An output file cannot be read.", { cause: error });
  }
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
