import zlib from "node:zlib";
import { CogError } from "../errors.ts";
import { type Codecs, portableCodecs } from "./codecs.ts";

/** Decompressors on what Node has: Zstandard in its thread pool, stopped at the last byte needed. */
export const nodeCodecs: Codecs = {
  zstd(bytes, length, whole) {
    // Node 22.15 and later
    if (typeof zlib.createZstdDecompress !== "function") return portableCodecs.zstd(bytes, length, whole);
    return firstBytes(zlib.createZstdDecompress({ chunkSize: chunkFor(length) }), bytes, length, length === whole);
  },
  webp: portableCodecs.webp,
};

/** What follows the frame is none, or its checksum is cut off: nothing that pixels depend on. */
const AFTER_FRAME = new Set(["ZSTD_error_prefix_unknown", "Z_BUF_ERROR"]);

/** One output buffer for all of it: with the default of 16 KB inflating takes five times as long. */
function chunkFor(length: number): number {
  return Math.max(length, 64);
}

/**
 * The first `length` bytes that come out of a stream, fewer if it ends before. The rest is not decoded, but where `isWhole`,
 * as the checksum of a frame is compared at its end.
 */
function firstBytes(
  stream: zlib.ZstdDecompress,
  bytes: Uint8Array,
  length: number,
  isWhole: boolean,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    let held = 0;
    const finish = (): void => {
      stream.destroy();
      const [only] = parts;
      if (only !== undefined && only.length >= length) resolve(only.subarray(0, length));
      else resolve(Buffer.concat(parts, Math.min(held, length)));
    };
    stream.on("data", (part: Uint8Array) => {
      parts.push(part);
      held += part.length;
      if (held > length || (held === length && !isWhole)) finish();
    });
    stream.on("end", finish);
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (held >= length && AFTER_FRAME.has(error.code ?? "")) return finish();
      stream.destroy();
      reject(new CogError("corrupt", "The compressed stream of a block is damaged.", { cause: error }));
    });
    stream.end(bytes);
  });
}
