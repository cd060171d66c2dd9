import { allocateSamples, type Samples, type SampleType } from "@swath/raster";
import { CogError } from "../../errors.ts";
import { LERC_TYPES, LercBytes, type LercHeader, readValues } from "./lerc2-bytes.ts";
import { readHuffman } from "./lerc2-huffman.ts";
import { readTiles } from "./lerc2-tiles.ts";

/** Samples of one LERC2 blob; `depth` of them per pixel, interleaved. Those outside the mask are 0. */
export interface LercBlob {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly samples: Samples;
  /** 1 where a pixel is valid, one byte each; undefined where all are. */
  readonly mask: Uint8Array | undefined;
}

/** The most that a blob may hold: nothing is allocated beyond it. */
export interface LercBounds {
  readonly sampleType: SampleType;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

const FLOAT32 = 6;
/** Values of the byte after "read in one sweep". */
const TILES = 0;
const DELTA_HUFFMAN = 1;
const HUFFMAN = 2;

/**
 * Decodes LERC2 blobs that follow each other, one for each band: versions 2 to 6 of Esri's format, read as its reference
 * implementation does (https://github.com/Esri/lerc, `Lerc2.cpp`). Samples are in the machine's byte order.
 *
 * @throws {CogError} `corrupt` where the bytes are damaged or hold more than the bounds, `unsupported` for LERC1 and for the
 * lossless compression of floating point of version 6, which GDAL does not write.
 */
export function decodeLerc2(bytes: Uint8Array, bounds: LercBounds): LercBlob[] {
  const bands: LercBlob[] = [];
  let at = 0;
  do {
    const { blob, end } = readBlob(bytes.subarray(at), bounds, bands.at(-1));
    bands.push(blob);
    at += end;
  } while (bands.length < bounds.depth && startsBlob(bytes, at));
  return bands;
}

function startsBlob(bytes: Uint8Array, at: number): boolean {
  return [..."Lerc2 "].every((letter, i) => bytes[at + i] === letter.charCodeAt(0));
}

function readBlob(
  bytes: Uint8Array,
  bounds: LercBounds,
  before: LercBlob | undefined,
): { blob: LercBlob; end: number } {
  if (!startsBlob(bytes, 0)) {
    if (bytes[0] === 0x43 && bytes[1] === 0x6e) throw new CogError("unsupported", "LERC of version 1 is not read.");
    throw new CogError("corrupt", "A LERC block does not start with a LERC header.");
  }
  const input = new LercBytes(bytes, 6);
  const version = input.int32();
  if (version < 2 || version > 6) throw new CogError("unsupported", `LERC2 of version ${version} is not read.`);
  const checksum = version >= 3 ? input.uint32() : undefined;
  const height = input.int32();
  const width = input.int32();
  const depth = version >= 4 ? input.int32() : 1;
  const validCount = input.int32();
  const tileSide = input.int32();
  const size = input.int32();
  const type = input.int32();
  // further members of version 6: blobs to come, flags
  if (version >= 6) input.skip(8);
  const maxError = input.float64();
  const min = input.float64();
  const max = input.float64();
  const stored = version >= 6 ? input.float64() : 0;
  const original = version >= 6 ? input.float64() : 0;
  if (size < input.at || size > bytes.length) {
    throw new CogError("corrupt", `A LERC blob declares ${size} bytes, its block has ${bytes.length}.`);
  }
  if (LERC_TYPES[type] !== bounds.sampleType) {
    throw new CogError(
      "corrupt",
      `Expected samples of ${bounds.sampleType}, the LERC has ${LERC_TYPES[type] ?? type}.`,
    );
  }
  if (width !== bounds.width || height < 1 || height > bounds.height || depth < 1 || depth > bounds.depth) {
    throw new CogError(
      "corrupt",
      `Expected a block of ${bounds.width} x ${bounds.height} x ${bounds.depth}, the LERC in it is ${width} x ${height} x ${depth}.`,
    );
  }
  if (validCount < 0 || validCount > width * height || tileSide < 1 || tileSide > 32) throw damaged();
  if (checksum !== undefined && checksum !== fletcher32(bytes.subarray(14, size))) {
    throw new CogError("corrupt", "The checksum of a LERC block does not match.");
  }
  const body = new LercBytes(bytes.subarray(0, size), input.at);
  const mask = readMask(body, width * height, validCount, before?.mask);
  const header = { version, width, height, depth, validCount, tileSide, type, maxError, min, max, maxima: [max], mask };
  const samples = allocateSamples(bounds.sampleType, width * height * depth);
  readSamples(body, header, samples);
  if (stored !== original) replace(samples, stored, original);
  return { blob: { width, height, depth, samples, mask }, end: size };
}

function readSamples(input: LercBytes, header: LercHeader, samples: Samples): void {
  const { version, depth, type, maxError, min, max } = header;
  if (header.validCount === 0) return;
  if (min === max) {
    fill(header, new Array<number>(depth).fill(min), samples);
    return;
  }
  let maxima = header.maxima;
  if (version >= 4) {
    const minima = readValues(input, type, depth);
    const greatest = readValues(input, type, depth);
    if (minima.every((value, i) => value === greatest[i])) {
      fill(header, [...minima], samples);
      return;
    }
    if (depth > 1) maxima = [...greatest];
  }
  if (input.uint8() !== 0) {
    readOneSweep(input, header, samples);
    return;
  }
  const isByte = type <= 1 && maxError === 0.5;
  const isLosslessFloat = version >= 6 && type >= FLOAT32 && maxError === 0;
  const mode = isByte || isLosslessFloat ? input.uint8() : TILES;
  if (mode === TILES) readTiles(input, { ...header, maxima }, samples);
  else if (isByte && (mode === DELTA_HUFFMAN || (mode === HUFFMAN && version >= 4))) {
    readHuffman(input, header, samples, mode === DELTA_HUFFMAN);
  } else if (isLosslessFloat && mode === 3) {
    throw new CogError("unsupported", "The lossless compression of floating point of LERC2 version 6 is not read.");
  } else throw damaged();
}

/** The samples of all valid pixels, as they are. */
function readOneSweep(input: LercBytes, { mask, validCount, depth, type }: LercHeader, samples: Samples): void {
  const values = readValues(input, type, validCount * depth);
  if (mask === undefined) {
    samples.set(values);
    return;
  }
  let from = 0;
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] !== 0) for (let d = 0; d < depth; d++) samples[i * depth + d] = values[from++]!;
  }
}

