import { canonicalCodes, codeLengths } from "./code-lengths.ts";

/** Bytes of input that share one set of codes: whole words that a stored block still holds (RFC 1951, section 3.2.4). */
const SEGMENT = 65_532;
/** Longest code: two of them and what is left of a byte fit into 31 bits. */
const MAX_BITS = 12;
const END_OF_BLOCK = 256;
const SYMBOLS = 286;
/** Longest match of whole words (RFC 1951 allows 258). */
const MAX_RUN = 256;
/** Order of the lengths of the code length codes (RFC 1951, section 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Length symbol, and its extra bits with their value, of matches of 4 to 256 bytes (RFC 1951, section 3.2.5). */
const MATCHES = /* @__PURE__ */ matchTable();

function matchTable(): { symbol: Uint16Array; extraBits: Uint8Array; extra: Uint8Array } {
  const table = {
    symbol: new Uint16Array(MAX_RUN + 1),
    extraBits: new Uint8Array(MAX_RUN + 1),
    extra: new Uint8Array(MAX_RUN + 1),
  };
  for (let symbol = 257, base = 3; symbol < 285; symbol++) {
    const bits = symbol < 265 ? 0 : (symbol - 261) >> 2;
    for (let i = 0; i < 1 << bits && base + i <= MAX_RUN; i++) {
      table.symbol[base + i] = symbol;
      table.extraBits[base + i] = bits;
      table.extra[base + i] = i;
    }
    base += 1 << bits;
  }
  return table;
}

const counts = new Uint32Array(SYMBOLS);
const lengths = new Uint8Array(SYMBOLS);
const codes = new Uint16Array(SYMBOLS);
/** Code of each symbol with its length above bit 16. */
const packed = new Int32Array(SYMBOLS);
/** Runs of the segment at hand: first word and number of words. */
const runs = new Int32Array(SEGMENT / 4 + 2);

/** Largest result whose memory is kept for the next one. */
const MAX_KEPT = 4 << 20;
let memory = new Uint8Array(0);

/** Memory of at least so many bytes. */
function reused(length: number): Uint8Array<ArrayBuffer> {
  if (length > MAX_KEPT) return new Uint8Array(length);
  if (memory.length < length) memory = new Uint8Array(length);
  return memory;
}

/**
 * A zlib stream (RFC 1950, 1951) of Huffman codes and runs of a single byte, with codes of its own for every 64 kB;
 * what would grow is stored. After a predictor or a PNG filter, imagery holds little else that matches: the size is that
 * of zlib's Z_RLE strategy, in two thirds of its time, and that of zlib's level 1 within 2 %. In plain JavaScript.
 *
 * @returns a view of memory that the next call uses again
 */
export function compressRuns(input: Uint8Array): Uint8Array<ArrayBuffer> {
  // a copy by the constructor: slice of a Node Buffer is a view
  const bytes = input.byteOffset % 4 === 0 ? input : new Uint8Array(input);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  const segments = Math.max(1, Math.ceil(bytes.length / SEGMENT));
  // stored: five bytes for each 65,535, and a few of padding
  const out = reused(bytes.length + segments * 16 + 16);
  const stream = new BitStream(out);
  stream.put(0x78, 8);
  stream.put(0x01, 8);
  for (let segment = 0; segment < segments; segment++) {
    const from = segment * SEGMENT;
    const to = Math.min(bytes.length, from + SEGMENT);
    writeSegment(stream, bytes, words, from, to, segment === segments - 1);
  }
  stream.align();
  const checksum = adler32(bytes);
  for (let shift = 24; shift >= 0; shift -= 8) stream.put((checksum >>> shift) & 255, 8);
  return out.subarray(0, stream.position);
}

