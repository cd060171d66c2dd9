import { CogError } from "../errors.ts";

/**
 * Decodes PackBits (TIFF 6.0 section 9) until `length` bytes are out or the input ends.
 *
 * @param isWhole `length` is all that the block holds
 * @throws {CogError} `corrupt` where a run of a whole block is longer than what is left of it: the runs before are damaged.
 */
export function decodePackBits(bytes: Uint8Array, length: number, isWhole = false): Uint8Array {
  const out = new Uint8Array(length);
  let written = 0;
  let at = 0;
  while (at < bytes.length && written < length) {
    const head = bytes[at++]!;
    const run = head < 128 ? head + 1 : head > 128 ? 257 - head : 0;
    if (isWhole && run > length - written)
      throw new CogError("corrupt", "A run of a PackBits block ends after the block.");
    if (head < 128) {
      const count = Math.min(head + 1, bytes.length - at, length - written);
      out.set(bytes.subarray(at, at + count), written);
      at += head + 1;
      written += count;
    } else if (head > 128 && at < bytes.length) {
      const count = Math.min(257 - head, length - written);
      out.fill(bytes[at++]!, written, written + count);
      written += count;
    }
  }
  return written === length ? out : out.subarray(0, written);
}
