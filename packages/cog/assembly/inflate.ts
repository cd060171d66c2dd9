/** Bits that the first table of literals and lengths looks at; that of distances. */
const LITERAL_BITS: u32 = 11;
const DISTANCE_BITS: u32 = 8;

/**
 * All that is needed to go on with a stream, besides the 32 kB before: bits that are read and not used, how many, where in
 * the stream it stands (below), bytes left of a stored block, whether the block is the last, bytes read of the stream, bytes
 * written beyond those asked for; then the tables of the block at hand.
 */
const STATE: usize = memory.data(32 + (2400 << 2) + (512 << 2), 16);
const LITERALS: usize = STATE + 32;
const DISTANCES: usize = STATE + 32 + (2400 << 2);
/** The reader's states in the stream. */
const BEFORE_BLOCK: u32 = 0;
const IN_CODES: u32 = 1;
const IN_STORED: u32 = 2;
/** The longest distance back to a match (RFC 1951, section 2). */
const WINDOW: usize = 32_768;

const PRECODE: usize = memory.data(128 << 2, 16);
const LENGTHS: usize = memory.data(336, 16);
const SORTED: usize = memory.data(320 << 1, 16);
const COUNTS: usize = memory.data(16 << 2, 16);
const STARTS: usize = memory.data(17 << 2, 16);

/** RFC 1951 section 3.2.5: base and extra bits of the length codes 257 to 285. */
const LENGTH_BASES = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const LENGTH_EXTRA = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);
/** Section 3.2.7. */
const PRECODE_ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

const LITERAL_KIND: u32 = 0;
const DISTANCE_KIND: u32 = 1;
const PRECODE_KIND: u32 = 2;

/*
 * Entries of tables, from the lowest bit: 6 bits, how many bits the code has, so that an entry shifts by as many
 * without being masked; then, for literals, 2 bits how many they are (1 to 3) and the bytes from bit 8 on. For others
 * these 2 bits are 0. The entry of a length or distance holds its extra bits from bit 8 on, a kind at bit 12, its base
 * from bit 16 on. The entry of a table for longer codes holds its bits, the kind, and its start.
 */
// five bits hold it; were it all six, the engine would mask what it shifts by too, on the way to the next look
const LENGTH: u32 = 31;
const COUNT: u32 = 3 << 6;
const ONE: u32 = 1 << 6;
const IS_VALUE: u32 = 1 << 12;
const IS_SUBTABLE: u32 = 2 << 12;
const IS_END: u32 = 3 << 12;
const KIND: u32 = 3 << 12;

/** Returns the entry of a symbol in a table, without the bits of its code. */
function entryOf(kind: u32, symbol: u32): u32 {
  if (kind === PRECODE_KIND) return IS_VALUE | (symbol << 16);
  if (kind === DISTANCE_KIND) {
    if (symbol > 29) return 0;
    const extra: u32 = symbol < 4 ? 0 : (symbol >> 1) - 1;
    const base: u32 = symbol < 4 ? symbol + 1 : ((2 + (symbol & 1)) << extra) + 1;
    return IS_VALUE | (extra << 8) | (base << 16);
  }
  if (symbol < 256) return ONE | (symbol << 8);
  if (symbol === 256) return IS_END;
  if (symbol > 285) return 0;
  const base: u32 = load<u16>(LENGTH_BASES + ((symbol - 257) << 1));
  const extra: u32 = load<u8>(LENGTH_EXTRA + (symbol - 257));
  return IS_VALUE | (extra << 8) | (base << 16);
}