function writeSegment(
  stream: BitStream,
  bytes: Uint8Array,
  words: Int32Array,
  from: number,
  to: number,
  last: boolean,
): void {
  const runCount = count(bytes, words, from, to);
  counts[END_OF_BLOCK] = 1;
  codeLengths(counts, SYMBOLS, MAX_BITS, lengths);
  let bits = 0;
  for (let i = 0; i < SYMBOLS; i++) bits += counts[i]! * lengths[i]!;
  bits += distanceBits(runCount);
  const header = new Header(lengths, runCount > 0);
  if (bits + header.bits + 8 >= (to - from + 5) * 8) {
    writeStored(stream, bytes, from, to, last);
    return;
  }
  canonicalCodes(lengths, SYMBOLS, codes);
  for (let i = 0; i < SYMBOLS; i++) packed[i] = codes[i]! | (lengths[i]! << 16);
  stream.put(last ? 1 : 0, 1);
  stream.put(2, 2);
  header.write(stream);
  let at = from;
  for (let i = 0; i < runCount; i++) {
    const start = runs[2 * i]! * 4;
    stream.literals(bytes, words, at, start, packed);
    at = start + runs[2 * i + 1]! * 4;
    for (let left = at - start; left > 0; ) {
      const length = Math.min(left, MAX_RUN);
      const code = packed[MATCHES.symbol[length]!]!;
      stream.put(code & 0xffff, code >> 16);
      stream.put(MATCHES.extra[length]!, MATCHES.extraBits[length]!);
      stream.put(0, 1); // distance 1
      left -= length;
    }
  }
  stream.literals(bytes, words, at, to, packed);
  stream.put(packed[END_OF_BLOCK]! & 0xffff, packed[END_OF_BLOCK]! >> 16);
}

/** Counts literals and matches, and lists the runs: words of four bytes like the one before them. How many there are. */
function count(bytes: Uint8Array, words: Int32Array, from: number, to: number): number {
  counts.fill(0);
  let runCount = 0;
  const end = to >> 2;
  let i = from >> 2;
  // nothing stands before the first word of all
  if (from === 0 && end > 0) countWord(words[i++]!);
  let before = i > 0 ? words[i - 1]! >>> 24 : 0;
  while (i < end) {
    const word = words[i]!;
    if (word === Math.imul(before, 0x01010101)) {
      const start = i;
      while (i < end && words[i] === word) i++;
      runs[2 * runCount] = start;
      runs[2 * runCount + 1] = i - start;
      runCount += 1;
      for (let left = (i - start) * 4; left > 0; left -= MAX_RUN) {
        counts[MATCHES.symbol[Math.min(left, MAX_RUN)]!]! += 1;
      }
      continue;
    }
    before = word >>> 24;
    countWord(word);
    i += 1;
  }
  for (let at = end * 4; at < to; at++) counts[bytes[at]!]! += 1;
  return runCount;
}

function countWord(word: number): void {
  counts[word & 255]! += 1;
  counts[(word >>> 8) & 255]! += 1;
  counts[(word >>> 16) & 255]! += 1;
  counts[word >>> 24]! += 1;
}

/** Bits that matches take beyond their length codes: extra bits, and one for the distance. */
function distanceBits(runCount: number): number {
  let bits = 0;
  for (let i = 0; i < runCount; i++) {
    for (let left = runs[2 * i + 1]! * 4; left > 0; left -= MAX_RUN) {
      bits += MATCHES.extraBits[Math.min(left, MAX_RUN)]! + 1;
    }
  }
  return bits;
}

function writeStored(stream: BitStream, bytes: Uint8Array, from: number, to: number, last: boolean): void {
  stream.put(last ? 1 : 0, 1);
  stream.put(0, 2);
  stream.align();
  stream.put(to - from, 16);
  stream.put(~(to - from) & 0xffff, 16);
  stream.copy(bytes.subarray(from, to));
}

/** The code lengths of a block as they are sent (RFC 1951, section 3.2.7); runs of zeros are all that is shortened. */
class Header {
  readonly bits: number;
  readonly #symbols: number;
  readonly #tokens: number[] = [];
  readonly #lengths = new Uint8Array(19);
  readonly #codes = new Uint16Array(19);
  #sent = 19;

