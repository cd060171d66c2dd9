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

export function undo8(at: usize, perRow: usize, rows: u32, stride: usize): void {
  undo<u8>(at, perRow, rows, stride);
}

export function undo16(at: usize, perRow: usize, rows: u32, stride: usize): void {
  undo<u16>(at, perRow, rows, stride);
}

export function undo32(at: usize, perRow: usize, rows: u32, stride: usize): void {
  undo<u32>(at, perRow, rows, stride);
}
