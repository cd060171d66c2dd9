import { constants, deflate, type ZlibOptions } from "node:zlib";

function deflateWith(bytes: Uint8Array, options: ZlibOptions): Promise<Uint8Array> {
  // One chunk for most blocks: each further chunk costs a trip through the event loop and a copy at the end.
  const chunkSize = Math.max(1 << 16, bytes.length >> 1);
  return new Promise((resolve, reject) => {
    deflate(bytes, { chunkSize, memLevel: 9, ...options }, (error, result) =>
      error ? reject(error) : resolve(result),
    );
  });
}

/** Deflate by zlib on Node's thread pool: several calls at once use several cores. */
export function nodeDeflate(bytes: Uint8Array, level: number): Promise<Uint8Array> {
  return deflateWith(bytes, { level });
}

/**
 * As {@link nodeDeflate}, looking for runs only: less than half the time of level 1. For imagery after a predictor the
 * result is as large (floats) or 2 % larger (integers); classes and floats without a predictor, which repeat in other
 * ways, it nearly leaves as they are.
 */
export function nodeDeflateRuns(bytes: Uint8Array, level: number): Promise<Uint8Array> {
  return deflateWith(bytes, { level, strategy: constants.Z_RLE });
}
