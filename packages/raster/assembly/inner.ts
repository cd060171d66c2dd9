/*
 * Patches of target pixels all of which are inside their source, from polynomials to means, in one call.
 */

import { blend8, blend16, blendFloat, STENCILS, toStencils } from "./blend";
import { blendColors } from "./colors";
import { fit } from "./fit";

/** Bytes of a band in the table of `blendPatch`: five words. */
const BAND: usize = 20;

/**
 * Blends bands over a patch of `width` × `height` pixels, at most `STENCILS` wide. Lists in `doubtful` the indices of what must be
 * computed exactly instead, and returns how many.
 *
 * @param powers, limit, edge as `fit` takes them
 * @param pitch pixels from the start of one row of the results to that of the next
 * @param windowWidth, first as `toStencils` takes them
 * @param work memory for the source pixels and the stencils of `STENCILS` pixels, 28 bytes each
 * @param bands for each of `count` bands the bytes of a sample, where the window's samples start, the bytes from one of its rows
 *   to the next, the sign bits of signed samples (`flip`), and where its results start. Bytes of 3 are three bands, pixel by pixel,
 *   and instead of `flip` the `plane` of `blendColors`
 */
export function blendPatch(
  powers: usize,
  width: i32,
  height: i32,
  pitch: i32,
  limit: f64,
  edge: f64,
  windowWidth: i32,
  first: i32,
  work: usize,
  bands: usize,
  count: i32,
  doubtful: usize,
): i32 {
  const stencils = work + 16 * STENCILS;
  const step = width === pitch ? <i32>STENCILS / width : 1;
  let listed = 0;
  for (let row = 0; row < height; row += step) {
    const rows = min(step, height - row);
    const start = row * pitch;
    const list = doubtful + ((<usize>listed) << 2);
    const found = fit(powers, width, height, row, rows, width, limit, edge, work, 4 * STENCILS, list, 0, 0);
    for (let i = 0; i < found; i++) {
      const at = list + ((<usize>i) << 2);
      store<i32>(at, load<i32>(at) + start);
    }
    listed += found;
    toStencils(work, rows * width, windowWidth, first, stencils);
    for (let b = 0; b < count; b++) {
      const band = bands + <usize>b * BAND;
      const size = load<u32>(band);
      const source: usize = load<u32>(band, 4);
      const below: usize = load<u32>(band, 8);
      const flip = load<i32>(band, 12);
      const out: usize = load<u32>(band, 16) + (size === 3 ? <usize>start : <usize>start * size);
      if (size === 3) blendColors(stencils, rows * width, source, below, out, flip);
      else if (size === 4) blendFloat(stencils, rows * width, source, below, out);
      else if (size === 2) blend16(stencils, rows * width, source, below, flip, out);
      else blend8(stencils, rows * width, source, below, flip, out);
    }
  }
  return listed;
}

/**
 * Writes the least and the greatest column, then row, of `count` pixels to `out`; those of column −1 do not count. The least is
 * greater than the greatest where there is no other.
 *
 * @param size bytes from the columns to the rows
 */
export function extremes(cols: usize, count: i32, size: usize, out: usize): void {
  let minCol: i32 = i32.MAX_VALUE;
  let minRow: i32 = i32.MAX_VALUE;
  let maxCol: i32 = -1;
  let maxRow: i32 = -1;
  for (const end = cols + ((<usize>count) << 2); cols < end; cols += 4) {
    const col = load<i32>(cols);
    if (col < 0) continue;
    const row = load<i32>(cols + size);
    minCol = min(minCol, col);
    maxCol = max(maxCol, col);
    minRow = min(minRow, row);
    maxRow = max(maxRow, row);
  }
  store<i32>(out, minCol);
  store<i32>(out, maxCol, 4);
  store<i32>(out, minRow, 8);
  store<i32>(out, maxRow, 12);
}