/** Builds a table of `1 << tableBits` entries and what follows of longer codes; false where the lengths are no code. */
function build(kind: u32, table: usize, tableBits: u32, lengths: usize, symbols: u32): bool {
  memory.fill(COUNTS, 0, 16 << 2);
  for (let i: u32 = 0; i < symbols; i++) {
    const at = COUNTS + ((<usize>load<u8>(lengths + i)) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  store<u32>(COUNTS, 0);
  let space: i32 = 1 << 15;
  let longest: u32 = 0;
  let start: u32 = 0;
  for (let length: u32 = 1; length <= 15; length++) {
    const n = load<u32>(COUNTS + (length << 2));
    store<u32>(STARTS + (length << 2), start);
    start += n;
    space -= n << (15 - length);
    if (n !== 0) longest = length;
  }
  if (space < 0) return false;
  if (space > 0 && (longest > 1 || kind === PRECODE_KIND)) return false;
  for (let i: u32 = 0; i < symbols; i++) {
    const length = <u32>load<u8>(lengths + i);
    if (length === 0) continue;
    const at = STARTS + (length << 2);
    const place = load<u32>(at);
    store<u32>(at, place + 1);
    store<u16>(SORTED + (place << 1), <u16>i);
  }
  // an incomplete code leaves entries that no code reaches
  if (space > 0) memory.fill(table, 0, 4 << tableBits);
  let sorted: usize = SORTED;
  let code: u32 = 0;
  for (let length: u32 = 1; length <= tableBits; length++) {
    for (let n = load<u32>(COUNTS + (length << 2)); n !== 0; n--, sorted += 2) {
      store<u32>(table + (code << 2), entryOf(kind, load<u16>(sorted)) | length);
      code = nextCode(code, length);
    }
    // one bit more is looked at, and does not matter to what is there
    if (length < tableBits) memory.copy(table + (4 << length), table, 4 << length);
  }
  // longer codes: tables of their own for what they have in common
  const mask: u32 = (1 << tableBits) - 1;
  let end: u32 = 1 << tableBits;
  let prefix: u32 = 0xffffffff;
  let first: u32 = 0;
  for (let length = tableBits + 1; length <= longest; length++) {
    for (let n = load<u32>(COUNTS + (length << 2)); n !== 0; n--, sorted += 2) {
      if ((code & mask) !== prefix) {
        prefix = code & mask;
        first = end;
        let bits = length - tableBits;
        let used: u32 = n;
        while (used < (<u32>1) << bits) {
          bits++;
          used = (used << 1) + load<u32>(COUNTS + ((tableBits + bits) << 2));
        }
        end = first + (1 << bits);
        store<u32>(table + (prefix << 2), IS_SUBTABLE | tableBits | (bits << 8) | (first << 16));
      }
      const entry = entryOf(kind, load<u16>(sorted)) | (length - tableBits);
      const step: u32 = 1 << (length - tableBits);
      for (let at = first + (code >> tableBits); at < end; at += step) store<u32>(table + (at << 2), entry);
      code = nextCode(code, length);
    }
  }
  return true;
}

/** The code after this one of `length` bits, both with their bits reversed; 0 after the last. */
function nextCode(code: u32, length: u32): u32 {
  const zeros = code ^ ((1 << length) - 1);
  if (zeros === 0) return 0;
  const bit: u32 = 1 << (31 - clz(zeros));
  return (code & (bit - 1)) | bit;
}

/** Puts up to three literals into an entry where their codes fit. From the last on: what an entry looks up lies before it. */
function combine(): void {
  for (let i: i32 = (1 << LITERAL_BITS) - 1; i >= 0; i--) {
    const at = LITERALS + ((<usize>i) << 2);
    const first = load<u32>(at);
    if ((first & COUNT) === 0) continue;
    const l1 = first & LENGTH;
    const second = load<u32>(LITERALS + ((<usize>i >> l1) << 2));
    const l2 = l1 + (second & LENGTH);
    if ((second & COUNT) === 0 || l2 > LITERAL_BITS) continue;
    const third = load<u32>(LITERALS + ((<usize>i >> l2) << 2));
    const l3 = l2 + (third & LENGTH);
    const two = (first & 0xff00) | ((second & 0xff00) << 8);
    if ((third & COUNT) === 0 || l3 > LITERAL_BITS) store<u32>(at, l2 | (2 * ONE) | two);
    else store<u32>(at, l3 | (3 * ONE) | two | ((third & 0xff00) << 16));
  }
}

/** Bits beyond the end of the input were used: it is too short. */
function isOverrun(at: usize, inEnd: usize, held: u32): bool {
  return at > inEnd && <u32>((at - inEnd) << 3) > held;
}

/**
 * Reads the code lengths of a block with its own codes (RFC 1951, section 3.2.7) and builds its tables. Works on, and leaves,
 * the bits in `STATE`; gives the address after what was read, 0 where the block is damaged, 1 where the input ends.
 */
function readCodes(from: usize, inEnd: usize): usize {
  let at = from;
  let bits = load<u64>(STATE);
  let held = load<u32>(STATE, 8);
  bits |= load<u64>(at) << held;
  at += (63 - held) >> 3;
  held |= 56;
  const literals = (<u32>bits & 31) + 257;
  const distances = (<u32>(bits >> 5) & 31) + 1;
  const codes = (<u32>(bits >> 10) & 15) + 4;
  bits >>= 14;
  held -= 14;
  if (literals > 286 || distances > 30) return isOverrun(at, inEnd, held) ? 1 : 0;
  memory.fill(LENGTHS, 0, 19);
  for (let i: u32 = 0; i < codes; i++) {
    if (held < 3) {
      bits |= load<u64>(at) << held;
      at += (63 - held) >> 3;
      held |= 56;
    }
    store<u8>(LENGTHS + load<u8>(PRECODE_ORDER + i), <u8>bits & 7);
    bits >>= 3;
    held -= 3;
  }
  if (isOverrun(at, inEnd, held)) return 1;
  if (!build(PRECODE_KIND, PRECODE, 7, LENGTHS, 19)) return 0;
  for (let i: u32 = 0; i < literals + distances; ) {
    bits |= load<u64>(at) << held;
    at += (63 - held) >> 3;
    held |= 56;
    const entry = load<u32>(PRECODE + ((<usize>bits & 127) << 2));
    bits >>= entry;
    held -= entry & LENGTH;
    const symbol = entry >> 16;
    if (isOverrun(at, inEnd, held)) return 1;
    if (symbol < 16) {
      store<u8>(LENGTHS + i, <u8>symbol);
      i++;
      continue;
    }
    let value: u8 = 0;
    let n: u32;
    if (symbol === 16) {
      if (i === 0) return 0;
      value = load<u8>(LENGTHS + i - 1);
      n = 3 + (<u32>bits & 3);
      bits >>= 2;
      held -= 2;
    } else if (symbol === 17) {
      n = 3 + (<u32>bits & 7);
      bits >>= 3;
      held -= 3;
    } else {
      n = 11 + (<u32>bits & 127);
      bits >>= 7;
      held -= 7;
    }
    if (i + n > literals + distances) return 0;
    memory.fill(LENGTHS + i, value, n);
    i += n;
  }
  if (isOverrun(at, inEnd, held)) return 1;
  if (load<u8>(LENGTHS, 256) === 0) return 0;
  store<u64>(STATE, bits);
  store<u32>(STATE, held, 8);
  return buildBoth(literals, distances) ? at : 0;
}

/** The codes of RFC 1951, section 3.2.6. */
function fixedCodes(): void {
  memory.fill(LENGTHS, 8, 144);
  memory.fill(LENGTHS + 144, 9, 112);
  memory.fill(LENGTHS + 256, 7, 24);
  memory.fill(LENGTHS + 280, 8, 8);
  memory.fill(LENGTHS + 288, 5, 32);
  buildBoth(288, 32);
}

function buildBoth(literals: u32, distances: u32): bool {
  if (!build(DISTANCE_KIND, DISTANCES, DISTANCE_BITS, LENGTHS + literals, distances)) return false;
  if (!build(LITERAL_KIND, LITERALS, LITERAL_BITS, LENGTHS, literals)) return false;
  combine();
  return true;
}

/**
 * Inflates a zlib stream of `size` bytes at `from` (64 bytes of zeros after it) to `length` bytes at `to` (512 bytes of room
 * after them). Gives the number of bytes, fewer where the stream ends before; -1: damaged.
 *
 * With `resumed` it goes on from what is in `STATE`: `from` holds the stream from the byte it had come to, and the 32 kB
 * before `to + ahead()` what came out before.
 */
export function inflate(from: usize, size: u32, to: usize, length: u32, resumed: bool): i32 {
  const inEnd = from + size;
  const outEnd = to + length;
  let at = from;
  let out = to;
  let outStart = to;
  let bits: u64 = 0;
  let held: u32 = 0;
  let place: u32 = BEFORE_BLOCK;
  let left: usize = 0;
  let last = false;
  if (resumed) {
    bits = load<u64>(STATE);
    held = load<u32>(STATE, 8);
    place = load<u32>(STATE, 12);
    left = load<u32>(STATE, 16);
    last = load<u32>(STATE, 20) !== 0;
    out += load<u32>(STATE, 28);
    outStart = out - WINDOW;
  } else {
    if (size < 2) return 0;
    const method = <u32>load<u8>(at);
    const flags = <u32>load<u8>(at, 1);
    if (((method << 8) | flags) % 31 !== 0 || (method & 15) !== 8 || (flags & 32) !== 0) return -1;
    at += 2;
  }
  const literalMask: u32 = (1 << LITERAL_BITS) - 1;
  const distanceMask: u32 = (1 << DISTANCE_BITS) - 1;

  while (out < outEnd) {
    if (place === BEFORE_BLOCK) {
      if (last) break;
      bits |= load<u64>(at) << held;
      at += (63 - held) >> 3;
      held |= 56;
      last = (bits & 1) !== 0;
      const type = <u32>(bits >> 1) & 3;
      bits >>= 3;
      held -= 3;
      if (isOverrun(at, inEnd, held)) break;
      if (type === 0) {
        at -= held >> 3;
        bits = 0;
        held = 0;
        if (at + 4 > inEnd) break;
        left = load<u16>(at);
        if ((left ^ 0xffff) !== <usize>load<u16>(at, 2)) return -1;
        at += 4;
        place = IN_STORED;
      } else if (type === 1) {
        fixedCodes();
        place = IN_CODES;
      } else if (type === 2) {
        store<u64>(STATE, bits);
        store<u32>(STATE, held, 8);
        at = readCodes(at, inEnd);
        if (at <= 1) {
          if (at === 0) return -1;
          break;
        }
        bits = load<u64>(STATE);
        held = load<u32>(STATE, 8);
        place = IN_CODES;
      } else return -1;
    }
    if (place === IN_STORED) {
      const count = min(left, min(inEnd - at, outEnd - out));
      memory.copy(out, at, count);
      out += count;
      at += count;
      left -= count;
      if (left === 0) place = BEFORE_BLOCK;
      else if (at >= inEnd) break;
      continue;
    }
    // blocks of codes
    for (;;) {
      bits |= load<u64>(at) << held;
      at += (63 - held) >> 3;
      held |= 56;
      let entry = load<u32>(LITERALS + ((<u32>bits & literalMask) << 2));
      if (at <= inEnd) {
        // 56 bits are there: enough for four looks at literals, up to three in each
        if ((entry & COUNT) !== 0) {
          bits >>= entry;
          held -= entry & LENGTH;
          store<u32>(out, entry >> 8);
          out += (entry >> 6) & 3;
          entry = load<u32>(LITERALS + ((<u32>bits & literalMask) << 2));
          if ((entry & COUNT) !== 0) {
            bits >>= entry;
            held -= entry & LENGTH;
            store<u32>(out, entry >> 8);
            out += (entry >> 6) & 3;
            entry = load<u32>(LITERALS + ((<u32>bits & literalMask) << 2));
            if ((entry & COUNT) !== 0) {
              bits >>= entry;
              held -= entry & LENGTH;
              store<u32>(out, entry >> 8);
              out += (entry >> 6) & 3;
              entry = load<u32>(LITERALS + ((<u32>bits & literalMask) << 2));
              if ((entry & COUNT) !== 0) {
                bits >>= entry;
                held -= entry & LENGTH;
                store<u32>(out, entry >> 8);
                out += (entry >> 6) & 3;
                if (out >= outEnd) break;
                continue;
              }
            }
          }
          bits |= load<u64>(at) << held;
          at += (63 - held) >> 3;
          held |= 56;
        }
      } else if ((entry & COUNT) !== 0) {
        bits >>= entry;
        held -= entry & LENGTH;
        if (isOverrun(at, inEnd, held)) break;
        store<u32>(out, entry >> 8);
        out += (entry >> 6) & 3;
        if (out >= outEnd) break;
        continue;
      }
      if ((entry & KIND) === IS_SUBTABLE) {
        bits >>= LITERAL_BITS;
        held -= LITERAL_BITS;
        const index = (entry >> 16) + (<u32>bits & ((1 << ((entry >> 8) & 15)) - 1));
        entry = load<u32>(LITERALS + ((<usize>index) << 2));
      }
      bits >>= entry;
      held -= entry & LENGTH;
      if ((entry & COUNT) !== 0) {
        if (isOverrun(at, inEnd, held)) break;
        store<u8>(out, <u8>(entry >> 8));
        out++;
        if (out >= outEnd) break;
        continue;
      }
      if ((entry & KIND) !== IS_VALUE) {
        if (isOverrun(at, inEnd, held)) break;
        if ((entry & KIND) !== IS_END) return -1;
        place = BEFORE_BLOCK;
        break;
      }
      const extra = (entry >> 8) & 15;
      const count = (entry >> 16) + (<u32>bits & ((1 << extra) - 1));
      bits >>= extra;
      held -= extra;
      entry = load<u32>(DISTANCES + ((<u32>bits & distanceMask) << 2));
      if ((entry & KIND) === IS_SUBTABLE) {
        bits >>= DISTANCE_BITS;
        held -= DISTANCE_BITS;
        const index = (entry >> 16) + (<u32>bits & ((1 << ((entry >> 8) & 15)) - 1));
        entry = load<u32>(DISTANCES + ((<usize>index) << 2));
      }
      bits >>= entry;
      held -= entry & LENGTH;
      const more = (entry >> 8) & 15;
      const distance: usize = (entry >> 16) + (<u32>bits & ((1 << more) - 1));
      bits >>= more;
      held -= more;
      if (isOverrun(at, inEnd, held)) break;
      if ((entry & KIND) !== IS_VALUE || distance > out - outStart) return -1;
      let source = out - distance;
      let target = out;
      out += count;
      if (distance >= 8) {
        do {
          store<u64>(target, load<u64>(source));
          target += 8;
          source += 8;
        } while (target < out);
      } else if (distance === 1) {
        const four = <u64>(<u32>load<u8>(source) * 0x01010101);
        const splat = four | (four << 32);
        do {
          store<u64>(target, splat);
          target += 8;
        } while (target < out);
      } else {
        // each step repeats what the one before has written
        do {
          store<u64>(target, load<u64>(source));
          target += distance;
          source += distance;
        } while (target < out);
      }
      if (out >= outEnd) break;
    }
    if (isOverrun(at, inEnd, held)) break;
  }
  store<u64>(STATE, bits);
  store<u32>(STATE, held, 8);
  store<u32>(STATE, place, 12);
  store<u32>(STATE, <u32>left, 16);
  store<u32>(STATE, last ? 1 : 0, 20);
  store<u32>(STATE, <u32>(at - from), 24);
  store<u32>(STATE, out > outEnd ? <u32>(out - outEnd) : 0, 28);
  return <i32>(min(out, outEnd) - to);
}

/** Bytes of the stream that are read. */
export function consumed(): usize {
  return load<u32>(STATE, 24);
}

/** Bytes that are already out beyond those asked for. */
export function ahead(): usize {
  return load<u32>(STATE, 28);
}
