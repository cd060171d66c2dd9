import type { Samples } from "@swath/raster";
import { CogError } from "../errors.ts";
import { blockRowBytes, type TiffImage } from "../header/tiff-image.ts";
import { canInflate, inflatePart, type PausedStream } from "../kernels/inflate.ts";
import { inflateAnywhere } from "../kernels/without-wasm.ts";
import type { Codecs } from "./codecs.ts";
import { codecLoader } from "./load-codec.ts";
import { decodeLzw } from "./lzw.ts";
import { decodePackBits } from "./packbits.ts";
import { undoDifferences, undoDifferences64, undoFloatPlanes } from "./predictor.ts";
import { copyBytes, halfToFloat, reverseBits, toNativeOrder, unpackBits, viewSamples } from "./stored-samples.ts";

const jpeg = codecLoader("JPEG", () => import("./jpeg.ts"));
const webp = codecLoader("WebP", () => import("./webp.ts"));
const lerc = codecLoader("LERC", () => import("./lerc.ts"));

/** Can decoding stop after some rows? The image codecs and LERC give whole blocks. */
export function decodesRows(image: TiffImage): boolean {
  return image.compression !== 7 && image.compression !== 50001 && image.compression !== 34887;
}

/** What is decoded of a block. */
export interface DecodedRows {
  /** Memory of the whole block, or of `rows` rows. */
  readonly samples: Samples;
  readonly rows: number;
  /** What decoding resumes from, where rows are missing. */
  readonly rest?: Uint8Array | PausedStream | undefined;
}

/**
 * Decodes the first `rows` rows of a block: `rows × blockWidth × interleaved` samples in the machine's byte order.
 * `bytes` is not changed.
 *
 * @throws {CogError} `corrupt` when the block ends before or its checksum does not match, `unsupported` for a kind of JPEG,
 * WebP or LERC not read, `codec-unavailable` where a decoder cannot be loaded.
 */
export async function decodeBlock(image: TiffImage, bytes: Uint8Array, rows: number, codecs: Codecs): Promise<Samples> {
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
  const length = rows * blockRowBytes(image);
  const input = image.reversedBits ? reverseBits(bytes) : bytes;
  const raw = await decompress(image, input, length, codecs);
  checkLength(raw, length);
  return toSamples(image, raw, rows);
}

/** Can decoding of a block pause and resume at any row? True for the deflate blocks that nearly all files have. */
export function canResume({ compression, bits, float, littleEndian, predictor, reversedBits }: TiffImage): boolean {
  return (
    (compression === 8 || compression === 32946) &&
    (bits === 8 || ((bits === 16 || bits === 32) && littleEndian && !(float && bits === 16))) &&
    predictor !== 3 &&
    !reversedBits &&
    canInflate()
  );
}

/**
 * Decodes a block of an image that `canResume` to row `rows`, from its compressed bytes, or resuming after the rows of `held`.
 * `allocate` gives memory for `imageRows` rows, which begin with those of `held`, and for the rest of the stream where `keepsRest`.
 *
 * @throws {CogError} `corrupt` when the block ends before.
 */
export function resumeDecode(
  image: TiffImage,
  from: Uint8Array | PausedStream,
  held: DecodedRows | undefined,
  { rows, imageRows, keepsRest }: { readonly rows: number; readonly imageRows: number; readonly keepsRest: boolean },
  allocate: (bytes: number, part: "samples" | "rest") => Uint8Array,
): DecodedRows {
  const { bits, interleaved, predictor, blockWidth, sampleType } = image;
  const rowBytes = blockRowBytes(image);
  const before = (held?.rows ?? 0) * rowBytes;
  const size = (bits / 8) as 1 | 2 | 4;
  const differences = predictor === 2 ? { size, perRow: blockWidth * interleaved, stride: interleaved } : undefined;
  const { bytes, paused } = inflatePart(
    from,
    rows * rowBytes - before,
    differences,
    keepsRest && rows < imageRows ? (length) => allocate(length, "rest") : undefined,
    rows * rowBytes === blockBytes(image) || (!image.tiled && rows === imageRows),
  );
  if (before + bytes.length < rows * rowBytes) {
    throw new CogError("corrupt", `A block ends after ${before + bytes.length} of ${rows * rowBytes} bytes.`);
  }
  const out =
    held === undefined
      ? allocate(imageRows * rowBytes, "samples")
      : new Uint8Array(held.samples.buffer, held.samples.byteOffset, held.samples.byteLength);
  out.set(bytes, before);
  return { samples: held?.samples ?? viewSamples(out, sampleType), rows, rest: paused };
}

/** Bytes of a block that is stored whole. */
function blockBytes(image: TiffImage): number {
  return blockRowBytes(image) * image.blockHeight;
}

function checkLength(raw: Uint8Array, length: number): void {
  if (raw.length < length) throw new CogError("corrupt", `A block ends after ${raw.length} of ${length} bytes.`);
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
    case 8:
    case 32946:
      return inflateAnywhere(bytes, length, length === blockBytes(image));
    case 32773:
      return decodePackBits(bytes, length, length === blockBytes(image));
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
