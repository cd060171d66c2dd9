import { CogError } from "../../errors.ts";
import type { LercBytes } from "./lerc2-bytes.ts";

/**
 * @internal Reads packed integers (`BitStuffer2.cpp`) into `out`, at most `out.length` of them.
 *
 * @returns their number.
 */
export function readPacked(input: LercBytes, out: Uint32Array, version: number): number {
  const head = input.uint8();
  const bits = head & 31;
  const width = head >> 6;
  const count = width === 0 ? input.uint32() : width === 1 ? input.uint16() : width === 2 ? input.uint8() : 0;
  if (count > out.length || width === 3) throw damaged();
  if ((head & 32) === 0) {
    if (bits === 0) out.fill(0, 0, count);
    else unpack(input, out, count, bits, version);
    return count;
  }
  // a table of values without the first, which is 0, then the index of each
  const entries = input.uint8();
  if (bits === 0 || entries < 2) throw damaged();
  const table = new Uint32Array(entries);
  unpack(input, table.subarray(1), entries - 1, bits, version);
  unpack(input, out, count, 32 - Math.clz32(entries - 1), version);
  for (let i = 0; i < count; i++) {
    const index = out[i]!;
    if (index >= entries) throw damaged();
    out[i] = table[index]!;
  }
  return count;
}

function unpack(input: LercBytes, out: Uint32Array, count: number, bits: number, version: number): void {
  if (version < 3) unpackHighFirst(input, out, count, bits);
  else unpackLowFirst(input, out, count, bits);
}

/** Least significant bits first, from the first byte on. */
function unpackLowFirst(input: LercBytes, out: Uint32Array, count: number, bits: number): void {
  const { bytes } = input;
  let at = input.skip(Math.ceil((count * bits) / 8));
  const end = input.at;
  let held = 0;
  let heldBits = 0;
  for (let i = 0; i < count; i++) {
    if (heldBits >= bits) {
      out[i] = held & ((1 << bits) - 1);
      held >>>= bits;
      heldBits -= bits;
      continue;
    }
    // the value is `heldBits` low bits of what is held and `need` of the next word
    const need = bits - heldBits;
    let word = bytes[at]!;
    if (at + 3 < end) {
      word |= (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      at += 4;
    } else {
      if (at + 1 < end) word |= bytes[at + 1]! << 8;
      if (at + 2 < end) word |= bytes[at + 2]! << 16;
      at = end;
    }
    out[i] = held | ((word & ((1 << need) - 1)) << heldBits);
    held = word >>> need;
    heldBits = 32 - need;
  }
}

/** Before version 3: most significant bits first in little-endian words of 32 bits, the last without its unused low bytes. */
function unpackHighFirst(input: LercBytes, out: Uint32Array, count: number, bits: number): void {
  const bytes = input.take(Math.ceil((count * bits) / 8));
  const words = new Uint32Array(Math.ceil(bytes.length / 4) + 1);
  for (let i = 0; i < bytes.length; i++) {
    // a word of n bytes holds the upper n
    const first = i & ~3;
    const missing = Math.max(0, first + 4 - bytes.length);
    words[i >> 2]! |= bytes[i]! << (8 * ((i & 3) + missing));
  }
  for (let i = 0, at = 0; i < count; i++, at += bits) out[i] = highBits(words, at, bits);
}

/** `bits` bits, 1 to 32, of words from bit `at` on, most significant first. Zeros follow the last word. */
export function highBits(words: Uint32Array, at: number, bits: number): number {
  const word = Math.floor(at / 32);
  const shift = at % 32;
  const high = (words[word] ?? 0) << shift;
  const low = shift === 0 ? 0 : (words[word + 1] ?? 0) >>> (32 - shift);
  return (high | low) >>> (32 - bits);
}

function damaged(): CogError {
  return new CogError("corrupt", "The packed integers of a LERC block are damaged.");
}
