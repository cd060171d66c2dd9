/*
 * Source pixels of a patch of target pixels by polynomials, two pixels at a time; what these leave
 * in doubt is computed exactly elsewhere.
 */

/** 1.5 × 2^52: double precision adds this to round to an integer, which its lowest bits then hold. */
const TO_INTEGER: f64 = 6755399441055744;
/** Coefficients of a polynomial in each direction, degree 5: as in `src/chebyshev.ts`. */
const NODES: i32 = 6;

/**
 * For `rows` rows from row `first` of a patch of `width` × `height` pixels their source columns and rows, and how far each lies
 * from the source pixel's centre; column −1 where there is none. Lists in `doubtful` the places of those that lie more than `limit`
 * from a centre, and returns how many.
 *
 * @param powers coefficients of the columns, then of the rows, as those of a `PatchFit`
 * @param pitch places from the start of one row to that of the next
 * @param edge what is added to coordinates before they are rounded down
 * @param cols then rows, dx and dy, 4 bytes a place, `size` bytes from one to the next
 * @param sourceWidth, sourceHeight of the source; 0 where all of the patch lies in it
 */
export function fit(
  powers: usize,
  width: i32,
  height: i32,
  first: i32,
  rows: i32,
  pitch: i32,
  limit: f64,
  edge: f64,
  cols: usize,
  size: usize,
  doubtful: usize,
  sourceWidth: i32,
  sourceHeight: i32,
): i32 {
  const widths = f64x2.splat(<f64>sourceWidth);
  const heights = f64x2.splat(<f64>sourceHeight);
  const zero = f64x2.splat(0);
  const scaleX = f64x2.splat(width > 1 ? 2 / <f64>(width - 1) : 0);
  const scaleY: f64 = height > 1 ? 2 / <f64>(height - 1) : 0;
  const limits = f64x2.splat(limit);
  const one = f64x2.splat(1);
  const half = f64x2.splat(0.5);
  const toInteger = f64x2.splat(TO_INTEGER);
  const two = f64x2.splat(2);
  const ys = powers + NODES * NODES * 8;
  let listed = 0;
  for (let j = 0; j < rows; j++) {
    const v = <f64>(first + j) * scaleY - 1;
    const a0 = f64x2.splat(coefficient(powers, 0, v) + edge);
    const a1 = f64x2.splat(coefficient(powers, 1, v));
    const a2 = f64x2.splat(coefficient(powers, 2, v));
    const a3 = f64x2.splat(coefficient(powers, 3, v));
    const a4 = f64x2.splat(coefficient(powers, 4, v));
    const a5 = f64x2.splat(coefficient(powers, 5, v));
    const b0 = f64x2.splat(coefficient(ys, 0, v) + edge);
    const b1 = f64x2.splat(coefficient(ys, 1, v));
    const b2 = f64x2.splat(coefficient(ys, 2, v));
    const b3 = f64x2.splat(coefficient(ys, 3, v));
    const b4 = f64x2.splat(coefficient(ys, 4, v));
    const b5 = f64x2.splat(coefficient(ys, 5, v));
    let k = j * pitch;
    let at = cols + ((<usize>k) << 2);
    let places = f64x2(0, 1);
    for (let i = 0; i < width; i += 2, k += 2, at += 8) {
      const u = f64x2.sub(f64x2.mul(places, scaleX), one);
      places = f64x2.add(places, two);
      let x = f64x2.add(f64x2.mul(a5, u), a4);
      let y = f64x2.add(f64x2.mul(b5, u), b4);
      x = f64x2.add(f64x2.mul(x, u), a3);
      y = f64x2.add(f64x2.mul(y, u), b3);
      x = f64x2.add(f64x2.mul(x, u), a2);
      y = f64x2.add(f64x2.mul(y, u), b2);
      x = f64x2.add(f64x2.mul(x, u), a1);
      y = f64x2.add(f64x2.mul(y, u), b1);
      x = f64x2.add(f64x2.mul(x, u), a0);
      y = f64x2.add(f64x2.mul(y, u), b0);
      // rounded down, by rounding half a pixel less; a tie lies between pixels, which is in doubt, wherever it goes
      const col = f64x2.add(f64x2.sub(x, half), toInteger);
      const row = f64x2.add(f64x2.sub(y, half), toInteger);
      const dx = f64x2.sub(f64x2.sub(x, f64x2.sub(col, toInteger)), half);
      const dy = f64x2.sub(f64x2.sub(y, f64x2.sub(row, toInteger)), half);
      let pixels = v128.shuffle<i32>(col, row, 0, 2, 4, 6);
      if (sourceWidth !== 0) {
        const across = v128.or(f64x2.lt(x, zero), f64x2.ge(x, widths));
        const down = v128.or(f64x2.lt(y, zero), f64x2.ge(y, heights));
        // columns −1: all bits
        pixels = v128.or(pixels, v128.shuffle<i32>(v128.or(across, down), zero, 0, 2, 4, 6));
      }
      const isPair = i + 1 < width;
      if (isPair) {
        v128.store_lane<u64>(at, pixels, 0);
        v128.store_lane<u64>(at + size, pixels, 1);
        v128.store_lane<u64>(at + 2 * size, f32x4.demote_f64x2_zero(dx), 0);
        v128.store_lane<u64>(at + 3 * size, f32x4.demote_f64x2_zero(dy), 0);
      } else {
        v128.store_lane<u32>(at, pixels, 0);
        v128.store_lane<u32>(at + size, pixels, 2);
        v128.store_lane<u32>(at + 2 * size, f32x4.demote_f64x2_zero(dx), 0);
        v128.store_lane<u32>(at + 3 * size, f32x4.demote_f64x2_zero(dy), 0);
      }
      const far = f64x2.gt(f64x2.pmax(f64x2.abs(dx), f64x2.abs(dy)), limits);
      const lanes = i64x2.bitmask(far);
      if (lanes === 0) continue;
      if ((lanes & 1) !== 0) {
        store<i32>(doubtful + ((<usize>listed) << 2), k);
        listed += 1;
      }
      if ((lanes & 2) !== 0 && isPair) {
        store<i32>(doubtful + ((<usize>listed) << 2), k + 1);
        listed += 1;
      }
    }
  }
  return listed;
}

/**
 * Columns and rows to places in rows of a window that is `width` wide and starts at `first`, the place of its first pixel in rows
 * that wide: written over the columns.
 *
 * @param size bytes from the columns to the rows
 */
export function toIndices(cols: usize, count: i32, size: usize, width: i32, first: i32): void {
  const widths = i32x4.splat(width);
  const firsts = i32x4.splat(first);
  // a store beyond the last of them stays in their room
  for (const end = cols + ((<usize>count) << 2); cols < end; cols += 16) {
    const rows = i32x4.mul(v128.load(cols + size), widths);
    v128.store(cols, i32x4.sub(i32x4.add(rows, v128.load(cols)), firsts));
  }
}

/** Coefficient of u^p at a fixed v. */
function coefficient(powers: usize, p: i32, v: f64): f64 {
  let at = powers + ((<usize>p) << 3) + (NODES - 1) * NODES * 8;
  let value = load<f64>(at);
  while (at >= powers + NODES * 8) {
    at -= NODES * 8;
    value = value * v + load<f64>(at);
  }
  return value;
}
