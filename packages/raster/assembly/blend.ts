/*
 * Bilinear means of four pixels, as `src/warp/blend/blend.ts` computes them and in the same order of operations, so that both give the same
 * to the last bit: in double precision, two lanes at a time. A pixel and its right neighbour are loaded as one word.
 *
 * `stencils`: the indices of `STENCILS` stencils, their weights across and down, 4 bytes each. Where an index is negative `out` stays as
 * it is. A row has at least two pixels; `row` is the bytes from one to the next, 0 where there is one only.
 */

/** Stencils that are blended at a time: as in `src/warp/blend/blend.ts`. */
export const STENCILS: usize = 1024;

/** Loaded for the reason that `fit.ts` gives. */
const HALVES = memory.data<f64>([0.5, 0.5], 16);
const LOW8 = memory.data<i32>([0xff, 0xff, 0xff, 0xff], 16);
const LOW16 = memory.data<i32>([0xffff, 0xffff, 0xffff, 0xffff], 16);

/**
 * Makes stencils of `count` source pixels: their columns and rows, and how far each target pixel's centre is from that of its source
 * pixel, 4 bytes each, `STENCILS` of one after those of the other. All four pixels are in a window that is `width` wide and starts at
 * index `first` of rows that wide.
 */
export function toStencils(pixels: usize, count: i32, width: i32, first: i32, stencils: usize): void {
  const widths = i32x4.splat(width);
  const firsts = i32x4.splat(first);
  // a store beyond the last of them stays in their memory
  for (const end = pixels + ((<usize>count) << 2); pixels < end; pixels += 16, stencils += 16) {
    const dx = v128.load(pixels, 8 * STENCILS);
    const dy = v128.load(pixels, 12 * STENCILS);
    // −1 or 0 from the sign bit
    const backX = i32x4.shr_s(dx, 31);
    const backY = i32x4.shr_s(dy, 31);
    const row = i32x4.add(v128.load(pixels, 4 * STENCILS), backY);
    const column = i32x4.add(v128.load(pixels), backX);
    v128.store(stencils, i32x4.sub(i32x4.add(i32x4.mul(row, widths), column), firsts));
    v128.store(stencils, f32x4.sub(dx, f32x4.convert_i32x4_s(backX)), 4 * STENCILS);
    v128.store(stencils, f32x4.sub(dy, f32x4.convert_i32x4_s(backY)), 8 * STENCILS);
  }
}

/**
 * Does the same as `toStencils` for pixels anywhere in or around a window of `width` × `height` pixels at (`x`, `y`):
 * the index is −1 where a pixel is outside, or one for which `valid` says 0, and beyond the window's edge the pixel on
 * it has all the weight. `covered` is set to 1 or 0, a byte for each. Lists in `mixed` the stencils with another pixel
 * for which `valid` says 0, and returns how many.
 *
 * @param valid a byte for each pixel of the window; 0: all are
 */
export function toStencilsAny(
  pixels: usize,
  count: i32,
  x: i32,
  y: i32,
  width: i32,
  height: i32,
  valid: usize,
  stencils: usize,
  covered: usize,
  mixed: usize,
): i32 {
  let listed = 0;
  const below: usize = height > 1 ? width : 0;
  for (let i = 0; i < count; i++, pixels += 4, stencils += 4) {
    const col = load<i32>(pixels) - x;
    const row = load<i32>(pixels, 4 * STENCILS) - y;
    let isInside = load<i32>(pixels) >= 0 && col >= 0 && col < width && row >= 0 && row < height;
    if (valid !== 0 && isInside) isInside = load<u8>(valid + <usize>(row * width + col)) !== 0;
    store<u8>(covered + <usize>i, isInside ? 1 : 0);
    if (!isInside) {
      store<i32>(stencils, -1);
      continue;
    }
    const dx = load<f32>(pixels, 8 * STENCILS);
    const dy = load<f32>(pixels, 12 * STENCILS);
    // −1 or 0 from the sign bit
    const backX = reinterpret<i32>(dx) >> 31;
    const backY = reinterpret<i32>(dy) >> 31;
    let left = col + backX;
    let upper = row + backY;
    let weightX = dx - <f32>backX;
    let weightY = dy - <f32>backY;
    if (left < 0) {
      left = 0;
      weightX = 0;
    } else if (left + 1 >= width) {
      left = width - 2;
      weightX = 1;
    }
    if (upper < 0) {
      upper = 0;
      weightY = 0;
    } else if (upper + 1 >= height) {
      upper = max(0, height - 2);
      weightY = height > 1 ? 1 : 0;
    }
    const index = upper * width + left;
    store<i32>(stencils, index);
    store<f32>(stencils, weightX, 4 * STENCILS);
    store<f32>(stencils, weightY, 8 * STENCILS);
    if (valid === 0) continue;
    const at = valid + <usize>index;
    if ((load<u8>(at) & load<u8>(at, 1) & load<u8>(at + below) & load<u8>(at + below, 1)) !== 0) continue;
    store<i32>(mixed + ((<usize>listed) << 2), i);
    listed += 1;
  }
  return listed;
}

