/** Adler-32 sums are taken modulo the largest prime below 2^16 (RFC 1950 section 8.2). */
const MODULUS = 65_521;
/** Words after which a 16-bit half of the sum of sums could overflow: 16 x 17 / 2 x 2 x 255 = 69,360 for 16, so 15. */
const WORDS = 15;

/** Adler-32 of bytes (RFC 1950 section 8.2), four at a time where they are aligned. */
export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  const aligned = bytes.byteOffset % 4 === 0 ? Math.floor(bytes.length / (4 * WORDS)) * WORDS : 0;
  const words = new Int32Array(bytes.buffer, aligned === 0 ? 0 : bytes.byteOffset, aligned);
  for (let i = 0; i < aligned; ) {
    // bytes 0 and 2 of each word, bytes 1 and 3, and what both came to after each word: two sums of 16 bits in each
    let even = 0;
    let odd = 0;
    let sums = 0;
    // five words a turn: a third faster than one
    for (const end = i + WORDS; i < end; i += 5) {
      const w0 = words[i]!;
      even = (even + (w0 & 0xff00ff)) | 0;
      odd = (odd + ((w0 >>> 8) & 0xff00ff)) | 0;
      sums = (sums + even + odd) | 0;
      const w1 = words[i + 1]!;
      even = (even + (w1 & 0xff00ff)) | 0;
      odd = (odd + ((w1 >>> 8) & 0xff00ff)) | 0;
      sums = (sums + even + odd) | 0;
      const w2 = words[i + 2]!;
      even = (even + (w2 & 0xff00ff)) | 0;
      odd = (odd + ((w2 >>> 8) & 0xff00ff)) | 0;
      sums = (sums + even + odd) | 0;
      const w3 = words[i + 3]!;
      even = (even + (w3 & 0xff00ff)) | 0;
      odd = (odd + ((w3 >>> 8) & 0xff00ff)) | 0;
      sums = (sums + even + odd) | 0;
      const w4 = words[i + 4]!;
      even = (even + (w4 & 0xff00ff)) | 0;
      odd = (odd + ((w4 >>> 8) & 0xff00ff)) | 0;
      sums = (sums + even + odd) | 0;
    }
    const [first, second, third, fourth] = [even & 0xffff, odd & 0xffff, even >>> 16, odd >>> 16];
    const all = first + second + third + fourth;
    b = (b + 4 * WORDS * a + 4 * ((sums & 0xffff) + (sums >>> 16)) - second - 2 * third - 3 * fourth) % MODULUS;
    a = (a + all) % MODULUS;
  }
  for (let i = aligned * 4; i < bytes.length; i++) {
    a = (a + bytes[i]!) % MODULUS;
    b = (b + a) % MODULUS;
  }
  return ((b << 16) | a) >>> 0;
}

/** Bytes before the end of what was read of a stream in which its checksum may begin: bits are read ahead in words of 8 bytes. */
const READ_AHEAD = 16;

/**
 * Is this the checksum of the stream? It ends the stream; some writers pad the block after it.
 *
 * @param read bytes of the stream that were read so far
 */
export function endsWithChecksum(stream: Uint8Array, read: number, checksum: number): boolean {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  if (stream.length < 4) return false;
  if (view.getUint32(stream.length - 4) === checksum) return true;
  for (let at = Math.max(0, read - READ_AHEAD); at <= Math.min(read + READ_AHEAD, stream.length - 4); at++) {
    if (view.getUint32(at) === checksum) return true;
  }
  return false;
}
