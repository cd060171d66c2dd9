import { CogError } from "../errors.ts";

/** A head that stands for nothing (TIFF 6.0 section 9). */
const NOTHING = 0x80;

/**
 * Decodes PackBits (TIFF 6.0 section 9): at most `length` bytes, all that the block holds; fewer where its input ends before.
 *
 * @throws {CogError} `corrupt` where a run is longer than what is left of the block: runs before are damaged. What follows the last one
 * is padding.
 */
export function decodePackBits(bytes: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length);
  let written = 0;
  let at = 0;
  while (at < bytes.length && written < length) {
    const head = bytes[at++]!;
    if (head === NOTHING) continue;
    const run = head < NOTHING ? head + 1 : 257 - head;
    if (run > length - written) throw new CogError("corrupt", "A run of a PackBits block ends after the block.");
    if (head < NOTHING) {
      const literals = bytes.subarray(at, at + run);
      out.set(literals, written);
      at += run;
      written += literals.length;
    } else if (at < bytes.length) {
      out.fill(bytes[at++]!, written, written + run);
      written += run;
    }
  }
  return written < length ? out.subarray(0, written) : out;
}