function fill({ mask, width, height, depth }: LercHeader, values: readonly number[], samples: Samples): void {
  for (let i = 0; i < width * height; i++) {
    if (mask === undefined || mask[i] !== 0) for (let d = 0; d < depth; d++) samples[i * depth + d] = values[d]!;
  }
}

/** The mask: bits of all pixels, most significant first, in runs (`RLE.cpp`). Undefined where all pixels are valid. */
function readMask(
  input: LercBytes,
  pixels: number,
  validCount: number,
  before: Uint8Array | undefined,
): Uint8Array | undefined {
  const size = input.int32();
  if (size < 0 || ((validCount === 0 || validCount === pixels) && size !== 0)) throw damaged();
  if (validCount === pixels) return undefined;
  if (validCount === 0) return new Uint8Array(pixels);
  if (size === 0) {
    if (before === undefined) throw damaged();
    return before;
  }
  const runs = new LercBytes(input.take(size), 0);
  const bits = new Uint8Array(Math.ceil(pixels / 8));
  let to = 0;
  for (let count = runs.int16(); count !== -32768; count = runs.int16()) {
    if (to + Math.abs(count) > bits.length) throw damaged();
    if (count > 0) bits.set(runs.take(count), to);
    else bits.fill(runs.uint8(), to, to - count);
    to += Math.abs(count);
  }
  const mask = new Uint8Array(pixels);
  let valid = 0;
  for (let i = 0; i < pixels; i++) valid += mask[i] = (bits[i >> 3]! >> (7 - (i & 7))) & 1;
  if (valid !== validCount) throw damaged();
  return mask;
}

/** Version 6 may store "no data" as another value. */
function replace(samples: Samples, stored: number, original: number): void {
  for (let i = 0; i < samples.length; i++) if (samples[i] === stored) samples[i] = original;
}

/** Fletcher's checksum over big-endian words of 16 bits, as `Lerc2::ComputeChecksumFletcher32` has it. */
function fletcher32(bytes: Uint8Array): number {
  let sum1 = 0xffff;
  let sum2 = 0xffff;
  const even = bytes.length & ~1;
  for (let at = 0; at < even; ) {
    // as many words as keep both sums below 2^32
    const end = Math.min(even, at + 718);
    for (; at < end; at += 2) {
      sum1 += (bytes[at]! << 8) | bytes[at + 1]!;
      sum2 += sum1;
    }
    sum1 = (sum1 & 0xffff) + (sum1 >>> 16);
    sum2 = (sum2 & 0xffff) + (sum2 >>> 16);
  }
  if (even < bytes.length) {
    sum1 += bytes[even]! << 8;
    sum2 += sum1;
  }
  sum1 = (sum1 & 0xffff) + (sum1 >>> 16);
  sum2 = (sum2 & 0xffff) + (sum2 >>> 16);
  return ((sum2 << 16) | sum1) >>> 0;
}

function damaged(): CogError {
  return new CogError("corrupt", "A LERC block is damaged.");
}
