import type { Samples } from "@swath/raster";
import { CogError } from "../../errors.ts";
import { readPacked } from "./lerc2-bits.ts";
import { type LercBytes, type LercHeader, readValues } from "./lerc2-bytes.ts";

const INT32 = 4;
const FLOAT32 = 6;
const UNSIGNED = [1, 3, 5];

/** @internal One tile: its pixels, and how many of them are valid. */
interface Tile {
  readonly left: number;
  readonly right: number;
  readonly rows: number;
  readonly valid: number;
  /** The mask of the whole row of tiles. */
  readonly mask: Uint8Array | undefined;
}

/** @internal Samples in square tiles, each of which has an encoding of its own (`Lerc2::ReadTiles`). */
export function readTiles(input: LercBytes, header: LercHeader, samples: Samples): void {
  const { width, height, depth, tileSide, mask } = header;
  const packed = new Uint32Array(tileSide * tileSide);
  // a row of tiles in numbers of one type: stores into arrays of eight types are five times as slow
  const strip = new Float64Array(width * Math.min(tileSide, height) * depth);
  for (let top = 0; top < height; top += tileSide) {
    const rows = Math.min(height - top, tileSide);
    const stripMask = mask?.subarray(top * width, (top + rows) * width);
    if (stripMask !== undefined) strip.fill(0);
    for (let left = 0; left < width; left += tileSide) {
      const right = Math.min(width, left + tileSide);
      let valid = (right - left) * rows;
      if (stripMask !== undefined) {
        valid = 0;
        for (let y = 0; y < rows; y++) for (let x = left; x < right; x++) valid += stripMask[y * width + x]!;
      }
      const tile = { left, right, rows, valid, mask: stripMask };
      for (let d = 0; d < depth; d++) readTile(input, header, strip, tile, d, packed);
    }
    samples.set(strip.subarray(0, rows * width * depth), top * width * depth);
  }
}

function readTile(
  input: LercBytes,
  header: LercHeader,
  strip: Float64Array,
  tile: Tile,
  d: number,
  packed: Uint32Array,
): void {
  const { version, type, maxError } = header;
  const flags = input.uint8();
  // from version 5 on bit 2 says that values are differences to the depth before
  const isDifference = version >= 5 && (flags & 4) !== 0;
  const pattern = version >= 5 ? 14 : 15;
  if (((flags >> 2) & pattern) !== ((tile.left >> 3) & pattern) || (isDifference && d === 0)) throw damaged();
  const encoding = flags & 3;
  if (encoding === 0) {
    if (isDifference) throw damaged();
    place(header, strip, tile, d, readValues(input, type, tile.valid));
    return;
  }
  if (encoding === 2) {
    placeScaled(header, strip, tile, d, { offset: 0, scale: 0, isDifference, isLimited: false });
    return;
  }
  const offsetType = reducedType(isDifference && type < FLOAT32 ? INT32 : type, flags >> 6);
  if (offsetType === undefined) throw damaged();
  const offset = input.value(offsetType);
  if (encoding === 3) {
    placeScaled(header, strip, tile, d, { offset, scale: 0, isDifference, isLimited: isDifference });
    return;
  }
  const area = (tile.right - tile.left) * tile.rows;
  if (readPacked(input, packed.subarray(0, area), version) !== tile.valid) throw damaged();
  placeScaled(header, strip, tile, d, { packed, offset, scale: 2 * maxError, isDifference, isLimited: true });
}

/** The line that turns integers into the samples of a tile: offset + scale × integer. */
interface Scaling {
  readonly packed?: Uint32Array;
  readonly offset: number;
  readonly scale: number;
  /** Samples are differences to those of the depth before. */
  readonly isDifference: boolean;
  /** No sample is larger than the largest of its depth. */
  readonly isLimited: boolean;
}

function place(header: LercHeader, strip: Float64Array, tile: Tile, d: number, values: Samples): void {
  const { width, depth } = header;
  const { mask, left, right } = tile;
  let from = 0;
  for (let y = 0; y < tile.rows; y++) {
    for (let i = y * width + left; i < y * width + right; i++) {
      if (mask === undefined || mask[i] !== 0) strip[i * depth + d] = values[from++]!;
    }
  }
}

function placeScaled(header: LercHeader, strip: Float64Array, tile: Tile, d: number, scaling: Scaling): void {
  const { packed, offset, scale, isDifference, isLimited } = scaling;
  const { width, depth, maxima, type } = header;
  const { mask, left, right } = tile;
  const max = isLimited ? (maxima[d] ?? header.max) : Number.POSITIVE_INFINITY;
  // a lossy difference may fall below 0
  const min = UNSIGNED.includes(type) ? 0 : Number.NEGATIVE_INFINITY;
  let from = 0;
  for (let y = 0; y < tile.rows; y++) {
    const end = y * width + right;
    if (mask === undefined && depth === 1 && packed !== undefined) {
      for (let i = y * width + left; i < end; i++) strip[i] = Math.min(offset + packed[from++]! * scale, max);
      continue;
    }
    for (let i = y * width + left; i < end; i++) {
      if (mask !== undefined && mask[i] === 0) continue;
      const to = i * depth + d;
      let value = offset + (packed === undefined ? 0 : packed[from++]! * scale);
      if (isDifference) value += type === FLOAT32 ? Math.fround(strip[to - 1]!) : strip[to - 1]!;
      strip[to] = isDifference ? Math.max(min, Math.min(value, max)) : Math.min(value, max);
    }
  }
}

/** The type that an offset is stored in (`Lerc2::GetDataTypeUsed`). */
function reducedType(type: number, code: number): number | undefined {
  switch (type) {
    case 2:
    case 4:
      return code <= (type === 2 ? 2 : 3) ? type - code : undefined;
    case 3:
    case 5:
      return code <= (type === 3 ? 1 : 2) ? type - 2 * code : undefined;
    case 6:
      return [6, 2, 1][code];
    case 7:
      return code === 0 ? 7 : 8 - 2 * code;
    default:
      return type;
  }
}

function damaged(): CogError {
  return new CogError("corrupt", "A tile of a LERC block is damaged.");
}
