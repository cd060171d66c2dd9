/** The layout of the samples of a block, for its predictor. */
export interface BlockEncoding {
  readonly predictor: 1 | 2 | 3;
  readonly bytesPerSample: number;
  /** Samples of a row, those of all interleaved bands. */
  readonly rowLength: number;
  /** Interleaved bands. */
  readonly stride: number;
}

/**
 * Applies predictor 2 of TIFF 6.0, section 14, or 3 of Adobe Photoshop TIFF Technical Note 3 in place, in plain JavaScript: for pages
 * that forbid WebAssembly.
 */
export function predictWithoutKernels(
  block: Uint8Array,
  { predictor, bytesPerSample, rowLength, stride }: BlockEncoding,
): void {
  const rowBytes = rowLength * bytesPerSample;
  for (let start = 0; start < block.length; start += rowBytes) {
    const row = block.subarray(start, start + rowBytes);
    if (predictor === 3) bySignificance(row, rowLength, bytesPerSample);
    if (predictor !== 1) differences(row, predictor === 3 ? 1 : bytesPerSample, stride);
  }
}

/** The bytes of floats sorted, the most significant ones of all of them first. */
function bySignificance(row: Uint8Array, count: number, size: number): void {
  const before = row.slice();
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0; i < count; i++) row[plane * count + i] = before[i * size + size - 1 - plane]!;
  }
}

/** Each sample, a little-endian word of `size` bytes, less the one `stride` samples to its left. */
function differences(row: Uint8Array, size: number, stride: number): void {
  const before = stride * size;
  // from the right: samples to the left are not changed yet
  for (let at = row.length - size; at >= before; at -= size) {
    let borrow = 0;
    for (let i = at; i < at + size; i++) {
      const difference = row[i]! - row[i - before]! - borrow;
      borrow = difference < 0 ? 1 : 0;
      row[i] = difference;
    }
  }
}
