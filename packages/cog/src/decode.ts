import type { Samples } from "@swath/raster";
import type { BlockRest } from "./block-cache.ts";
import type { Codecs, Inflater } from "./codecs.ts";
import { CogError } from "./errors.ts";
import { blockRowBytes, type TiffImage } from "./image.ts";
import { decodeLzw } from "./lzw.ts";
import { decodePackBits } from "./packbits.ts";
import { undoDifferences, undoDifferences64, undoFloatPlanes } from "./predictor.ts";
import { copyBytes, halfToFloat, reverseBits, toNativeOrder, unpackBits, viewSamples } from "./samples.ts";

/** Can decoding stop after some rows? The image codecs and LERC give whole blocks. */
export function decodesByRow(image: TiffImage): boolean {
  return image.compression !== 7 && image.compression !== 50001 && image.compression !== 34887;
}

/** Larger blocks are not begun: room is made for all of their rows at once. A block of 1024 × 1024 × 3 bytes has 3 MiB. */
const MAX_BEGUN = 16 << 20;
/** Pieces that a block is inflated in where not all of it is needed. */
const PIECES = 8;

/**
 * Begins a block whose rows are decoded as they are needed; undefined where only `decodeBlock` can: rows must be samples as
 * they come out of a zlib stream.
 */
export function beginBlock(
  image: TiffImage,
  bytes: Uint8Array,
  imageRows: number,
  codecs: Codecs,
): PartialBlock | undefined {
  const { bits, compression, float, predictor, reversedBits } = image;
  const isPlain = [8, 16, 32, 64].includes(bits) && !(float && bits === 16) && predictor !== 3 && !reversedBits;
  if (!isPlain || (compression !== 8 && compression !== 32946) || codecs.inflater === undefined) return undefined;
  const rowBytes = blockRowBytes(image);
  if (imageRows * rowBytes > MAX_BEGUN) return undefined;
  const inflater = codecs.inflater(bytes, Math.ceil(imageRows / PIECES) * rowBytes);
  return new PartialBlock(image, imageRows, inflater);
}

/** A block that grows from the top. */
export class PartialBlock implements BlockRest {
  readonly samples: Samples;
  readonly #image: TiffImage;
  readonly #inflater: Inflater;
  readonly #raw: Uint8Array<ArrayBuffer>;
  #bytes = 0;
  #rows = 0;

  constructor(image: TiffImage, imageRows: number, inflater: Inflater) {
    this.#image = image;
    this.#inflater = inflater;
    this.#raw = new Uint8Array(imageRows * blockRowBytes(image));
    this.samples = viewSamples(this.#raw, image.sampleType);
  }

  async growTo(rows: number): Promise<number> {
    const rowBytes = blockRowBytes(this.#image);
    while (this.#rows < rows) {
      const piece = await this.#inflater.next();
      if (piece === undefined) {
        throw new CogError("corrupt", `A block ends after ${this.#bytes} of ${rows * rowBytes} bytes.`);
      }
      // a stream may be longer than its block
      this.#raw.set(piece.subarray(0, this.#raw.length - this.#bytes), this.#bytes);
      this.#bytes = Math.min(this.#raw.length, this.#bytes + piece.length);
      const whole = Math.floor(this.#bytes / rowBytes);
      // in place: plain samples are views of the bytes
      if (whole > this.#rows) {
        toSamples(this.#image, this.#raw.subarray(this.#rows * rowBytes, whole * rowBytes), whole - this.#rows);
      }
      this.#rows = whole;
    }
    if (this.#bytes === this.#raw.length) this.#inflater.close();
    return this.#rows;
  }
}

/**
 * Decodes the first `rows` rows of a block: `rows × blockWidth × interleaved` samples in the machine's byte order.
 * `bytes` is not changed.
 *
 * @throws {CogError} `corrupt` when the block ends before, `unsupported` for a kind of JPEG, WebP or LERC not read.
 */
export async function decodeBlock(image: TiffImage, bytes: Uint8Array, rows: number, codecs: Codecs): Promise<Samples> {
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
  const raw = await decompress(image, input, length, codecs);
  if (raw.length < length) {
    throw new CogError("corrupt", `A block ends after ${raw.length} of ${length} bytes.`);
  }
  return toSamples(image, raw, rows);
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
      return codecs.inflate(bytes, length);
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
