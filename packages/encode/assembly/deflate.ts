/** Bytes of input that share one set of codes: whole words that a stored block still holds (RFC 1951, section 3.2.4). */
const SEGMENT: usize = 65_532;
/** Longest code: four of them and what is left of a byte fit into 64 bits. */
const MAX_BITS: u32 = 12;
const END_OF_BLOCK: u32 = 256;
const SYMBOLS: u32 = 286;
const DISTANCES: u32 = 30;
/** Longest match of whole words (RFC 1951 allows 258). */
const MAX_MATCH: u32 = 256;
/** The longest distance back to a match (RFC 1951, section 2). */
const WINDOW: usize = 32_768;

/** Four tables of counts, so that equal bytes that follow each other do not wait for one another. */
const COUNTS = memory.data(4 * 1152, 16);
const DISTANCE_COUNTS = memory.data(128, 16);
/** Of symbols, and behind those that are sent of distances. */
const LENGTHS = memory.data(320, 16);
const DISTANCE_LENGTHS = memory.data(32, 16);
const CODES = memory.data(1152, 16);
const DISTANCE_CODES = memory.data(128, 16);
/** Repeated bytes of the segment at hand: where they begin; their number, and above it the distance less one. */
const REPEATS = memory.data((65_532 / 4 + 2) * 8, 16);
/** Where words were seen last, each at its hash. */
const SEEN = memory.data(4 << 14, 16);
const SORTED = memory.data(1152, 16);
const SORTING = memory.data(1152, 16);
const PLACES = memory.data(1024, 16);
const WEIGHTS = memory.data(2304, 16);
const PARENTS = memory.data(1152, 16);
const LEVELS = memory.data(576, 16);
const PER_LENGTH = memory.data(72, 16);
const TOKENS = memory.data(640, 16);
const TOKEN_COUNTS = memory.data(80, 16);
const TOKEN_LENGTHS = memory.data(32, 16);
const TOKEN_CODES = memory.data(80, 16);
/** Order of the lengths of the code length codes (RFC 1951, section 3.2.7). */
const ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

/** The position where the stream is written, and the bits that do not fill a byte yet. */
let position: usize = 0;
let held: u64 = 0;
let count: u64 = 0;

/** At most 56 bits. */
function put(value: u64, bits: u64): void {
  held |= value << count;
  count += bits;
  store<u64>(position, held);
  position += <usize>(count >> 3);
  held >>= count & 56;
  count &= 7;
}

function align(): void {
  if (count > 0) put(0, 8 - count);
}

/** Extra bits of a match (RFC 1951, section 3.2.5). */
function extraBits(length: u32): u32 {
  return length < 11 ? 0 : 29 - clz(length - 3);
}

function matchSymbol(length: u32): u32 {
  const bits = extraBits(length);
  return 257 + (bits << 2) + ((length - 3) >> bits);
}

/** Extra bits of a distance less one (RFC 1951, section 3.2.5). */
function distanceBits(back: u32): u32 {
  return back < 4 ? 0 : 30 - clz(back);
}

function distanceSymbol(back: u32): u32 {
  const bits = distanceBits(back);
  return back < 4 ? back : (bits << 1) + (back >> bits);
}

function countByte(byte: usize): void {
  const at = COUNTS + (byte << 2);
  store<u32>(at, load<u32>(at) + 1);
}

function countWord(word: u32): void {
  const a = COUNTS + ((<usize>(word & 255)) << 2);
  const b = COUNTS + ((<usize>((word >>> 8) & 255)) << 2);
  const c = COUNTS + ((<usize>((word >>> 16) & 255)) << 2);
  const d = COUNTS + ((<usize>(word >>> 24)) << 2);
  store<u32>(a, load<u32>(a) + 1);
  store<u32>(b, load<u32>(b, 1152) + 1, 1152);
  store<u32>(c, load<u32>(c, 2304) + 1, 2304);
  store<u32>(d, load<u32>(d, 3456) + 1, 3456);
}

/** Lists bytes that repeat those `back + 1` before them, and counts the matches that they are written as. */
function repeat(list: usize, first: usize, bytes: usize, back: u32): void {
  store<u32>(list, <u32>first);
  store<u32>(list, <u32>bytes | (back << 16), 4);
  const at = DISTANCE_COUNTS + (distanceSymbol(back) << 2);
  for (let left = <u32>bytes; ; left -= MAX_MATCH) {
    countByte(matchSymbol(min(left, MAX_MATCH)));
    store<u32>(at, load<u32>(at) + 1);
    if (left <= MAX_MATCH) break;
  }
}