/**
 * The weighted means of the valid pixels of `count` stencils that are listed in `mixed`: their weights are scaled up. In the order of
 * operations of `blendValid` of `src/blend.ts`.
 *
 * @param below pixels from one row to the next, 0 where there is one only
 */
function blendListed<T>(
  stencils: usize,
  mixed: usize,
  count: i32,
  source: usize,
  below: usize,
  valid: usize,
  out: usize,
): void {
  for (const end = mixed + ((<usize>count) << 2); mixed < end; mixed += 4) {
    const i = <usize>load<u32>(mixed);
    const stencil = stencils + (i << 2);
    const k = <usize>load<u32>(stencil);
    const wx = <f64>load<f32>(stencil, 4 * STENCILS);
    const wy = <f64>load<f32>(stencil, 8 * STENCILS);
    let sum: f64 = 0;
    let weights: f64 = 0;
    for (let corner = 0; corner < 4; corner++) {
      const at = k + (corner & 1) + (corner >> 1 !== 0 ? below : 0);
      // a value without data may be NaN, which no weight of 0 silences
      if (load<u8>(valid + at) === 0) continue;
      const weight = ((corner & 1) !== 0 ? wx : 1 - wx) * (corner >> 1 !== 0 ? wy : 1 - wy);
      sum += weight * <f64>load<T>(source + at * sizeof<T>());
      weights += weight;
    }
    const mean = sum / weights;
    if (isFloat<T>()) store<T>(out + i * sizeof<T>(), <T>mean);
    else store<T>(out + i * sizeof<T>(), <T>(<i32>Math.floor(mean + 0.5)));
  }
}

/** @param kind bytes of a sample, less than 0 for signed integers */
export function blendMixed(
  kind: i32,
  stencils: usize,
  mixed: usize,
  count: i32,
  source: usize,
  below: usize,
  valid: usize,
  out: usize,
): void {
  if (kind === 1) blendListed<u8>(stencils, mixed, count, source, below, valid, out);
  else if (kind === -1) blendListed<i8>(stencils, mixed, count, source, below, valid, out);
  else if (kind === 2) blendListed<u16>(stencils, mixed, count, source, below, valid, out);
  else if (kind === -2) blendListed<i16>(stencils, mixed, count, source, below, valid, out);
  else blendListed<f32>(stencils, mixed, count, source, below, valid, out);
}

/** `flip` has the sign bit of signed samples in each of them, else 0. Rounded half upwards. */
function blend<T>(stencils: usize, count: i32, source: usize, row: usize, flip: i32, out: usize): void {
  const half = v128.load(HALVES);
  const mask = v128.load(sizeof<T>() === 1 ? LOW8 : LOW16);
  const flips = i32x4.splat(flip);
  const pairFlips = sizeof<T>() === 1 ? i32x4.splat(flip & 0xffff) : flips;
  const four = count & ~3;
  let i = 0;
  for (; i < four; i += 4) {
    const at = stencils + ((<usize>i) << 2);
    const k = v128.load(at);
    if (i32x4.bitmask(k) !== 0) {
      for (let j = i; j < i + 4; j++) one<T>(stencils, j, source, row, flip, out);
      continue;
    }
    const p0 = source + <usize>load<u32>(at) * sizeof<T>();
    const p1 = source + <usize>load<u32>(at, 4) * sizeof<T>();
    const p2 = source + <usize>load<u32>(at, 8) * sizeof<T>();
    const p3 = source + <usize>load<u32>(at, 12) * sizeof<T>();
    let upper: v128;
    let lower: v128;
    if (sizeof<T>() === 1) {
      upper = v128.load_lane<u16>(p0, i32x4.splat(0), 0);
      upper = v128.load_lane<u16>(p1, upper, 2);
      upper = v128.load_lane<u16>(p2, upper, 4);
      upper = v128.load_lane<u16>(p3, upper, 6);
      lower = v128.load_lane<u16>(p0 + row, i32x4.splat(0), 0);
      lower = v128.load_lane<u16>(p1 + row, lower, 2);
      lower = v128.load_lane<u16>(p2 + row, lower, 4);
      lower = v128.load_lane<u16>(p3 + row, lower, 6);
    } else {
      upper = v128.load_zero<u32>(p0);
      upper = v128.load_lane<u32>(p1, upper, 1);
      upper = v128.load_lane<u32>(p2, upper, 2);
      upper = v128.load_lane<u32>(p3, upper, 3);
      lower = v128.load_zero<u32>(p0 + row);
      lower = v128.load_lane<u32>(p1 + row, lower, 1);
      lower = v128.load_lane<u32>(p2 + row, lower, 2);
      lower = v128.load_lane<u32>(p3 + row, lower, 3);
    }
    upper = v128.xor(upper, pairFlips);
    lower = v128.xor(lower, pairFlips);
    const bits = sizeof<T>() * 8;
    const a = v128.and(upper, mask);
    const c = v128.and(lower, mask);
    const ab = i32x4.sub(i32x4.shr_u(upper, bits), a);
    const cd = i32x4.sub(i32x4.shr_u(lower, bits), c);
    const wx = v128.load(at, 4 * STENCILS);
    const wy = v128.load(at, 8 * STENCILS);
    const low = two(a, ab, c, cd, wx, wy, half);
    const high = two(upperHalf(a), upperHalf(ab), upperHalf(c), upperHalf(cd), upperHalf(wx), upperHalf(wy), half);
    const values = v128.shuffle<i32>(low, high, 0, 1, 4, 5);
    const to = out + <usize>i * sizeof<T>();
    if (sizeof<T>() === 1) {
      const words = i16x8.narrow_i32x4_u(values, values);
      const bytes = v128.xor(i8x16.narrow_i16x8_u(words, words), flips);
      v128.store_lane<u32>(to, bytes, 0);
    } else {
      const words = v128.xor(i16x8.narrow_i32x4_u(values, values), flips);
      v128.store_lane<u64>(to, words, 0);
    }
  }
  for (; i < count; i++) one<T>(stencils, i, source, row, flip, out);
}

