import { CogError } from "../errors.ts";
import { canInflate, inflate } from "./inflate.ts";

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
  const { Unzlib } = await import("fflate");
  const out = new Uint8Array(length);
  let written = 0;
  const decompressor = new Unzlib((chunk) => {
    const part = chunk.subarray(0, length - written);
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
  return out.subarray(0, written);
}