/** Counts literals and matches, and lists the matches: words of four bytes that stand in the window too. Where the list ends. */
function countWords(start: usize, from: usize, end: usize): usize {
  let list = REPEATS;
  let at = from;
  while (at < end) {
    const word = load<u32>(at);
    const slot = SEEN + ((<usize>((word * 0x9e3779b1) >>> 18)) << 2);
    const seen = <usize>load<u32>(slot);
    store<u32>(slot, <u32>at);
    if (seen < start || at - seen > WINDOW || load<u32>(seen) !== word) {
      countWord(word);
      at += 4;
      continue;
    }
    const back = at - seen;
    const first = at;
    do at += 4;
    while (at < end && load<u32>(at) === load<u32>(at - back));
    repeat(list, first, at - first, <u32>back - 1);
    list += 8;
  }
  return list;
}

/** Counts literals and matches, and lists the runs: words of four bytes like the one before them. Where the list ends. */
function countRuns(start: usize, from: usize, end: usize): usize {
  let list = REPEATS;
  let at = from;
  // nothing stands before the first byte of all
  let before: u32 = from === start ? 0 : load<u8>(from - 1);
  if (from === start && at < end) {
    for (let i: usize = 0; i < 4; i++) countByte(load<u8>(at + i));
    before = load<u8>(at, 3);
    at += 4;
  }
  while (at < end) {
    const word = load<u32>(at);
    if (word === before * 0x01010101) {
      const first = at;
      do at += 4;
      while (at < end && load<u32>(at) === word);
      repeat(list, first, at - first, 0);
      list += 8;
      continue;
    }
    before = word >>> 24;
    countWord(word);
    at += 4;
  }
  return list;
}

/** Counts literals and matches, and lists what repeats. Where the list ends. */
function countSegment(start: usize, from: usize, to: usize, words: bool): usize {
  memory.fill(COUNTS, 0, 4 * 1152);
  memory.fill(DISTANCE_COUNTS, 0, 128);
  const end = to & ~3;
  const list = words ? countWords(start, from, end) : countRuns(start, from, end);
  for (let at = end; at < to; at++) countByte(load<u8>(at));
  for (let i: usize = 0; i < 1024; i += 16) {
    const two = i32x4.add(v128.load(COUNTS + i), v128.load(COUNTS + i, 1152));
    const four = i32x4.add(v128.load(COUNTS + i, 2304), v128.load(COUNTS + i, 3456));
    v128.store(COUNTS + i, i32x4.add(two, four));
  }
  return list;
}

