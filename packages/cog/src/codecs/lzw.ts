import { CogError } from "../errors.ts";

const CLEAR = 256;
const END = 257;

/**
 * Decodes TIFF LZW (TIFF 6.0 section 13, most significant bit first, early change): at most `length` bytes, all that the block
 * holds; fewer where its stream ends before.
 *
 * A code's string is kept as an offset into the output: the string of a code is the one before it plus the byte
 * that follows, and that is in the output already.
 *
 * @throws {CogError} `corrupt` on a code that cannot be, and where further codes follow the last byte before that of the end: a damaged
 * code mostly stands for a string of another length. What follows the code of the end is padding.
 */
export function decodeLzw(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length >= 2 && bytes[0] === 0 && (bytes[1]! & 1) === 1) {
    throw new CogError("unsupported", "LZW of before TIFF 5.0 (least significant bit first) is not read.");
  }
  const out = new Uint8Array(length);
  const starts = new Int32Array(4096);
  const sizes = new Int32Array(4096);
  const end = bytes.length;
  let at = 0; // next input byte
  let held = 0; // bits not used yet, in the low end
  let heldBits = 0;
  let width = 9;
  let limit = 511; // the width grows one code early
  let next = 258;
  let previousStart = 0;
  let previousSize = 0; // 0: no string since the last clear
  let written = 0;
  while (written < length) {
    while (heldBits < width) {
      if (at >= end) return out.subarray(0, written);
      held = ((held << 8) | bytes[at++]!) & 0xffffff;
      heldBits += 8;
    }
    heldBits -= width;
    const code = (held >>> heldBits) & ((1 << width) - 1);
    if (code === CLEAR) {
      width = 9;
      limit = 511;
      next = 258;
      previousSize = 0;
      continue;
    }
    if (code === END) break;
    const start = written;
    if (code < 256) {
      if (previousSize !== 0 && next < 4096) {
        starts[next] = previousStart;
        sizes[next] = previousSize + 1;
        next++;
      }
      out[written++] = code;
      previousSize = 1;
    } else {
      if (previousSize === 0) throw new CogError("corrupt", `LZW stream starts with code ${code}.`);
      if (next < 4096) {
        starts[next] = previousStart;
        sizes[next] = previousSize + 1;
        next++;
      }
      if (code >= next) throw new CogError("corrupt", `LZW code ${code} is not defined yet.`);
      let from = starts[code]!;
      const size = sizes[code]!;
      const stop = written + size;
      if (stop > length) throw tooLong();
      // byte by byte: the string may reach into what it writes
      while (written < stop) out[written++] = out[from++]!;
      previousSize = size;
    }
    previousStart = start;
    if (next >= limit && width < 12) {
      width++;
      limit = (1 << width) - 1;
    }
  }
  if (written < length) return out.subarray(0, written);
  checkEnd(bytes, at, heldBits, width);
  return out;
}

/**
 * Checks what follows the last byte of a block: the code of the end, maybe after one that clears the table. Some writers leave it out,
 * pad with zeros, or give it another width where the width grows just then.
 *
 * @param at the first byte that is not used at all; `bits` of the byte before are left
 */
function checkEnd(bytes: Uint8Array, at: number, bits: number, width: number): void {
  if (bytes.subarray(at).every((byte) => byte === 0)) return;
  let held = bits === 0 ? 0 : bytes[at - 1]! & ((1 << bits) - 1);
  for (let heldBits = bits; heldBits + 8 * (bytes.length - at) >= width + 8; ) {
    while (heldBits < width) {
      held = ((held << 8) | bytes[at++]!) & 0xffffff;
      heldBits += 8;
    }
    heldBits -= width;
    const code = (held >>> heldBits) & ((1 << width) - 1);
    if (code === END) return;
    if (code !== CLEAR) throw tooLong();
    width = 9;
  }
}

function tooLong(): CogError {
  return new CogError("corrupt", "The LZW stream of a block holds more than the block.");
}
