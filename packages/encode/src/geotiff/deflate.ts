import { zlibSync } from "fflate";

/** Compresses to a zlib stream (RFC 1950). `level` is 1 (fast) to 9 (small). */
export type Deflate = (bytes: Uint8Array, level: number) => Promise<Uint8Array>;

/** Deflate in plain JavaScript, on the calling thread. */
export async function portableDeflate(bytes: Uint8Array, level: number): Promise<Uint8Array> {
  return zlibSync(bytes, { level: level as 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 });
}
