import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { StoredBytes } from "./stored-bytes.ts";

/** A file of this machine; `undefined` where there is none. */
export async function findFile(path: string): Promise<StoredBytes | undefined> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined || !facts.isFile()) return undefined;
  return {
    size: facts.size,
    modified: facts.mtime,
    etag: `"${facts.size.toString(16)}-${Math.floor(facts.mtimeMs).toString(16)}"`,
    open: (range) => Readable.toWeb(createReadStream(path, range)) as ReadableStream<Uint8Array>,
  };
}
