/** Sums are taken modulo the largest prime below 2^16 (RFC 1950, section 8.2). */
const MODULUS: u32 = 65_521;
/** Bytes after which a sum of 32 bits could overflow: zlib's 5552, down to whole groups of 32. */
const LONGEST: usize = 5536;

/** Adler-32 (RFC 1950, section 8.2) of `length` bytes that follow those whose sum is `before`; 1 where there are none. */
export function adler32(before: u32, from: usize, length: usize): u32 {
  let a: u32 = before & 0xffff;
  let b: u32 = before >>> 16;
  const end = from + length;
  while (from + 32 <= end) {
    const stop = from + min((end - from) & ~31, LONGEST);
    // the second sum counts each byte once for itself and once for each byte after it
    b += a * <u32>(stop - from);
    let sums = i32x4.splat(0);
    let earlier = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    for (; from < stop; from += 32) {
      const first = v128.load(from);
      const second = v128.load(from, 16);
      earlier = i32x4.add(earlier, sums);
      const pairs = i16x8.add(i16x8.extadd_pairwise_i8x16_u(first), i16x8.extadd_pairwise_i8x16_u(second));
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(pairs));
      // at most 255 × (32 + 24 + 16 + 8): 16 bits hold it
      const products = i16x8.add(
        i16x8.add(
          i16x8.extmul_low_i8x16_u(first, i8x16(32, 31, 30, 29, 28, 27, 26, 25, 0, 0, 0, 0, 0, 0, 0, 0)),
          i16x8.extmul_high_i8x16_u(first, i8x16(0, 0, 0, 0, 0, 0, 0, 0, 24, 23, 22, 21, 20, 19, 18, 17)),
        ),
        i16x8.add(
          i16x8.extmul_low_i8x16_u(second, i8x16(16, 15, 14, 13, 12, 11, 10, 9, 0, 0, 0, 0, 0, 0, 0, 0)),
          i16x8.extmul_high_i8x16_u(second, i8x16(0, 0, 0, 0, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1)),
        ),
      );
      weighted = i32x4.add(weighted, i32x4.extadd_pairwise_i16x8_u(products));
    }
    a = (a + total(sums)) % MODULUS;
    b = (b + (total(earlier) << 5) + total(weighted)) % MODULUS;
  }
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