function upperHalf(v: v128): v128 {
  return v128.shuffle<i64>(v, v, 1, 1);
}

/**
 * The means of the two lower lanes: from the first pixels of both rows, the amounts by which their neighbours are above
 * them, and weights.
 */
function two(a: v128, ab: v128, c: v128, cd: v128, wx: v128, wy: v128, half: v128): v128 {
  const x = f64x2.promote_low_f32x4(wx);
  const upper = f64x2.add(f64x2.convert_low_i32x4_s(a), f64x2.mul(x, f64x2.convert_low_i32x4_s(ab)));
  const lower = f64x2.add(f64x2.convert_low_i32x4_s(c), f64x2.mul(x, f64x2.convert_low_i32x4_s(cd)));
  const y = f64x2.promote_low_f32x4(wy);
  const mean = f64x2.add(f64x2.add(upper, f64x2.mul(y, f64x2.sub(lower, upper))), half);
  return i32x4.trunc_sat_f64x2_s_zero(mean);
}

function one<T>(stencils: usize, i: usize, source: usize, row: usize, flip: i32, out: usize): void {
  const stencil = stencils + (i << 2);
  const k = load<i32>(stencil);
  if (k < 0) return;
  const sign = flip & ((1 << (sizeof<T>() * 8)) - 1);
  const at = source + <usize>k * sizeof<T>();
  const wx = <f64>load<f32>(stencil, 4 * STENCILS);
  const wy = <f64>load<f32>(stencil, 8 * STENCILS);
  const a = <f64>(load<T>(at) ^ sign);
  const b = <f64>(load<T>(at, sizeof<T>()) ^ sign);
  const c = <f64>(load<T>(at + row) ^ sign);
  const d = <f64>(load<T>(at + row, sizeof<T>()) ^ sign);
  const upper = a + wx * (b - a);
  const lower = c + wx * (d - c);
  store<T>(out + i * sizeof<T>(), <T>(<i32>(upper + wy * (lower - upper) + 0.5) ^ sign));
}

export function blend8(stencils: usize, count: i32, source: usize, row: usize, flip: i32, out: usize): void {
  blend<u8>(stencils, count, source, row, flip, out);
}

export function blend16(stencils: usize, count: i32, source: usize, row: usize, flip: i32, out: usize): void {
  blend<u16>(stencils, count, source, row, flip, out);
}

/** Samples of single precision; the means are rounded to it. */
export function blendFloat(stencils: usize, count: i32, source: usize, row: usize, out: usize): void {
  for (let i = 0; i < count; i++, stencils += 4, out += 4) {
    const k = load<i32>(stencils);
    if (k < 0) continue;
    const at = source + ((<usize>k) << 2);
    // both rows in the two lanes
    const left = f64x2.promote_low_f32x4(v128.load_lane<u32>(at + row, v128.load_zero<u32>(at), 1));
    const right = f64x2.promote_low_f32x4(v128.load_lane<u32>(at + row + 4, v128.load_zero<u32>(at + 4), 1));
    const wx = f64x2.splat(<f64>load<f32>(stencils, 4 * STENCILS));
    const rows = f64x2.add(left, f64x2.mul(wx, f64x2.sub(right, left)));
    const upper = f64x2.extract_lane(rows, 0);
    const lower = f64x2.extract_lane(rows, 1);
    store<f32>(out, <f32>(upper + <f64>load<f32>(stencils, 8 * STENCILS) * (lower - upper)));
  }
}
