import { bytesPerSample, type Samples, type SampleType } from "@swath/raster";
import { CogError } from "../../errors.ts";
import { viewSamples } from "../stored-samples.ts";

/** @internal The header of a blob. */
export interface LercHeader {
  readonly version: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly validCount: number;
  /** Side of a tile, pixels. */
  readonly tileSide: number;
  readonly type: number;
  /** Samples are within this of those encoded. */
  readonly maxError: number;
  readonly min: number;
  readonly max: number;
  /** Largest sample of each depth (version 4 and later); otherwise of all. */
  readonly maxima: readonly number[];
  readonly mask: Uint8Array | undefined;
}

/** Types of samples by their number in a blob. */
export const LERC_TYPES: readonly SampleType[] = [
  "int8",
  "uint8",
  "int16",
  "uint16",
  "int32",
  "uint32",
  "float32",
  "float64",
];

/** @internal Reads little-endian values one after the other. Each read throws {CogError} `corrupt` past the end. */
export class LercBytes {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  /** Moves past `count` bytes; where they begin. */
  skip(count: number): number {
    const from = this.at;
    if (count < 0 || from + count > this.bytes.length) throw new CogError("corrupt", "A LERC block ends too early.");
    this.at = from + count;
    return from;
  }

  /** A view of the next `count` bytes. */
  take(count: number): Uint8Array {
    const from = this.skip(count);
    return this.bytes.subarray(from, from + count);
  }

  uint8(): number {
    return this.#view.getUint8(this.skip(1));
  }
  int16(): number {
    return this.#view.getInt16(this.skip(2), true);
  }
  uint16(): number {
    return this.#view.getUint16(this.skip(2), true);
  }
  int32(): number {
    return this.#view.getInt32(this.skip(4), true);
  }
  uint32(): number {
    return this.#view.getUint32(this.skip(4), true);
  }
  float64(): number {
    return this.#view.getFloat64(this.skip(8), true);
  }

  /** A value of a type by its number in LERC. */
  value(type: number): number {
    switch (type) {
      case 0:
        return this.#view.getInt8(this.skip(1));
      case 1:
        return this.uint8();
      case 2:
        return this.int16();
      case 3:
        return this.uint16();
      case 4:
        return this.int32();
      case 5:
        return this.uint32();
      case 6:
        return this.#view.getFloat32(this.skip(4), true);
      default:
        return this.float64();
    }
  }
}

/** Values of a type of LERC; the type is one of `LERC_TYPES`. */
export function readValues(input: LercBytes, type: number, count: number): Samples {
  const sampleType = LERC_TYPES[type]!;
  // a copy, as views need alignment
  return viewSamples(input.take(count * bytesPerSample(sampleType)).slice(), sampleType);
}
