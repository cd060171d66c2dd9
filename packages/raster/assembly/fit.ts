/*
 * Source pixels of a patch of target pixels by polynomials, two pixels at a time; pixels too near
 * to an edge for them are computed exactly elsewhere.
 */

/**
 * A half; 1.5 × 2^52, which double precision adds to round to an integer that its lowest bits then hold; 1; 2: each in both lanes.
 * They are loaded, because V8 13.6 keeps in registers what was loaded, but makes constants of the code anew wherever they stand,
 * by up to four instructions, which took a third of the time.
 */
const CONSTANTS = memory.data<f64>([0.5, 0.5, 6755399441055744, 6755399441055744, 1, 1, 2, 2], 16);
/** Coefficients of a polynomial in each direction, degree 5: as in `src/warp/coordinates/chebyshev.ts`. */
const NODES: i32 = 6;

/**
 * For `rows` rows from row `first` of a patch of `width` × `height` pixels their source columns and rows, and how far each is
 * from the source pixel's centre; column −1 where there is none. Lists in `doubtful` the indices of those that are more than `limit`
 * from a centre, and returns how many.
 *
 * @param powers coefficients of the columns, then of the rows, as those of a `PatchFit`
 * @param pitch pixels from the start of one row to that of the next
 * @param edge what is added to coordinates before they are rounded down
 * @param cols then rows, dx and dy, 4 bytes per pixel, `size` bytes from one to the next
 * @param sourceWidth, sourceHeight of the source; 0 where all of the patch is inside it
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
  const half = v128.load(CONSTANTS);
  const toInteger = v128.load(CONSTANTS, 16);
  const one = v128.load(CONSTANTS, 32);
  const two = v128.load(CONSTANTS, 48);
  const ys = powers + NODES * NODES * 8;
  let listed = 0;
  for (let j = 0; j < rows; j++) {
    const v = f64x2.splat(<f64>(first + j) * scaleY - 1);
    const a01 = coefficients(powers, v);
    const a23 = coefficients(powers + 16, v);
    const a45 = coefficients(powers + 32, v);
    const b01 = coefficients(ys, v);
    const b23 = coefficients(ys + 16, v);
    const b45 = coefficients(ys + 32, v);
    const edges = f64x2.splat(edge);
    const a0 = f64x2.add(v128.shuffle<i64>(a01, a01, 0, 0), edges);
    const a1 = v128.shuffle<i64>(a01, a01, 1, 1);
    const a2 = v128.shuffle<i64>(a23, a23, 0, 0);
    const a3 = v128.shuffle<i64>(a23, a23, 1, 1);
    const a4 = v128.shuffle<i64>(a45, a45, 0, 0);
    const a5 = v128.shuffle<i64>(a45, a45, 1, 1);
    const b0 = f64x2.add(v128.shuffle<i64>(b01, b01, 0, 0), edges);
    const b1 = v128.shuffle<i64>(b01, b01, 1, 1);
    const b2 = v128.shuffle<i64>(b23, b23, 0, 0);
    const b3 = v128.shuffle<i64>(b23, b23, 1, 1);
    const b4 = v128.shuffle<i64>(b45, b45, 0, 0);
    const b5 = v128.shuffle<i64>(b45, b45, 1, 1);
    let k = j * pitch;
    let at = cols + ((<usize>k) << 2);
    let columns = f64x2(0, 1);
    for (let i = 0; i < width; i += 2, k += 2, at += 8) {
      const u = f64x2.sub(f64x2.mul(columns, scaleX), one);
      columns = f64x2.add(columns, two);
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
      // rounded down, by rounding half a pixel less; a tie is between pixels, and so doubtful, wherever it goes
      const lessX = f64x2.sub(x, half);
      const lessY = f64x2.sub(y, half);
      const col = f64x2.add(lessX, toInteger);
      const row = f64x2.add(lessY, toInteger);
      const dx = f64x2.sub(lessX, f64x2.sub(col, toInteger));
      const dy = f64x2.sub(lessY, f64x2.sub(row, toInteger));
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
      if (!v128.any_true(far)) continue;
      const lanes = i64x2.bitmask(far);
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
 * Columns and rows to indices into rows of a window that is `width` wide and starts at `first`, the index of its first pixel in rows
 * that wide: written over the columns.
 *
 * @param size bytes from the columns to the rows
 */
export function toIndices(cols: usize, count: i32, size: usize, width: i32, first: i32): void {
  const widths = i32x4.splat(width);
  const firsts = i32x4.splat(first);
  // a store beyond the last of them stays in their memory
  for (const end = cols + ((<usize>count) << 2); cols < end; cols += 16) {
    const rows = i32x4.mul(v128.load(cols + size), widths);
    v128.store(cols, i32x4.sub(i32x4.add(rows, v128.load(cols)), firsts));
  }
}

/** Coefficients of two powers of u at a fixed v, those of the first of which start at `powers`. */
function coefficients(powers: usize, v: v128): v128 {
  let at = powers + (NODES - 1) * NODES * 8;
  let values = v128.load(at);
  while (at > powers) {
    at -= NODES * 8;
    values = f64x2.add(f64x2.mul(values, v), v128.load(at));
  }
  return values;
}
