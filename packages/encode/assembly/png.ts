/** Rows of a PNG that are compressed as they are: filter byte 0 (ISO/IEC 15948, section 9), then the row. */
export function plainRows(from: usize, rowBytes: usize, rows: u32, to: usize): void {
  for (let row: u32 = 0; row < rows; row++) {
    store<u8>(to, 0);
    memory.copy(to + 1, from, rowBytes);
    from += rowBytes;
    to += rowBytes + 1;
  }
}

/**
 * Writes rows of a PNG by filter 3: each byte less the mean, rounded down, of the bytes of the pixels to the left and
 * above.
 */
export function averageRows(from: usize, rowBytes: usize, rows: u32, pixelBytes: usize, to: usize): void {
  const ones = i8x16.splat(1);
  for (let row: u32 = 0; row < rows; row++) {
    store<u8>(to++, 3);
    const end = from + rowBytes;
    const body = min(from + pixelBytes, end);
    const above = row === 0 ? 0 : rowBytes;
    for (; from < body; from++) store<u8>(to++, load<u8>(from) - (row === 0 ? 0 : load<u8>(from - above) >> 1));
    if (row > 0) {
      for (; from + 16 <= end; from += 16, to += 16) {
        const left = v128.load(from - pixelBytes);
        const upper = v128.load(from - above);
        // the instruction rounds up
        const mean = i8x16.sub(i8x16.avgr_u(left, upper), v128.and(v128.xor(left, upper), ones));
        v128.store(to, i8x16.sub(v128.load(from), mean));
      }
    }
    for (; from < end; from++) {
      const upper: u32 = row === 0 ? 0 : load<u8>(from - above);
      store<u8>(to++, load<u8>(from) - <u8>((load<u8>(from - pixelBytes) + upper) >> 1));
    }
  }
}
