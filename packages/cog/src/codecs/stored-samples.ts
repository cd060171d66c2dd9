import { allocateSamples, bytesPerSample, type Samples, type SampleType } from "@swath/raster";
import { copyBytes } from "../sources/source.ts";

/** Is this machine little-endian, as all that run JavaScript today are. */
const NATIVE_LITTLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Reverses the bytes of every value of `size` bytes in the same memory, where the file's byte order is not the machine's. */
export function toNativeOrder(bytes: Uint8Array, size: number, littleEndian: boolean): void {
  if (size === 1 || littleEndian === NATIVE_LITTLE) return;
  for (let i = 0; i + size <= bytes.length; i += size) {
    for (let low = i, high = i + size - 1; low < high; low++, high--) {
      const kept = bytes[low]!;
      bytes[low] = bytes[high]!;
      bytes[high] = kept;
    }
  }
}

const REVERSED = Uint8Array.from({ length: 256 }, (_, byte) => {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit);
  return reversed;
});

/** A copy with the bits of each byte reversed: FillOrder 2. */
export function reverseBits(bytes: Uint8Array): Uint8Array {
  const reversed = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) reversed[i] = REVERSED[bytes[i]!]!;
  return reversed;
}

/** The bytes as samples of `type`: a view where they are aligned, a copy where they are not. */
export function viewSamples(bytes: Uint8Array, type: SampleType): Samples {
  const size = bytesPerSample(type);
  const count = Math.floor(bytes.byteLength / size);
  const aligned = bytes.byteOffset % size === 0 ? bytes : copyBytes(bytes);
  const { buffer, byteOffset } = aligned;
  switch (type) {
    case "int8":
      return new Int8Array(buffer, byteOffset, count);
    case "uint8":
      return new Uint8Array(buffer, byteOffset, count);
    case "int16":
      return new Int16Array(buffer, byteOffset, count);
    case "uint16":
      return new Uint16Array(buffer, byteOffset, count);
    case "int32":
      return new Int32Array(buffer, byteOffset, count);
    case "uint32":
      return new Uint32Array(buffer, byteOffset, count);
    case "float32":
      return new Float32Array(buffer, byteOffset, count);
    case "float64":
      return new Float64Array(buffer, byteOffset, count);
  }
}

/** Unpacks rows of `perRow` samples of 1 to 16 bits, most significant bit first, each row starting on a byte. */
export function unpackBits(bytes: Uint8Array, bits: number, perRow: number, rows: number, type: SampleType): Samples {
  const out = allocateSamples(type, perRow * rows);
  const rowBytes = Math.ceil((perRow * bits) / 8);
  const mask = (1 << bits) - 1;
  let to = 0;
  for (let row = 0; row < rows; row++) {
    let at = row * rowBytes;
    let held = 0;
    let heldBits = 0;
    for (let i = 0; i < perRow; i++) {
      while (heldBits < bits) {
        held = ((held << 8) | bytes[at++]!) & 0xffffff;
        heldBits += 8;
      }
      heldBits -= bits;
      out[to++] = (held >>> heldBits) & mask;
    }
  }
  return out;
}

/** IEEE half precision to single: what GDAL reads 16-bit floats as. */
export function halfToFloat(halves: Uint16Array): Float32Array {
  const out = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i]!;
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    const sign = half & 0x8000 ? -1 : 1;
    if (exponent === 0) out[i] = sign * fraction * 2 ** -24;
    else if (exponent === 31) out[i] = fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    else out[i] = sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  }
  return out;
}
