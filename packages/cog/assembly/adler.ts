/** Sums are taken modulo the largest prime below 2^16 (RFC 1950, section 8.2). */
const MODULUS: u32 = 65_521;
/** Bytes of a group: after 15 vectors the sums of sums are at most 14 × 15 / 2 × 2 × 255 = 53,550, and 16 bits hold them. */
const GROUP: usize = 240;
/** Groups after which a sum of 32 bits could overflow: zlib's 5552 bytes, down to whole groups. */
const LONGEST: usize = 23 * GROUP;

/** Adler-32 (RFC 1950, section 8.2) of `length` bytes that follow those whose sum is `before`; 1 where there are none. */
export function adler32(before: u32, from: usize, length: usize): u32 {
  let a: u32 = before & 0xffff;
  let b: u32 = before >>> 16;
  const end = from + length;
  while (end - from >= GROUP) {
    const stop = from + min(((end - from) / GROUP) * GROUP, LONGEST);
    // the second sum has each byte once for itself and once for each byte after it
    b += a * <u32>(stop - from);
    let sums = i32x4.splat(0);
    let earlier = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    while (from < stop) {
      // of a vector: its eight pairs of bytes, and the second byte of each
      let pairs = i16x8.splat(0);
      let earlierPairs = i16x8.splat(0);
      let seconds = i16x8.splat(0);
      for (const last = from + GROUP; from < last; from += 48) {
        let v = v128.load(from);
        earlierPairs = i16x8.add(earlierPairs, pairs);
        pairs = i16x8.add(pairs, i16x8.extadd_pairwise_i8x16_u(v));
        seconds = i16x8.add(seconds, i16x8.shr_u(v, 8));
        v = v128.load(from, 16);
        earlierPairs = i16x8.add(earlierPairs, pairs);
        pairs = i16x8.add(pairs, i16x8.extadd_pairwise_i8x16_u(v));
        seconds = i16x8.add(seconds, i16x8.shr_u(v, 8));
        v = v128.load(from, 32);
        earlierPairs = i16x8.add(earlierPairs, pairs);
        pairs = i16x8.add(pairs, i16x8.extadd_pairwise_i8x16_u(v));
        seconds = i16x8.add(seconds, i16x8.shr_u(v, 8));
      }
      // bytes of earlier groups count once for each byte of this one, those of earlier vectors for each of a vector
      weighted = i32x4.add(weighted, i32x4.mul(sums, i32x4.splat(<i32>GROUP)));
      earlier = i32x4.add(earlier, i32x4.extadd_pairwise_i16x8_u(earlierPairs));
      sums = i32x4.add(sums, i32x4.dot_i16x8_s(pairs, i16x8.splat(1)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(pairs, i16x8(16, 14, 12, 10, 8, 6, 4, 2)));
      weighted = i32x4.sub(weighted, i32x4.dot_i16x8_s(seconds, i16x8.splat(1)));
    }
    a = (a + total(sums)) % MODULUS;
    b = (b + (total(earlier) << 4) + total(weighted)) % MODULUS;
  }
  // fewer than 240 bytes: no sum overflows
  for (; from < end; from++) {
    a += load<u8>(from);
    b += a;
  }
  return ((b % MODULUS) << 16) | (a % MODULUS);
}

function total(sums: v128): u32 {
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}
