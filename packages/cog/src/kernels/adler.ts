/** Adler-32 sums are taken modulo the largest prime below 2^16 (RFC 1950 section 8.2). */
const MODULUS = 65_521;
/** Bytes after which the second sum could pass 2^32: zlib's NMAX. */
const LONGEST = 5552;

/**
 * Adler-32 (RFC 1950 section 8.2) of bytes that follow those whose sum is `before`. Blocks are summed by the kernel
 * (`assembly/adler.ts`); this is for where there is no WebAssembly.
 */
export function adler32(bytes: Uint8Array, before = 1): number {
  let a = before & 0xffff;
  let b = before >>> 16;
  for (let i = 0; i < bytes.length; ) {
    for (const end = Math.min(bytes.length, i + LONGEST); i < end; i++) {
      a += bytes[i]!;
      b += a;
    }
    a %= MODULUS;
    b %= MODULUS;
  }
  return ((b << 16) | a) >>> 0;
}

/** Bytes before the end of what was read of a stream in which its checksum may begin: bits are read ahead in words of 8 bytes. */
const READ_AHEAD = 16;

/**
 * Is this the checksum of the stream? It ends the stream; some writers pad the block after it with zeros, others leave there what
 * was there before.
 *
 * @param read bytes of the stream that were read so far
 */
export function endsWithChecksum(stream: Uint8Array, read: number, checksum: number): boolean {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  for (let at = stream.length - 4; at >= 0; at--) {
    if (view.getUint32(at) === checksum) return true;
    if (stream[at + 3] !== 0) break;
  }
  for (let at = Math.max(0, read - READ_AHEAD); at <= Math.min(read + READ_AHEAD, stream.length - 4); at++) {
    if (view.getUint32(at) === checksum) return true;
  }
  return false;
}