  constructor(lengths: Uint8Array, hasMatches: boolean) {
    let symbols = SYMBOLS;
    while (lengths[symbols - 1] === 0) symbols--;
    this.#symbols = Math.max(257, symbols);
    const all = [...lengths.subarray(0, this.#symbols), hasMatches ? 1 : 0];
    const used = new Uint32Array(19);
    for (let i = 0; i < all.length; ) {
      let zeros = 0;
      while (zeros < 138 && all[i + zeros] === 0) zeros++;
      const symbol = zeros >= 11 ? 18 : zeros >= 3 ? 17 : all[i]!;
      // the extra bits of a run of zeros lie above the symbol
      this.#tokens.push(symbol === 18 ? 18 | ((zeros - 11) << 5) : symbol === 17 ? 17 | ((zeros - 3) << 5) : symbol);
      used[symbol]! += 1;
      i += symbol >= 17 ? zeros : 1;
    }
    codeLengths(used, 19, 7, this.#lengths);
    canonicalCodes(this.#lengths, 19, this.#codes);
    while (this.#sent > 4 && this.#lengths[ORDER[this.#sent - 1]!] === 0) this.#sent--;
    let bits = 14 + 3 * this.#sent;
    for (let i = 0; i < 19; i++) bits += used[i]! * (this.#lengths[i]! + (i === 17 ? 3 : i === 18 ? 7 : 0));
    this.bits = bits;
  }

  write(stream: BitStream): void {
    stream.put(this.#symbols - 257, 5);
    stream.put(0, 5);
    stream.put(this.#sent - 4, 4);
    for (let i = 0; i < this.#sent; i++) stream.put(this.#lengths[ORDER[i]!]!, 3);
    for (const token of this.#tokens) {
      const symbol = token & 31;
      stream.put(this.#codes[symbol]!, this.#lengths[symbol]!);
      if (symbol >= 17) stream.put(token >> 5, symbol === 17 ? 3 : 7);
    }
  }
}

/** Bits from the lowest to the highest of each byte. */
class BitStream {
  /** Whole bytes written. */
  position = 0;
  readonly #view: DataView;
  readonly #out: Uint8Array;
  #held = 0;
  #count = 0;

  constructor(out: Uint8Array) {
    this.#out = out;
    this.#view = new DataView(out.buffer, out.byteOffset, out.byteLength);
  }

  /** At most 16 bits. */
  put(value: number, bits: number): void {
    const held = this.#held | (value << this.#count);
    const count = this.#count + bits;
    this.#view.setInt32(this.position, held, true);
    this.position += count >> 3;
    this.#held = held >>> (count & 24);
    this.#count = count & 7;
  }

  /** Fills the byte at hand with zeros. */
  align(): void {
    if (this.#count > 0) this.put(0, 8 - this.#count);
  }

  copy(bytes: Uint8Array): void {
    this.#out.set(bytes, this.position);
    this.position += bytes.length;
  }

  /** Codes of the bytes `from` to `to`, which start with a word. */
  literals(bytes: Uint8Array, words: Int32Array, from: number, to: number, codes: Int32Array): void {
    const view = this.#view;
    let position = this.position;
    let held = this.#held;
    let count = this.#count;
    const end = to >> 2;
    for (let i = from >> 2; i < end; i++) {
      const word = words[i]!;
      // two codes of 12 bits and seven that were left: 31 bits
      let code = codes[word & 255]!;
      held |= (code & 0xffff) << count;
      count += code >> 16;
      code = codes[(word >>> 8) & 255]!;
      held |= (code & 0xffff) << count;
      count += code >> 16;
      view.setInt32(position, held, true);
      position += count >> 3;
      held >>>= count & 24;
      count &= 7;
      code = codes[(word >>> 16) & 255]!;
      held |= (code & 0xffff) << count;
      count += code >> 16;
      code = codes[word >>> 24]!;
      held |= (code & 0xffff) << count;
      count += code >> 16;
      view.setInt32(position, held, true);
      position += count >> 3;
      held >>>= count & 24;
      count &= 7;
    }
    this.position = position;
    this.#held = held;
    this.#count = count;
    for (let i = Math.max(from, end * 4); i < to; i++) this.put(codes[bytes[i]!]! & 0xffff, codes[bytes[i]!]! >> 16);
  }
}

/** Bytes after which the sums are taken modulo 65521: they keep within 31 bits, which the engine adds as integers. */
const ADLER_STEP = 3800;

/** Checksum of RFC 1950, section 8.2. */
export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let i = 0; i < bytes.length; ) {
    const end = Math.min(bytes.length, i + ADLER_STEP);
    for (const stop = end - 7; i < stop; i += 8) {
      // b takes each of the eight values of a: eight times the old one, and the bytes eight to one times
      const b0 = bytes[i]!;
      const b1 = bytes[i + 1]!;
      const b2 = bytes[i + 2]!;
      const b3 = bytes[i + 3]!;
      const b4 = bytes[i + 4]!;
      const b5 = bytes[i + 5]!;
      const b6 = bytes[i + 6]!;
      const b7 = bytes[i + 7]!;
      b = (b + 8 * (a + b0) + 7 * b1 + 6 * b2 + 5 * b3 + 4 * b4 + 3 * b5 + 2 * b6 + b7) | 0;
      a = (a + b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7) | 0;
    }
    for (; i < end; i++) {
      a += bytes[i]!;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return ((b << 16) | a) >>> 0;
}
