/**
 * Undoes predictor 2 (TIFF 6.0 section 14) in the same array: each sample was stored as its difference from the one
 * `stride` before it in the row. `values` has `rows` rows of `perRow` samples.
 */
export function undoDifferences(
  values: Uint8Array | Uint16Array | Uint32Array,
  perRow: number,
  rows: number,
  stride: number,
): void {
  if (stride === 1) {
    for (let row = 0; row < rows; row++) {
      const end = (row + 1) * perRow;
      let at = row * perRow;
      let sum = 0;
      for (const stop = end - 3; at < stop; at += 4) {
        // typed arrays wrap on store; the running sum is wrapped by |0 alone
        sum = (sum + values[at]!) | 0;
        values[at] = sum;
        sum = (sum + values[at + 1]!) | 0;
        values[at + 1] = sum;
        sum = (sum + values[at + 2]!) | 0;
        values[at + 2] = sum;
        sum = (sum + values[at + 3]!) | 0;
        values[at + 3] = sum;
      }
      for (; at < end; at++) {
        sum = (sum + values[at]!) | 0;
        values[at] = sum;
      }
    }
    return;
  }
  if (stride === 3) {
    for (let row = 0; row < rows; row++) {
      let first = 0;
      let second = 0;
      let third = 0;
      for (let at = row * perRow, end = at + perRow; at < end; at += 3) {
        first = (first + values[at]!) | 0;
        values[at] = first;
        second = (second + values[at + 1]!) | 0;
        values[at + 1] = second;
        third = (third + values[at + 2]!) | 0;
        values[at + 2] = third;
      }
    }
    return;
  }
  for (let row = 0; row < rows; row++) {
    const end = (row + 1) * perRow;
    for (let at = row * perRow + stride; at < end; at++) values[at] = values[at]! + values[at - stride]!;
  }
}

/** Predictor 2 on 64-bit samples. */
export function undoDifferences64(values: BigUint64Array, perRow: number, rows: number, stride: number): void {
  for (let row = 0; row < rows; row++) {
    const end = (row + 1) * perRow;
    for (let at = row * perRow + stride; at < end; at++) values[at] = values[at]! + values[at - stride]!;
  }
}

/**
 * Undoes predictor 3 (Adobe Photoshop TIFF technical note 3): each row holds the most significant bytes of its
 * samples first, then the next ones, all stored as differences. Gives little-endian samples of `size` bytes.
 */
export function undoFloatPlanes(
  bytes: Uint8Array,
  perRow: number,
  rows: number,
  stride: number,
  size: number,
): Uint8Array {
  const out = new Uint8Array(bytes.length);
  const rowBytes = perRow * size;
  for (let row = 0; row < rows; row++) {
    const start = row * rowBytes;
    for (let i = start + stride; i < start + rowBytes; i++) bytes[i] = bytes[i]! + bytes[i - stride]!;
    for (let plane = 0; plane < size; plane++) {
      let from = start + plane * perRow;
      for (let to = start + size - 1 - plane, end = start + rowBytes; to < end; to += size) out[to] = bytes[from++]!;
    }
  }
  return out;
}
