/** Makes `count` pixels of three bytes, one of each plane; up to 4 bytes after them are written to too. */
export function packRgb(red: usize, green: usize, blue: usize, count: usize, out: usize): void {
  let i: usize = 0;
  for (; i + 16 <= count; i += 16, out += 48) {
    const r = v128.load(red + i);
    const g = v128.load(green + i);
    const b = v128.load(blue + i);
    // words of 16 bits of red and green, and of blue and green, without the second byte of the latter
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

/** Makes `count` pixels of four bytes, the fourth 255; all are 0 where `valid` is. Up to 63 bytes after them are written to too. */
export function packRgba(red: usize, green: usize, blue: usize, valid: usize, count: i32, out: usize): void {
  const zero = i8x16.splat(0);
  for (let i = 0; i < count; i += 16, out += 64, red += 16, green += 16, blue += 16, valid += 16) {
    const alpha = i8x16.ne(v128.load(valid), zero);
    const r = v128.and(v128.load(red), alpha);
    const g = v128.and(v128.load(green), alpha);
    const b = v128.and(v128.load(blue), alpha);
    const rg0 = i8x16.shuffle(r, g, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const rg1 = i8x16.shuffle(r, g, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    const ba0 = i8x16.shuffle(b, alpha, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const ba1 = i8x16.shuffle(b, alpha, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    v128.store(out, i16x8.shuffle(rg0, ba0, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(out, i16x8.shuffle(rg0, ba0, 4, 12, 5, 13, 6, 14, 7, 15), 16);
    v128.store(out, i16x8.shuffle(rg1, ba1, 0, 8, 1, 9, 2, 10, 3, 11), 32);
    v128.store(out, i16x8.shuffle(rg1, ba1, 4, 12, 5, 13, 6, 14, 7, 15), 48);
  }
}

/** The first three bytes of each of four words. */
function store4(out: usize, words: v128): void {
  v128.store(out, i8x16.swizzle(words, i8x16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)));
}

/** Counts the zeros among `count` bytes. Up to 15 after the last are read. */
export function countZeros(from: usize, count: i32): i32 {
  const zero = i8x16.splat(0);
  let found = 0;
  for (let left = count; left > 0; left -= 16, from += 16) {
    let bits = i8x16.bitmask(i8x16.eq(v128.load(from), zero));
    if (left < 16) bits &= (1 << left) - 1;
    found += popcnt(bits);
  }
  return found;
}
