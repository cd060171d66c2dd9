import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join, normalize, sep } from "node:path";
import { Readable } from "node:stream";

/** Positions of bytes, from 0. */
export interface ByteRange {
  readonly start: number;
  /** Last byte, inclusive. */
  readonly end: number;
}

/** Stored bytes, to be sent whole or in part. */
export interface StoredBytes {
  readonly size: number;
  readonly modified: Date;
  /** Quoted, as in the header. */
  readonly etag: string;
  /** A stream of the range, which is never empty. */
  open(range: ByteRange): Promise<ReadableStream<Uint8Array>> | ReadableStream<Uint8Array>;
}

/** A file of this machine, whose ETag is its size and time; `undefined` where there is none. */
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

/**
 * Returns the path of a file that an address names below a folder; `undefined` for names that lead elsewhere.
 *
 * @param name decoded, relative to the folder
 */
export function pathBelow(folder: string, name: string): string | undefined {
  const path = join(folder, normalize(name));
  return path.startsWith(folder + sep) && !name.includes("\0") ? path : undefined;
}
