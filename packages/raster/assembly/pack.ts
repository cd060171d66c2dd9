/** Makes `count` pixels of three bytes, one of each plane; up to 4 bytes after them are written to too. */
export function packRgb(red: usize, green: usize, blue: usize, count: usize, out: usize): void {
  let i: usize = 0;
  for (; i + 16 <= count; i += 16, out += 48) {
    const r = v128.load(red + i);
    const g = v128.load(green + i);
    const b = v128.load(blue + i);
    // words of 16 bits of red and green, and of blue and green, of which the latter's second byte is left out
    const rg0 = i8x16.shuffle(r, g, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const rg1 = i8x16.shuffle(r, g, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    const b0 = i8x16.shuffle(b, g, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const b1 = i8x16.shuffle(b, g, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    store4(out, i16x8.shuffle(rg0, b0, 0, 8, 1, 9, 2, 10, 3, 11));
    store4(out + 12, i16x8.shuffle(rg0, b0, 4, 12, 5, 13, 6, 14, 7, 15));
    store4(out + 24, i16x8.shuffle(rg1, b1, 0, 8, 1, 9, 2, 10, 3, 11));
    store4(out + 36, i16x8.shuffle(rg1, b1, 4, 12, 5, 13, 6, 14, 7, 15));
  }
  for (; i < count; i++, out += 3) {
    store<u8>(out, load<u8>(red + i));
    store<u8>(out, load<u8>(green + i), 1);
    store<u8>(out, load<u8>(blue + i), 2);
  }
}

/** The first three bytes of each of four words. */
function store4(out: usize, words: v128): void {
  v128.store(out, i8x16.swizzle(words, i8x16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)));
}
