import type { Samples } from "@swath/raster";
import { CogError } from "../../errors.ts";
import { highBits, readPacked } from "./lerc2-bits.ts";
import type { LercBytes, LercHeader } from "./lerc2-bytes.ts";

/** Codes of up to this many bits are looked up at once. */
const LOOKUP_BITS = 12;

interface Codes {
  /** Length × 256 + value of the code that the next `bits` bits begin with; 0 where none does. */
  readonly lookup: Uint16Array;
  readonly bits: number;
  /** Values of longer codes, by length × 2^32 + code. */
  readonly long: ReadonlyMap<number, number>;
  readonly longest: number;
}

/**
 * @internal Samples of 8 bits as Huffman codes (`Huffman.cpp`) of the samples themselves or of their difference to a
 *   neighbour.
 */
export function readHuffman(input: LercBytes, header: LercHeader, samples: Samples, isDelta: boolean): void {
  const codes = readCodes(input, header.version);
  const { width, height, depth, mask } = header;
  const offset = header.type === 0 ? 128 : 0;
  const words = toWords(input.take(input.bytes.length - input.at));
  const available = words.length * 32;
  const { lookup, bits, long, longest } = codes;
  let at = 0;
  const next = (): number => {
    const found = lookup[highBits(words, at, bits)]!;
    if (found !== 0) {
      at += found >> 8;
      if (at > available) throw damaged();
      return (found & 255) - offset;
    }
    for (let length = bits + 1; length <= longest; length++) {
      const value = long.get(length * 2 ** 32 + highBits(words, at, length));
      if (value === undefined) continue;
      at += length;
      if (at > available) throw damaged();
      return value - offset;
    }
    throw damaged();
  };
  const pixels = width * height;
  if (!isDelta) {
    for (let i = 0; i < pixels; i++) {
      if (mask === undefined || mask[i] !== 0) for (let d = 0; d < depth; d++) samples[i * depth + d] = next();
    }
    return;
  }
  // sums of 8 bits overflow, as the samples' array does
  for (let d = 0; d < depth; d++) {
    let before = 0;
    for (let i = 0, column = 0; i < pixels; i++, column = column + 1 === width ? 0 : column + 1) {
      if (mask !== undefined && mask[i] === 0) continue;
      const hasLeft = column > 0 && (mask === undefined || mask[i - 1] !== 0);
      const hasAbove = i >= width && (mask === undefined || mask[i - width] !== 0);
      const neighbour = hasLeft || !hasAbove ? before : samples[(i - width) * depth + d]!;
      const to = i * depth + d;
      samples[to] = next() + neighbour;
      before = samples[to]!;
    }
  }
}

/** The table of codes: their lengths packed, then the codes themselves. */
function readCodes(input: LercBytes, version: number): Codes {
  const tableVersion = input.int32();
  const size = input.int32();
  const first = input.int32();
  const end = input.int32();
  if (tableVersion < 2 || size < 1 || size > 256 || first < 0 || first >= size || end <= first || end > first + size) {
    throw damaged();
  }
  const lengths = new Uint32Array(end - first);
  if (readPacked(input, lengths, version) !== lengths.length) throw damaged();
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (longest === 0 || longest > 32) throw damaged();
  const words = toWords(input.take(Math.ceil(total / 32) * 4));
  const bits = Math.min(longest, LOOKUP_BITS);
  const lookup = new Uint16Array(1 << bits);
  const long = new Map<number, number>();
  let at = 0;
  for (const [i, length] of lengths.entries()) {
    if (length === 0) continue;
    const code = highBits(words, at, length);
    at += length;
    const value = (first + i) % size;
    if (length > bits) long.set(length * 2 ** 32 + code, value);
    else {
      const from = code << (bits - length);
      lookup.fill((length << 8) | value, from, from + (1 << (bits - length)));
    }
  }
  return { lookup, bits, long, longest };
}

/** Little-endian words of 32 bits; bytes that fill none are left out. */
function toWords(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(bytes.length >> 2);
  for (let i = 0; i < words.length; i++) {
    const at = i * 4;
    words[i] = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  }
  return words;
}

function damaged(): CogError {
  return new CogError("corrupt", "The Huffman codes of a LERC block are damaged.");
}
