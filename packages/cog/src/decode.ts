import type { Samples } from "@swath/raster";
import type { Codecs } from "./codecs.ts";
import { CogError } from "./errors.ts";
import { blockRowBytes, type TiffImage } from "./image.ts";
import { inflate } from "./kernels/inflate.ts";
import { decodeLzw } from "./lzw.ts";
import { decodePackBits } from "./packbits.ts";
import { undoDifferences, undoDifferences64, undoFloatPlanes } from "./predictor.ts";
import { copyBytes, halfToFloat, reverseBits, toNativeOrder, unpackBits, viewSamples } from "./samples.ts";

/** Can decoding stop after some rows? The image codecs and LERC give whole blocks. */
export function decodesByRow(image: TiffImage): boolean {
  return image.compression !== 7 && image.compression !== 50001 && image.compression !== 34887;
}

/**
 * Decodes the first `rows` rows of a block: `rows × blockWidth × interleaved` samples in the machine's byte order.
 * `bytes` is not changed. The common kinds of blocks are written into memory of `allocate`.
 *
 * @throws {CogError} `corrupt` when the block ends before, `unsupported` for a kind of JPEG, WebP or LERC not read.
 */
export async function decodeBlock(
  image: TiffImage,
  bytes: Uint8Array,
  rows: number,
  codecs: Codecs,
  allocate: (bytes: number) => Uint8Array = (length) => new Uint8Array(length),
): Promise<Samples> {
  switch (image.compression) {
    case 7: {
      const { decodeJpegBlock } = await import("./jpeg.ts");
      return decodeJpegBlock(image, bytes, rows);
    }
    case 50001: {
      const { decodeWebpBlock } = await import("./webp.ts");
      return decodeWebpBlock(image, bytes, rows, codecs);
    }
    case 34887: {
      const { decodeLercBlock } = await import("./lerc.ts");
      return decodeLercBlock(image, bytes, rows, codecs);
    }
  }
  const length = rows * blockRowBytes(image);
  const input = image.reversedBits ? reverseBits(bytes) : bytes;
  if (image.compression === 8 || image.compression === 32946) return inflateBlock(image, input, rows, allocate);
  const raw = await decompress(image, input, length, codecs);
  checkLength(raw, length);
  return toSamples(image, raw, rows);
}

function checkLength(raw: Uint8Array, length: number): void {
  if (raw.length < length) throw new CogError("corrupt", `A block ends after ${raw.length} of ${length} bytes.`);
}

function inflateBlock(
  image: TiffImage,
  bytes: Uint8Array,
  rows: number,
  allocate: (bytes: number) => Uint8Array,
): Samples {
  const { bits, interleaved, littleEndian, predictor, blockWidth } = image;
  const length = rows * blockRowBytes(image);
  const size = bits / 8;
  const isCommon = size === 1 || ((size === 2 || size === 4) && littleEndian && !(image.float && size === 2));
  const differences =
    isCommon && predictor === 2
      ? { size: size as 1 | 2 | 4, perRow: blockWidth * interleaved, stride: interleaved }
      : undefined;
  const raw = inflate(bytes, length, differences);
  checkLength(raw, length);
  if (!isCommon || predictor === 3) return toSamples(image, copyBytes(raw), rows);
  const out = allocate(length);
  out.set(raw);
  return viewSamples(out, image.sampleType);
}

function decompress(
  image: TiffImage,
  bytes: Uint8Array,
  length: number,
  codecs: Codecs,
): Promise<Uint8Array> | Uint8Array {
  switch (image.compression) {
    case 5:
      return decodeLzw(bytes, length);
    case 32773:
      return decodePackBits(bytes, length);
    case 50000:
      return codecs.zstd(bytes, length, blockRowBytes(image) * image.blockHeight);
    default:
      return copyBytes(bytes, length);
  }
}

function toSamples(image: TiffImage, raw: Uint8Array, rows: number): Samples {
  const { bits, interleaved, littleEndian, predictor, sampleType } = image;
  const perRow = image.blockWidth * interleaved;
  const size = bits / 8;
  if (!Number.isInteger(size) || size === 3 || size === 5) return unpackBits(raw, bits, perRow, rows, sampleType);
  // typed views need alignment, and what is changed below must not be shared
  const bytes = raw.byteOffset % size === 0 ? raw : copyBytes(raw);
  if (predictor === 3) {
    const merged = undoFloatPlanes(bytes, perRow, rows, interleaved, size);
    toNativeOrder(merged, size, true);
    return toFloats(image, merged);
  }
  toNativeOrder(bytes, size, littleEndian);
  if (predictor === 2) {
    const count = bytes.byteLength / size;
    if (size === 1) undoDifferences(bytes, perRow, rows, interleaved);
    else if (size === 2)
      undoDifferences(new Uint16Array(bytes.buffer, bytes.byteOffset, count), perRow, rows, interleaved);
    else if (size === 4)
      undoDifferences(new Uint32Array(bytes.buffer, bytes.byteOffset, count), perRow, rows, interleaved);
    else undoDifferences64(new BigUint64Array(bytes.buffer, bytes.byteOffset, count), perRow, rows, interleaved);
  }
  return toFloats(image, bytes);
}

function toFloats(image: TiffImage, bytes: Uint8Array): Samples {
  if (image.float && image.bits === 16) return halfToFloat(viewSamples(bytes, "uint16") as Uint16Array);
  return viewSamples(bytes, image.sampleType);
}
