/*
 * Pixels of three interleaved bytes, red, green and blue, as files of colors hold them.
 */

import { STENCILS } from "./blend";

/**
 * Loaded for the reason that `fit.ts` gives. 2^23, which single precision adds to round to an integer that its lowest bits then
 * hold; and how far from it a mean in single precision may be to be rounded as in double precision: each of the seven operations that
 * make it is off by half a unit in the last place of numbers below 256 at most, 2^-17, and all of them together by 6.9e-5.
 */
const CONSTANTS = memory.data<f32>([8388608, 8388608, 8388608, 8388608, 0.4999, 0.4999, 0.4999, 0.4999], 16);
/** The lowest byte, and all bits but the sign, of words. */
const MASKS = memory.data<i32>([255, 255, 255, 255, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff], 16);

/**
 * Does the same as `blend8` for the three bands of a window, where no index is negative. Up to two bytes beyond the
 * window's last are read.
 *
 * Four pixels at a time in single precision; where that may round another way, one time in four hundred, in double precision.
 *
 * @param row bytes from one row of the window to the next
 * @param plane bytes from the results of one band to those of the next
 */
export function blendColors(stencils: usize, count: i32, source: usize, row: usize, out: usize, plane: usize): void {
  const toInteger = v128.load(CONSTANTS);
  const sure = v128.load(CONSTANTS, 16);
  const low8 = v128.load(MASKS);
  const size = v128.load(MASKS, 16);
  const four = count & ~3;
  let i = 0;
  for (; i < four; i += 4) {
    const at = stencils + ((<usize>i) << 2);
    const p0 = source + <usize>load<u32>(at) * 3;
    const p1 = source + <usize>load<u32>(at, 4) * 3;
    const p2 = source + <usize>load<u32>(at, 8) * 3;
    const p3 = source + <usize>load<u32>(at, 12) * 3;
    // a pixel and its right neighbour: six bytes of eight
    const u01 = v128.load_lane<u64>(p1, v128.load_zero<u64>(p0), 1);
    const u23 = v128.load_lane<u64>(p3, v128.load_zero<u64>(p2), 1);
    const l01 = v128.load_lane<u64>(p1 + row, v128.load_zero<u64>(p0 + row), 1);
    const l23 = v128.load_lane<u64>(p3 + row, v128.load_zero<u64>(p2 + row), 1);
    // red, green and blue of the pixel and red of its neighbour; green and blue of that
    const upper = v128.shuffle<i32>(u01, u23, 0, 2, 4, 6);
    const upperRest = v128.shuffle<i32>(u01, u23, 1, 3, 5, 7);
    const lower = v128.shuffle<i32>(l01, l23, 0, 2, 4, 6);
    const lowerRest = v128.shuffle<i32>(l01, l23, 1, 3, 5, 7);
    const wx = v128.load(at, 4 * STENCILS);
    const wy = v128.load(at, 8 * STENCILS);

    let a = v128.and(upper, low8);
    let c = v128.and(lower, low8);
    let ab = i32x4.sub(i32x4.shr_u(upper, 24), a);
    let cd = i32x4.sub(i32x4.shr_u(lower, 24), c);
    const red = mean(a, ab, c, cd, wx, wy);
    const redBits = f32x4.add(red, toInteger);

    a = v128.and(i32x4.shr_u(upper, 8), low8);
    c = v128.and(i32x4.shr_u(lower, 8), low8);
    ab = i32x4.sub(v128.and(upperRest, low8), a);
    cd = i32x4.sub(v128.and(lowerRest, low8), c);
    const green = mean(a, ab, c, cd, wx, wy);
    const greenBits = f32x4.add(green, toInteger);

    a = v128.and(i32x4.shr_u(upper, 16), low8);
    c = v128.and(i32x4.shr_u(lower, 16), low8);
    ab = i32x4.sub(v128.and(i32x4.shr_u(upperRest, 8), low8), a);
    cd = i32x4.sub(v128.and(i32x4.shr_u(lowerRest, 8), low8), c);
    const blue = mean(a, ab, c, cd, wx, wy);
    const blueBits = f32x4.add(blue, toInteger);

    const offRed = v128.and(f32x4.sub(red, f32x4.sub(redBits, toInteger)), size);
    const offGreen = v128.and(f32x4.sub(green, f32x4.sub(greenBits, toInteger)), size);
    const offBlue = v128.and(f32x4.sub(blue, f32x4.sub(blueBits, toInteger)), size);
    const farthest = f32x4.pmax(f32x4.pmax(offRed, offGreen), offBlue);
    if (v128.any_true(f32x4.gt(farthest, sure))) {
      for (let j = i; j < i + 4; j++) one(stencils, j, source, row, out, plane);
      continue;
    }
    const to = out + <usize>i;
    const redGreen = i16x8.narrow_i32x4_u(v128.and(redBits, low8), v128.and(greenBits, low8));
    const blues = v128.and(blueBits, low8);
    const bytes = i8x16.narrow_i16x8_u(redGreen, i16x8.narrow_i32x4_u(blues, blues));
    v128.store_lane<u32>(to, bytes, 0);
    v128.store_lane<u32>(to + plane, bytes, 1);
    v128.store_lane<u32>(to + 2 * plane, bytes, 2);
  }
  for (; i < count; i++) one(stencils, i, source, row, out, plane);
}

