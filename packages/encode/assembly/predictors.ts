/** Predictor 2 (TIFF 6.0, section 14) in place: each sample of `T` less the one `stride` samples to its left. */
function differences<T>(at: usize, rowLength: usize, rows: u32, stride: usize): void {
  const before = stride * sizeof<T>();
  for (let row: u32 = 0; row < rows; row++) {
    const body = at + before;
    let to = at + rowLength * sizeof<T>();
    at = to;
    // from the right: what stands to the left is not changed yet
    while (to >= body + 16) {
      to -= 16;
      v128.store(to, v128.sub<T>(v128.load(to), v128.load(to - before)));
    }
    while (to > body) {
      to -= sizeof<T>();
      store<T>(to, load<T>(to) - load<T>(to - before));
    }
  }
}

export function differences8(at: usize, rowLength: usize, rows: u32, stride: usize): void {
  differences<u8>(at, rowLength, rows, stride);
}

export function differences16(at: usize, rowLength: usize, rows: u32, stride: usize): void {
  differences<u16>(at, rowLength, rows, stride);
}

export function differences32(at: usize, rowLength: usize, rows: u32, stride: usize): void {
  differences<u32>(at, rowLength, rows, stride);
}

/**
 * Predictor 3 in place: the bytes of a row's floats of `size` bytes sorted by significance, most significant first, then
 * differenced byte by byte (Adobe Photoshop TIFF Technical Note 3; the byte stride is the number of interleaved bands, as
 * in libtiff). `row` is memory for a row and 16 bytes.
 */
export function differenceFloats(at: usize, rowLength: usize, size: usize, rows: u32, stride: usize, row: usize): void {
  const rowBytes = rowLength * size;
  for (let n: u32 = 0; n < rows; n++) {
    if (size === 4) sortBytes(at, rowLength, row);
    else {
      for (let plane: usize = 0; plane < size; plane++) {
        let source = at + size - 1 - plane;
        for (let i: usize = 0; i < rowLength; i++, source += size)
          store<u8>(row + plane * rowLength + i, load<u8>(source));
      }
    }
    // the first samples of each plane have the end of the plane before to their left
    memory.copy(at, row, min(stride, rowBytes));
    let i = stride;
    for (; i + 16 <= rowBytes; i += 16) v128.store(at + i, i8x16.sub(v128.load(row + i), v128.load(row + i - stride)));
    for (; i < rowBytes; i++) store<u8>(at + i, load<u8>(row + i) - load<u8>(row + i - stride));
    at += rowBytes;
  }
}

/** The bytes of `length` words of four by significance: all most significant ones first. */
function sortBytes(from: usize, length: usize, to: usize): void {
  const second = to + length;
  const third = second + length;
  const fourth = third + length;
  let i: usize = 0;
  for (; i + 16 <= length; i += 16, from += 64) {
    const a = v128.load(from);
    const b = v128.load(from, 16);
    const c = v128.load(from, 32);
    const d = v128.load(from, 48);
    const highAB = i8x16.shuffle(a, b, 3, 7, 11, 15, 19, 23, 27, 31, 2, 6, 10, 14, 18, 22, 26, 30);
    const highCD = i8x16.shuffle(c, d, 3, 7, 11, 15, 19, 23, 27, 31, 2, 6, 10, 14, 18, 22, 26, 30);
    const lowAB = i8x16.shuffle(a, b, 1, 5, 9, 13, 17, 21, 25, 29, 0, 4, 8, 12, 16, 20, 24, 28);
    const lowCD = i8x16.shuffle(c, d, 1, 5, 9, 13, 17, 21, 25, 29, 0, 4, 8, 12, 16, 20, 24, 28);
    v128.store(to + i, i64x2.shuffle(highAB, highCD, 0, 2));
    v128.store(second + i, i64x2.shuffle(highAB, highCD, 1, 3));
    v128.store(third + i, i64x2.shuffle(lowAB, lowCD, 0, 2));
    v128.store(fourth + i, i64x2.shuffle(lowAB, lowCD, 1, 3));
  }
  for (; i < length; i++, from += 4) {
    const word = load<u32>(from);
    store<u8>(to + i, <u8>(word >>> 24));
    store<u8>(second + i, <u8>(word >>> 16));
    store<u8>(third + i, <u8>(word >>> 8));
    store<u8>(fourth + i, <u8>word);
  }
}
