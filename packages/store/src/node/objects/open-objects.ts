import { randomBytes } from "node:crypto";
import { opendir, open as openFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessAborted } from "@swath/http";
import type { ObjectStore } from "../../objects.ts";
import { makeFolder } from "../make-folder.ts";
import type { Bucket } from "../results/bucket.ts";
import { bucketOf, type ResultSettings, resultFolder } from "../results/open-results.ts";

const NAME = /^[0-9a-z][0-9a-z-]{3,127}$/;
const TYPE = "application/octet-stream";

function checked(name: string): string {
  if (!NAME.test(name))
    throw new RangeError(`Expected a name of 4 to 128 lower-case letters, digits and hyphens, got "${name}".`);
  return name;
}

/**
 * Opens objects in a folder of its own beside the results of a deployment, or below their prefix in their bucket.
 *
 * @param folder name of the folder or prefix, one that comes after `f` in the alphabet: results have hexadecimal names.
 * @throws {TypeError} for a bucket without keys.
 */
export function openObjects(settings: Omit<ResultSettings, "isPublic">, folder: string): ObjectStore {
  const place = bucketOf(settings);
  if (place === undefined) return openObjectFolder(join(resultFolder(settings), folder));
  return openObjectBucket(place.bucket, `${place.prefix}${folder}/`);
}

function openObjectBucket(bucket: Bucket, prefix: string): ObjectStore {
  return {
    read: (name, options) => bucket.read(prefix + checked(name), options),
    write: (name, bytes) => bucket.write(prefix + checked(name), bytes, TYPE),
    remove: (name) => bucket.remove(prefix + checked(name)),
    async *list() {
      for await (const { key, ...facts } of bucket.list(prefix)) {
        const name = key.slice(prefix.length);
        if (NAME.test(name)) yield { name, ...facts };
      }
    },
  };
}

/** Objects are files in folders of their names' first two characters, so that no folder has too many. */
function openObjectFolder(root: string): ObjectStore {
  const folderOf = (name: string): string => join(root, checked(name).slice(0, 2));
  const pathOf = (name: string): string => join(folderOf(name), name);
  return {
    read: (name, { signal, maxBytes }) => unlessAborted(readWhole(pathOf(name), maxBytes), signal),
    async write(name, bytes) {
      await makeFolder(folderOf(name));
      // another node that writes the same has a name of its own for it; either of them is whole
      const partial = join(folderOf(name), `.${randomBytes(8).toString("hex")}`);
      try {
        await writeFile(partial, bytes, { mode: 0o600 });
        await rename(partial, pathOf(name));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async *list() {
      for await (const folder of entriesOf(root)) {
        for await (const file of entriesOf(join(root, folder))) {
          const path = join(root, folder, file);
          const facts = await stat(path).catch(() => undefined);
          if (facts === undefined) continue;
          if (NAME.test(file)) yield { name: file, modified: facts.mtimeMs, size: facts.size };
          // a node that was killed while it wrote leaves its file
          else if (Date.now() - facts.mtimeMs > STALE_MS) await rm(path, { force: true });
        }
      }
    },
  };
}

const STALE_MS = 3_600_000;

async function* entriesOf(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" && (error as NodeJS.ErrnoException).code !== "ENOTDIR")
      throw error;
  }
}

async function readWhole(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const file = await openFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw new RangeError(`The object has ${size} bytes, more than ${maxBytes}.`);
    return new Uint8Array(await file.readFile());
  } finally {
    await file.close();
  }
}
