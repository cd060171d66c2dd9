import { join } from "node:path";
import { type FileRange, isResultId, isResultName, type ResultStore, ResultStoreError } from "../../results.ts";
import type { Bucket } from "./bucket.ts";
import { openResultFolder } from "./result-folder.ts";

/** Where results are kept in a bucket. */
export interface ResultBucketOptions {
  readonly bucket: Bucket;
  /** Put before every key: empty, or ending in a slash. */
  readonly prefix: string;
  /** Folder of this machine in which files are written before they are sent. */
  readonly stagingDirectory: string;
  /** Whether clients may be sent to the bucket itself. */
  readonly isPublic: boolean;
}

const TYPE = "image/tiff; application=geotiff; profile=cloud-optimized";

/** Returns an answer of the bucket; its faults count as passing. @throws {ResultStoreError} */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new ResultStoreError("The store of output files does not answer.", { cause: error });
  }
}

/** Fills `into` with the bytes of an answer. */
async function fill(into: Uint8Array, answer: Promise<ReadableStream<Uint8Array>>): Promise<void> {
  let done = 0;
  for await (const bytes of await answer) {
    into.set(bytes, done);
    done += bytes.length;
  }
  if (done < into.length) throw new Error(`The answer broke off after ${done} of ${into.length} bytes.`);
}

/**
 * Results in a bucket, shared by all nodes. A file is written on this machine, sent as one object, which appears
 * whole or not at all, and deleted here.
 */
export function openResultBucket({ bucket, prefix, stagingDirectory, isPublic }: ResultBucketOptions): ResultStore {
  const staging = openResultFolder(stagingDirectory);
  const keyOf = (id: string, file: string): string => `${prefix}${id}/${file}`;
  return {
    spoolDirectory: staging.spoolDirectory,
    allocate: staging.allocate,
    check: staging.check,
    async publish(id, file) {
      if (!isResultName(id, file)) throw new RangeError(`Expected the name of a result, got "${id}/${file}".`);
      try {
        await asked(bucket.put(keyOf(id, file), join(stagingDirectory, id, file), TYPE));
      } finally {
        await staging.remove(id);
      }
    },
    async create(id, file) {
      if (!isResultName(id, file)) throw new RangeError(`Expected the name of a result, got "${id}/${file}".`);
      const upload = await asked(bucket.upload(keyOf(id, file), TYPE));
      return {
        write: (bytes) => asked(upload.write(bytes)),
        copy: (from, name, position, length) => asked(upload.copy(keyOf(from, name), position, length)),
        async end() {
          await asked(upload.end());
          await staging.remove(id);
        },
        abort: () => upload.abort(),
      };
    },
    async find(id, file) {
      if (!isResultName(id, file)) return undefined;
      const key = keyOf(id, file);
      const facts = await asked(bucket.head(key));
      return (
        facts && {
          ...facts,
          open: (range: FileRange) => asked(bucket.get(key, range)),
          read: (position, into) =>
            asked(fill(into, bucket.get(key, { start: position, end: position + into.length - 1 }))),
        }
      );
    },
    async address(id, file, seconds) {
      if (!isPublic || !isResultName(id, file)) return undefined;
      // without spaces, which query strings write in two ways
      const headers = {
        "content-disposition": `attachment;filename="${file}"`,
        "content-type": TYPE.replaceAll(" ", ""),
      };
      return bucket.presign(keyOf(id, file), seconds, headers);
    },
    async remove(id) {
      if (!isResultId(id)) return;
      await staging.remove(id);
      try {
        for await (const { key } of bucket.list(`${prefix}${id}/`)) await bucket.remove(key);
      } catch {
        // no link leads to it: it is deleted with results that are a day old
      }
    },
    async removeExpired(olderThan) {
      await staging.removeExpired(olderThan);
      const removed: string[] = [];
      for await (const { key, modified } of bucket.list(prefix)) {
        // ids are hexadecimal: what comes after them in the order of keys is something else's, and is not listed
        if (key >= `${prefix}g`) break;
        const [id = "", file = ""] = key.slice(prefix.length).split("/");
        if (!isResultName(id, file) || !(modified < olderThan)) continue;
        await bucket.remove(key);
        removed.push(id);
      }
      return removed;
    },
  };
}