/** Stable sort of `n` numbers, their counts above bit 9, by eight bits of the count. */
function sortBy(shift: u32, source: usize, target: usize, n: u32): void {
  memory.fill(PLACES, 0, 1024);
  for (let i: u32 = 0; i < n; i++) {
    const at = PLACES + ((<usize>((load<u32>(source + (i << 2)) >> shift) & 255)) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  let sum: u32 = 0;
  for (let i: usize = 0; i < 1024; i += 4) {
    const here = load<u32>(PLACES + i);
    store<u32>(PLACES + i, sum);
    sum += here;
  }
  for (let i: u32 = 0; i < n; i++) {
    const value = load<u32>(source + (i << 2));
    const at = PLACES + ((<usize>((value >> shift) & 255)) << 2);
    const index = load<u32>(at);
    store<u32>(at, index + 1);
    store<u32>(target + (index << 2), value);
  }
}

/**
 * Lengths of the Huffman codes for symbols that occur `counts[i]` times (0: the symbol gets no code), none above
 * `limit` bits. Two-queue construction over the sorted counts; codes that come out too long are shortened, and as many
 * others lengthened as the Kraft sum asks for, the rarest first. A single symbol gets one bit. Counts below 2¹⁶.
 */
export function codeLengths(counts: usize, symbols: u32, limit: u32, lengths: usize): void {
  memory.fill(lengths, 0, symbols);
  let used: u32 = 0;
  for (let i: u32 = 0; i < symbols; i++) {
    const n = load<u32>(counts + (i << 2));
    if (n !== 0) store<u32>(SORTED + (used++ << 2), (n << 9) | i);
  }
  if (used === 0) return;
  if (used === 1) {
    store<u8>(lengths + (load<u32>(SORTED) & 511), 1);
    return;
  }
  sortBy(9, SORTED, SORTING, used);
  sortBy(17, SORTING, SORTED, used);
  for (let i: u32 = 0; i < used; i++) store<u32>(WEIGHTS + (i << 2), load<u32>(SORTED + (i << 2)) >>> 9);
  const nodes: u32 = 2 * used - 1;
  let leaf: u32 = 0;
  let inner = used;
  for (let node: u32 = used; node < nodes; node++) {
    let weight: u32 = 0;
    for (let child = 0; child < 2; child++) {
      // leaves first among equals: shallower trees
      const takesLeaf =
        leaf < used && (inner >= node || load<u32>(WEIGHTS + (leaf << 2)) <= load<u32>(WEIGHTS + (inner << 2)));
      const taken = takesLeaf ? leaf++ : inner++;
      weight += load<u32>(WEIGHTS + (taken << 2));
      store<u16>(PARENTS + (taken << 1), <u16>node);
    }
    store<u32>(WEIGHTS + (node << 2), weight);
  }
  memory.fill(PER_LENGTH, 0, 72);
  store<u8>(LEVELS + nodes - 1, 0);
  for (let node = <i32>nodes - 2; node >= 0; node--) {
    const level = <u32>load<u8>(LEVELS + load<u16>(PARENTS + (node << 1))) + 1;
    store<u8>(LEVELS + node, <u8>level);
    if (<u32>node < used) {
      const at = PER_LENGTH + (min(level, limit) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
  }
  // Kraft: the sum of 2^-length must be 1; codes cut to the limit have made it larger
  let sum: i32 = 0;
  for (let bits: u32 = 1; bits <= limit; bits++) sum += load<u32>(PER_LENGTH + (bits << 2)) << (limit - bits);
  for (let over = sum - (1 << limit); over > 0; over--) {
    let bits = limit - 1;
    while (load<u32>(PER_LENGTH + (bits << 2)) === 0) bits--;
    // one code a bit longer, and one of the limit's beside it: the sum falls by one step
    const at = PER_LENGTH + (bits << 2);
    store<u32>(at, load<u32>(at) - 1);
    store<u32>(at, load<u32>(at, 4) + 2, 4);
    const last = PER_LENGTH + (limit << 2);
    store<u32>(last, load<u32>(last) - 1);
  }
  // the rarest symbols take the longest codes
  let next: u32 = 0;
  for (let bits = limit; bits > 0; bits--) {
    for (let left = load<u32>(PER_LENGTH + (bits << 2)); left > 0; left--) {
      store<u8>(lengths + (load<u32>(SORTED + (next++ << 2)) & 511), <u8>bits);
    }
  }
}

/** Canonical codes for lengths (RFC 1951, section 3.2.2), their bits reversed, each with its length above bit 16. */
export function canonicalCodes(lengths: usize, symbols: u32, codes: usize): void {
  memory.fill(PER_LENGTH, 0, 72);
  for (let i: u32 = 0; i < symbols; i++) {
    const at = PER_LENGTH + ((<usize>load<u8>(lengths + i)) << 2);
    if (at !== PER_LENGTH) store<u32>(at, load<u32>(at, 4) + 1, 4);
  }
  for (let bits: usize = 4; bits < 68; bits += 4) {
    store<u32>(PER_LENGTH + bits, (load<u32>(PER_LENGTH + bits) + load<u32>(PER_LENGTH + bits - 4)) << 1);
  }
  for (let i: u32 = 0; i < symbols; i++) {
    const bits = <u32>load<u8>(lengths + i);
    let packed: u32 = 0;
    if (bits !== 0) {
      const at = PER_LENGTH + (bits << 2);
      let code = load<u32>(at);
      store<u32>(at, code + 1);
      let reversed: u32 = 0;
      for (let k: u32 = 0; k < bits; k++, code >>= 1) reversed = (reversed << 1) | (code & 1);
      packed = reversed | (bits << 16);
    }
    store<u32>(codes + (i << 2), packed);
  }
}

/** Literals of whole words from `at` to `end`, and between them the matches of the list. */
function writeWords(at: usize, end: usize, list: usize): void {
  let to = position;
  let bits = held;
  let n = count;
  for (let next = REPEATS; ; next += 8) {
    const stop = next < list ? <usize>load<u32>(next) : end;
    for (; at < stop; at += 4) {
      const word = load<u32>(at);
      let code = load<u32>(CODES + ((<usize>(word & 255)) << 2));
      bits |= (<u64>(code & 0xffff)) << n;
      n += code >>> 16;
      code = load<u32>(CODES + ((<usize>((word >>> 8) & 255)) << 2));
      bits |= (<u64>(code & 0xffff)) << n;
      n += code >>> 16;
      code = load<u32>(CODES + ((<usize>((word >>> 16) & 255)) << 2));
      bits |= (<u64>(code & 0xffff)) << n;
      n += code >>> 16;
      code = load<u32>(CODES + ((<usize>(word >>> 24)) << 2));
      bits |= (<u64>(code & 0xffff)) << n;
      n += code >>> 16;
      store<u64>(to, bits);
      to += <usize>(n >> 3);
      bits >>= n & 56;
      n &= 7;
    }
    if (next >= list) break;
    let left = load<u32>(next, 4) & 0xffff;
    const back = load<u32>(next, 4) >>> 16;
    at += left;
    const backBits = distanceBits(back);
    let code = load<u32>(DISTANCE_CODES + (distanceSymbol(back) << 2));
    const distance = <u64>((code & 0xffff) | ((back & ((1 << backBits) - 1)) << (code >>> 16)));
    const distanceLength = (code >>> 16) + backBits;
    while (left > 0) {
      const length = min(left, MAX_MATCH);
      const extra = extraBits(length);
      code = load<u32>(CODES + (matchSymbol(length) << 2));
      bits |= (<u64>((code & 0xffff) | (((length - 3) & ((1 << extra) - 1)) << (code >>> 16)))) << n;
      n += (code >>> 16) + extra;
      bits |= distance << n;
      n += distanceLength;
      store<u64>(to, bits);
      to += <usize>(n >> 3);
      bits >>= n & 56;
      n &= 7;
      left -= length;
    }
  }
  position = to;
  held = bits;
  count = n;
}

function writeSegment(start: usize, from: usize, to: usize, words: bool, last: bool): void {
  const list = countSegment(start, from, to, words);
  store<u32>(COUNTS, 1, END_OF_BLOCK << 2);
  codeLengths(COUNTS, SYMBOLS, MAX_BITS, LENGTHS);
  codeLengths(DISTANCE_COUNTS, DISTANCES, MAX_BITS, DISTANCE_LENGTHS);
  let bits: u64 = 0;
  for (let i: u32 = 0; i < SYMBOLS; i++) {
    bits +=
      <u64>load<u32>(COUNTS + (i << 2)) * (<u64>load<u8>(LENGTHS + i) + (i < 265 || i > 284 ? 0 : (i - 261) >> 2));
  }
  for (let i: u32 = 0; i < DISTANCES; i++) {
    bits += load<u32>(DISTANCE_COUNTS + (i << 2)) * (<u32>load<u8>(DISTANCE_LENGTHS + i) + (i < 4 ? 0 : (i - 2) >> 1));
  }
  // the code lengths as they are sent (RFC 1951, section 3.2.7); runs of zeros are all that is shortened
  let symbols = SYMBOLS;
  while (load<u8>(LENGTHS + symbols - 1) === 0) symbols--;
  symbols = max(symbols, 257);
  let distances = DISTANCES;
  while (distances > 1 && load<u8>(DISTANCE_LENGTHS + distances - 1) === 0) distances--;
  memory.copy(LENGTHS + symbols, DISTANCE_LENGTHS, distances);
  const all = symbols + distances;
  memory.fill(TOKEN_COUNTS, 0, 80);
  let tokens = TOKENS;
  for (let i: u32 = 0; i < all; tokens += 2) {
    let zeros: u32 = 0;
    while (zeros < 138 && i + zeros < all && load<u8>(LENGTHS + i + zeros) === 0) zeros++;
    const symbol: u32 = zeros >= 11 ? 18 : zeros >= 3 ? 17 : load<u8>(LENGTHS + i);
    // the extra bits of a run of zeros are above the symbol
    store<u16>(
      tokens,
      <u16>(symbol === 18 ? 18 | ((zeros - 11) << 5) : symbol === 17 ? 17 | ((zeros - 3) << 5) : symbol),
    );
    const at = TOKEN_COUNTS + (symbol << 2);
    store<u32>(at, load<u32>(at) + 1);
    i += symbol >= 17 ? zeros : 1;
  }
  codeLengths(TOKEN_COUNTS, 19, 7, TOKEN_LENGTHS);
  canonicalCodes(TOKEN_LENGTHS, 19, TOKEN_CODES);
  let sent: u32 = 19;
  while (sent > 4 && load<u8>(TOKEN_LENGTHS + load<u8>(ORDER + sent - 1)) === 0) sent--;
  bits += 14 + 3 * sent;
  for (let i: u32 = 0; i < 19; i++) {
    bits += load<u32>(TOKEN_COUNTS + (i << 2)) * (<u32>load<u8>(TOKEN_LENGTHS + i) + (i === 17 ? 3 : i === 18 ? 7 : 0));
  }
  if (bits + 8 >= (to - from + 5) * 8) {
    put(last ? 1 : 0, 3);
    align();
    put((to - from) | ((~(to - from) & 0xffff) << 16), 32);
    memory.copy(position, from, to - from);
    position += to - from;
    return;
  }
  canonicalCodes(LENGTHS, symbols, CODES);
  canonicalCodes(DISTANCE_LENGTHS, DISTANCES, DISTANCE_CODES);
  put((last ? 1 : 0) | (2 << 1) | ((symbols - 257) << 3) | ((distances - 1) << 8) | ((sent - 4) << 13), 17);
  for (let i: u32 = 0; i < sent; i++) put(load<u8>(TOKEN_LENGTHS + load<u8>(ORDER + i)), 3);
  for (let at = TOKENS; at < tokens; at += 2) {
    const token = <u32>load<u16>(at);
    const code = load<u32>(TOKEN_CODES + ((<usize>(token & 31)) << 2));
    put(code & 0xffff, code >>> 16);
    if ((token & 31) >= 17) put(token >> 5, (token & 31) === 17 ? 3 : 7);
  }
  const end = to & ~3;
  writeWords(from, end, list);
  for (let at = end; at < to; at++) {
    const code = load<u32>(CODES + ((<usize>load<u8>(at)) << 2));
    put(code & 0xffff, code >>> 16);
  }
  const code = load<u32>(CODES, END_OF_BLOCK << 2);
  put(code & 0xffff, code >>> 16);
}

/** Checksum of RFC 1950, section 8.2; 16 bytes at a time, whose weights in the second sum are 16 to 1. */
export function adler32(at: usize, size: usize): u32 {
  const end = at + size;
  let a: u32 = 1;
  let b: u32 = 0;
  const low = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const high = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (at + 16 <= end) {
    // as many as the sums hold without a carry (zlib's NMAX)
    const stop = min(at + 5552, at + ((end - at) & ~15));
    b += a * <u32>(stop - at);
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    for (; at < stop; at += 16) {
      const bytes = v128.load(at);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), low));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), high));
    }
    a += sumOf(sums);
    b += (sumOf(before) << 4) + sumOf(weighted);
    a %= 65521;
    b %= 65521;
  }
  for (; at < end; at++) {
    a += load<u8>(at);
    b += a;
  }
  return ((b % 65521) << 16) | (a % 65521);
}

function sumOf(v: v128): u32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

/**
 * Writes a zlib stream of `size` bytes at `from` to `to`; gives its length, at most `size + 16 × segments + 16`. The stream may
 * overwrite what it is made of, where it begins before it by a segment, and 16 bytes for each segment there is.
 */
export function compress(from: usize, size: usize, to: usize, words: bool): usize {
  if (words) memory.fill(SEEN, 0, 4 << 14);
  const checksum = adler32(from, size);
  position = to;
  held = 0;
  count = 0;
  put(0x0178, 16);
  const end = from + size;
  let at = from;
  do {
    const stop = min(end, at + SEGMENT);
    writeSegment(from, at, stop, words, stop === end);
    at = stop;
  } while (at < end);
  align();
  put(bswap(checksum), 32);
  return position - to;
}