/**
 * The means in single precision, from the first pixels of both rows and the amounts by which their neighbours are above
 * them.
 */
function mean(a: v128, ab: v128, c: v128, cd: v128, wx: v128, wy: v128): v128 {
  const upper = f32x4.add(f32x4.convert_i32x4_s(a), f32x4.mul(wx, f32x4.convert_i32x4_s(ab)));
  const lower = f32x4.add(f32x4.convert_i32x4_s(c), f32x4.mul(wx, f32x4.convert_i32x4_s(cd)));
  return f32x4.add(upper, f32x4.mul(wy, f32x4.sub(lower, upper)));
}

/** One pixel, in double precision. */
function one(stencils: usize, i: usize, source: usize, row: usize, out: usize, plane: usize): void {
  const stencil = stencils + (i << 2);
  const at = source + <usize>load<u32>(stencil) * 3;
  const wx = <f64>load<f32>(stencil, 4 * STENCILS);
  const wy = <f64>load<f32>(stencil, 8 * STENCILS);
  for (let band: usize = 0; band < 3; band++) {
    const a = <f64>load<u8>(at + band);
    const c = <f64>load<u8>(at + band + row);
    const upper = a + wx * (<f64>load<u8>(at + band, 3) - a);
    const lower = c + wx * (<f64>load<u8>(at + band + row, 3) - c);
    store<u8>(out + band * plane + i, <u8>(<i32>(upper + wy * (lower - upper) + 0.5)));
  }
}

/** Is there a pixel all of whose bytes are `value`? Up to 47 bytes after the last are read. */
export function hasPixelOf(source: usize, count: i32, value: i32): i32 {
  const values = i8x16.splat(<i8>value);
  for (let left = count; left > 0; left -= 16, source += 48) {
    // a bit for each byte
    const bits =
      <u64>i8x16.bitmask(i8x16.eq(v128.load(source), values)) |
      ((<u64>i8x16.bitmask(i8x16.eq(v128.load(source, 16), values))) << 16) |
      ((<u64>i8x16.bitmask(i8x16.eq(v128.load(source, 32), values))) << 32);
    if (bits === 0) continue;
    // those of each third byte
    let pixels = bits & (bits >> 1) & (bits >> 2) & 0x249249249249;
    if (left < 16) pixels &= ((<u64>1) << (3 * left)) - 1;
    if (pixels !== 0) return 1;
  }
  return 0;
}

/** Three planes of the pixels, `plane` bytes from one to the next; up to 15 bytes of each after its last are written to, and 47 read. */
export function splitColors(source: usize, count: i32, out: usize, plane: usize): void {
  for (let i = 0; i < count; i += 16, source += 48, out += 16) {
    const v0 = v128.load(source);
    const v1 = v128.load(source, 16);
    const v2 = v128.load(source, 32);
    const red = i8x16.swizzle(v0, i8x16(0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    const green = i8x16.swizzle(v0, i8x16(1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    const blue = i8x16.swizzle(v0, i8x16(2, 5, 8, 11, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    const red1 = i8x16.swizzle(v1, i8x16(-1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14, -1, -1, -1, -1, -1));
    const green1 = i8x16.swizzle(v1, i8x16(-1, -1, -1, -1, -1, 0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1));
    const blue1 = i8x16.swizzle(v1, i8x16(-1, -1, -1, -1, -1, 1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1));
    const red2 = i8x16.swizzle(v2, i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 4, 7, 10, 13));
    const green2 = i8x16.swizzle(v2, i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14));
    const blue2 = i8x16.swizzle(v2, i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 3, 6, 9, 12, 15));
    v128.store(out, v128.or(v128.or(red, red1), red2));
    v128.store(out + plane, v128.or(v128.or(green, green1), green2));
    v128.store(out + 2 * plane, v128.or(v128.or(blue, blue1), blue2));
  }
}
