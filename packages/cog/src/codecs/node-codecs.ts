import zlib from "node:zlib";
import { CogError } from "../errors.ts";
import { type Codecs, portableCodecs } from "./codecs.ts";
import { zstdFrame } from "./zstd-frame.ts";

/** Decompressors on what Node has: Zstandard in its thread pool. */
export const nodeCodecs: Codecs = {
  zstd(bytes, length) {
    // Node 22.15 and later
    if (typeof zlib.zstdDecompress !== "function") return portableCodecs.zstd(bytes, length);
    const frame = zstdFrame(bytes, length);
    // one output buffer for all of it: with the default of 16 KB it takes five times as long
    const options = { chunkSize: Math.max(frame.contentSize ?? length, 64), maxOutputLength: Math.max(length, 1) };
    return new Promise((resolve, reject) => {
      zlib.zstdDecompress(frame.bytes, options, (cause, decoded) => {
        if (cause === null) resolve(decoded);
        else reject(new CogError("corrupt", "The Zstandard frame of a block is damaged.", { cause }));
      });
    });
  },
  webp: portableCodecs.webp,
};
