import { adler32, endsWithChecksum } from "../codecs/adler.ts";
import { codecLoader } from "../codecs/load-codec.ts";
import { CogError } from "../errors.ts";
import { canInflate, inflate } from "./inflate.ts";

const fflate = codecLoader("deflate without WebAssembly", () => import("fflate"));

/** Bytes of the stream that are given to the plain decompressor at a time. */
const PIECE = 65_536;

/**
 * As `inflate`, in memory of its own, also where WebAssembly is not allowed (`script-src` without `wasm-unsafe-eval`): in
 * plain JavaScript then, which is loaded for it, and several times slower.
 *
 * @param isWhole `length` is all that the stream holds: its checksum is compared
 * @throws {CogError} `corrupt`
 */
export async function inflateAnywhere(stream: Uint8Array, length: number, isWhole = false): Promise<Uint8Array> {
  if (canInflate()) return new Uint8Array(inflate(stream, length, isWhole));
  const { Unzlib } = await fflate();
  const out = new Uint8Array(length);
  let written = 0;
  let isLonger = false;
  const decompressor = new Unzlib((chunk) => {
    const part = chunk.subarray(0, length - written);
    isLonger ||= part.length < chunk.length;
    out.set(part, written);
    written += part.length;
  });
  try {
    for (let at = 0; at < stream.length && written < length; at += PIECE) {
      decompressor.push(stream.subarray(at, at + PIECE), at + PIECE >= stream.length);
    }
  } catch (error) {
    if (written < length) throw new CogError("corrupt", "The deflate stream of a block is damaged.", { cause: error });
  }
  if (isWhole && written === length && !isLonger && !endsWithChecksum(stream, stream.length, adler32(out))) {
    throw new CogError("corrupt", "The checksum of a deflate block does not match its bytes.");
  }
  return out.subarray(0, written);
}
