import { CogError } from "../errors.ts";
import { adler32, endsWithChecksum } from "../kernels/adler.ts";
import { canInflate, inflate, longestStream } from "../kernels/inflate.ts";
import { codecLoader } from "./load-codec.ts";

const fflate = codecLoader("deflate without WebAssembly", () => import("fflate"));

/** Bytes of the stream that are given to the plain decompressor at a time. */
const PIECE = 65_536;

/**
 * As `inflate`, in memory of its own, also where WebAssembly is not allowed (`script-src` without `wasm-unsafe-eval`): in
 * plain JavaScript then, which is loaded for it, and several times slower.
 *
 * @throws {CogError} `corrupt`
 */
export async function inflateAnywhere(stream: Uint8Array, length: number): Promise<Uint8Array> {
  if (canInflate()) return new Uint8Array(inflate(stream, length));
  const { Unzlib } = await fflate();
  const out = new Uint8Array(length);
  const most = longestStream(length);
  let held = 0;
  let sum = 1;
  const decompressor = new Unzlib((chunk) => {
    if (held < length) out.set(chunk.subarray(0, length - held), held);
    held += chunk.length;
    sum = adler32(chunk, sum);
  });
  let cause: unknown;
  try {
    for (let at = 0; at < stream.length && held <= most; at += PIECE) {
      decompressor.push(stream.subarray(at, at + PIECE), at + PIECE >= stream.length);
    }
  } catch (error) {
    // bytes after the stream are none of it: its checksum decides
    cause = error;
  }
  if (!endsWithChecksum(stream, stream.length, sum)) {
    throw new CogError("corrupt", "The checksum of a deflate block does not match its bytes.", { cause });
  }
  return out.subarray(0, Math.min(held, length));
}
