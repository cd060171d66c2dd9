/**
 * Composites `count` RGBA pixels on white: `(value × alpha + 255 × (255 − alpha)) / 255`, rounded half upwards, three bytes each. Up to 15 bytes
 * after the last pixel are read, up to 16 written to.
 */
export function flatten(from: usize, count: i32, to: usize): void {
  const opaque = i8x16.splat(-1);
  const zero = i8x16.splat(0);
  for (let left = count; left > 0; left -= 4, from += 16, to += 12) {
    const pixels = v128.load(from);
    const alpha = i8x16.swizzle(pixels, i8x16(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
    const isClear = i8x16.eq(alpha, zero);
    let colors = v128.or(pixels, isClear);
    if (!i8x16.all_true(v128.or(i8x16.eq(alpha, opaque), isClear))) {
      colors = i8x16.narrow_i16x8_u(
        mixed(i16x8.extend_low_i8x16_u(pixels), i16x8.extend_low_i8x16_u(alpha)),
        mixed(i16x8.extend_high_i8x16_u(pixels), i16x8.extend_high_i8x16_u(alpha)),
      );
    }
    v128.store(to, i8x16.swizzle(colors, i8x16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)));
  }
}

function mixed(value: v128, alpha: v128): v128 {
  const most = i16x8.splat(255);
  // below 65026 + 128, so that no lane overflows
  const sum = i16x8.add(i16x8.mul(value, alpha), i16x8.mul(most, i16x8.sub(most, alpha)));
  const rounded = i16x8.add(sum, i16x8.splat(128));
  // n / 255 rounded is (m + (m >> 8)) >> 8 with m = n + 128, for all n up to 65025
  return i16x8.shr_u(i16x8.add(rounded, i16x8.shr_u(rounded, 8)), 8);
}
