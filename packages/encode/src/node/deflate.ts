import { deflate } from "node:zlib";

/** Deflate by zlib on Node's thread pool: several calls at once use several cores. */
export function nodeDeflate(bytes: Uint8Array, level: number): Promise<Uint8Array> {
  // One chunk for most blocks: each further chunk costs a trip through the event loop and a copy at the end.
  const chunkSize = Math.max(1 << 16, bytes.length >> 1);
  return new Promise((resolve, reject) => {
    deflate(bytes, { chunkSize, level, memLevel: 9 }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}
