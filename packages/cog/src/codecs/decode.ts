import type { Samples } from "@swath/raster";
import { CogError } from "../errors.ts";
import { blockRowBytes, type TiffImage } from "../header/tiff-image.ts";
import { canInflate, inflate, inflateFirst } from "../kernels/inflate.ts";
import { copyBytes } from "../sources/source.ts";
import type { Codecs } from "./codecs.ts";
import { inflateAnywhere } from "./inflate-anywhere.ts";
import { codecLoader } from "./load-codec.ts";
import { decodeLzw } from "./lzw.ts";
import { decodePackBits } from "./packbits.ts";
import { undoDifferences, undoDifferences64, undoFloatPlanes } from "./predictor.ts";
import { halfToFloat, reverseBits, toNativeOrder, unpackBits, viewSamples } from "./stored-samples.ts";

const jpeg = codecLoader("JPEG", () => import("./jpeg/jpeg.ts"));
const webp = codecLoader("WebP", () => import("./webp/webp.ts"));
const lerc = codecLoader("LERC", () => import("./lerc/lerc.ts"));

/**
 * Most bytes that one byte of a compressed stream can become: a match of 258 bytes takes 2 bits in deflate (RFC 1951), a string of
 * LZW 12 bits for at most as many bytes as its table has entries, a run of PackBits 2 bytes for 128. The others have no bound.
 */
const MAX_RATIO: Readonly<Record<number, number>> = { 5: 2731, 8: 1032, 32946: 1032, 32773: 64 };

/** Gives memory for the samples of a block; it may hold anything. */
export type AllocateBlock = (bytes: number) => Uint8Array;

const isDeflate = ({ compression }: TiffImage): boolean => compression === 8 || compression === 32946;

/** Do blocks end with a checksum of all their bytes, which is compared? Only some blocks of Zstandard do. */
export function hasChecksum(image: TiffImage): boolean {
  return isDeflate(image) || image.compression === 34887;
}

/**
 * Are the inflated bytes the samples, except for their predictor? They are in nearly all files. Then the first rows can
 * be inflated alone.
 */
export function inflatesRows(image: TiffImage): boolean {
  const { bits, float, littleEndian, predictor, reversedBits } = image;
  return (
    isDeflate(image) &&
    (bits === 8 || ((bits === 16 || bits === 32) && littleEndian && !(float && bits === 16))) &&
    predictor !== 3 &&
    !reversedBits &&
    canInflate()
  );
}

/**
 * Decodes a block to its end, compares its checksum where it has one, and gives its first `rows` rows: those that belong to the
 * image, `rows × blockWidth × interleaved` samples in the machine's byte order. `bytes` is not changed.
 *
 * @throws {CogError} `corrupt` when the block ends before, ends too late, or its checksum does not match, `unsupported` for a kind of
 * JPEG, WebP or LERC not read, `codec-unavailable` where a decoder cannot be loaded.
 */
export async function decodeBlock(
  image: TiffImage,
  bytes: Uint8Array,
  rows: number,
  codecs: Codecs,
  allocate: AllocateBlock,
): Promise<Samples> {
  switch (image.compression) {
    case 7: {
      const { decodeJpegBlock } = await jpeg();
      return decodeJpegBlock(image, bytes, rows);
    }
    case 50001: {
      const { decodeWebpBlock } = await webp();
      return decodeWebpBlock(image, bytes, rows, codecs);
    }
    case 34887: {
      const { decodeLercBlock } = await lerc();
      return decodeLercBlock(image, bytes, rows, codecs);
    }
  }
  const rowBytes = blockRowBytes(image);
  const whole = rowBytes * image.blockHeight;
  const length = rowBytes * rows;
  const most = bytes.length * (MAX_RATIO[image.compression] ?? Number.POSITIVE_INFINITY);
  // declared sizes may be damaged: no memory is allocated for what cannot come out
  if (length > most)
    throw new CogError("corrupt", `A block of ${bytes.length} bytes cannot hold ${length} of samples.`);
  if (inflatesRows(image)) {
    const inflated = inflate(bytes, whole, differencesOf(image));
    checkLength(inflated.length, length);
    return keepRows(image, inflated, length, length, allocate);
  }
  const input = image.reversedBits ? reverseBits(bytes) : bytes;
  const raw = await decompress(image, input, whole, codecs);
  // strips have fewer rows at the bottom, and some writers cut tiles there, too
  checkLength(raw.length, length);
  return toSamples(image, raw.subarray(0, length), rows);
}

/**
 * The first `rows` rows of a block whose image `inflatesRows`, from its first bytes; `undefined` where these bytes hold fewer. They are
 * not compared with anything. The memory is for `imageRows` rows.
 *
 * @throws {CogError} `corrupt` where the stream is damaged
 */
export function decodeFirstRows(
  image: TiffImage,
  bytes: Uint8Array,
  rows: number,
  imageRows: number,
  allocate: AllocateBlock,
): Samples | undefined {
  const rowBytes = blockRowBytes(image);
  const inflated = inflateFirst(bytes, rows * rowBytes, differencesOf(image));
  if (inflated.length < rows * rowBytes) return undefined;
  return keepRows(image, inflated, rows * rowBytes, imageRows * rowBytes, allocate);
}

/** Copies the first `length` bytes of the kernel's memory, which the next block uses again. */
function keepRows(
  { sampleType }: TiffImage,
  inflated: Uint8Array,
  length: number,
  size: number,
  allocate: AllocateBlock,
): Samples {
  const out = allocate(size);
  out.set(inflated.length === length ? inflated : inflated.subarray(0, length));
  return viewSamples(out, sampleType);
}

function differencesOf({ bits, interleaved, predictor, blockWidth }: TiffImage) {
  if (predictor !== 2) return undefined;
  return { size: (bits / 8) as 1 | 2 | 4, perRow: blockWidth * interleaved, stride: interleaved };
}

function checkLength(length: number, expected: number): void {
  if (length < expected) throw new CogError("corrupt", `A block ends after ${length} of ${expected} bytes.`);
}

/** At most `whole` bytes: all that come out. */
function decompress(
  image: TiffImage,
  bytes: Uint8Array,
  whole: number,
  codecs: Codecs,
): Promise<Uint8Array> | Uint8Array {
  switch (image.compression) {
    case 5:
      return decodeLzw(bytes, whole);
    case 8:
    case 32946:
      return inflateAnywhere(bytes, whole);
    case 32773:
      return decodePackBits(bytes, whole);
    case 50000:
      return codecs.zstd(bytes, whole);
    default:
      return copyBytes(bytes, whole);
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
