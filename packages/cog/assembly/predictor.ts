const ZERO = i32x4.splat(0);

/**
 * Undoes predictor 2 (TIFF 6.0, section 14) in place: each sample of `T` was stored as its difference from the one
 * `stride` samples before it in the row. `perRow` is a multiple of `stride`.
 */
function undo<T>(at: usize, perRow: usize, rows: u32, stride: usize): void {
  const end = at + rows * perRow * sizeof<T>();
  const rowBytes = perRow * sizeof<T>();
  if (stride === 1) {
    while (at < end) {
      let sum: T = 0;
      for (const stop = at + rowBytes; at < stop; at += sizeof<T>()) {
        sum += load<T>(at);
        store<T>(at, sum);
      }
    }
    return;
  }
  if (stride === 3) {
    while (at < end) {
      let first: T = 0;
      let second: T = 0;
      let third: T = 0;
      for (const stop = at + rowBytes; at < stop; at += 3 * sizeof<T>()) {
        first += load<T>(at);
        second += load<T>(at, sizeof<T>());
        third += load<T>(at, 2 * sizeof<T>());
        store<T>(at, first);
        store<T>(at, second, sizeof<T>());
        store<T>(at, third, 2 * sizeof<T>());
      }
    }
    return;
  }
  const before = stride * sizeof<T>();
  while (at < end) {
    const stop = at + rowBytes;
    for (at += before; at < stop; at += sizeof<T>()) store<T>(at, load<T>(at) + load<T>(at - before));
  }
}

/**
 * Adds bytes of one or three samples per pixel, 16 at a time: within them by shifts that double, and from the last
 * pixel before.
 */
export function undo8(at: usize, perRow: usize, rows: u32, stride: usize): void {
  const end = at + rows * perRow;
  if (stride === 1) {
    for (; at < end; at += perRow) {
      let carry = ZERO;
      let to = at;
      for (const last = at + perRow - 16; <isize>to <= <isize>last; to += 16) {
        let v = v128.load(to);
        v = i8x16.add(v, i8x16.swizzle(v, i8x16(-128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)));
        v = i8x16.add(v, i8x16.swizzle(v, i8x16(-128, -128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)));
        v = i8x16.add(v, i8x16.swizzle(v, i8x16(-128, -128, -128, -128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)));
        v = i8x16.add(
          v,
          i8x16.swizzle(v, i8x16(-128, -128, -128, -128, -128, -128, -128, -128, 0, 1, 2, 3, 4, 5, 6, 7)),
        );
        v = i8x16.add(v, carry);
        v128.store(to, v);
        carry = i8x16.shuffle(v, v, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
      }
      sumRest(at, to, at + perRow, 1);
    }
  } else if (stride === 3) {
    for (; at < end; at += perRow) {
      let carry = ZERO;
      let to = at;
      for (const last = at + perRow - 16; <isize>to <= <isize>last; to += 16) {
        let v = v128.load(to);
        v = i8x16.add(v, i8x16.swizzle(v, i8x16(-128, -128, -128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)));
        v = i8x16.add(v, i8x16.swizzle(v, i8x16(-128, -128, -128, -128, -128, -128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)));
        v = i8x16.add(
          v,
          i8x16.swizzle(v, i8x16(-128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, 0, 1, 2, 3)),
        );
        v = i8x16.add(v, carry);
        v128.store(to, v);
        carry = i8x16.shuffle(v, v, 13, 14, 15, 13, 14, 15, 13, 14, 15, 13, 14, 15, 13, 14, 15, 13);
      }
      sumRest(at, to, at + perRow, 3);
    }
  } else undo<u8>(at, perRow, rows, stride);
}

/** The bytes of a row that starts at `row` from address `at` on. */
function sumRest(row: usize, at: usize, end: usize, stride: usize): void {
  for (at = max(at, row + stride); at < end; at++) store<u8>(at, load<u8>(at) + load<u8>(at - stride));
}

export function undo16(at: usize, perRow: usize, rows: u32, stride: usize): void {
  undo<u16>(at, perRow, rows, stride);
}

export function undo32(at: usize, perRow: usize, rows: u32, stride: usize): void {
  undo<u32>(at, perRow, rows, stride);
}
