import { getUint64, type TagEntry, type TiffDirectory, typeBytes, viewOf } from "./directories.ts";
import type { HeaderBytes } from "./header-bytes.ts";

/** Values of some tags of one directory. A tag that is not there, or was not asked for, has none. */
export interface Tags {
  /** The first number of a tag. */
  number(tag: number): number | undefined;
  /** All its numbers; none where it holds text or fractions. */
  numbers(tag: number): readonly number[];
  /** Its bytes, where its values are single ones. */
  bytes(tag: number): Uint8Array | undefined;
  text(tag: number): string | undefined;
  entry(tag: number): TagEntry | undefined;
}

/** ASCII, and the types of single bytes, as which some writers store text (libtiff reads it so). */
const TEXT = new Set([1, 2, 6, 7]);

/**
 * Reads the values of the tags in `wanted`, one after the other: bytes that are not held yet are read together with
 * those after them.
 *
 * @throws {CogError} `corrupt` where the file ends inside a value, or a 64-bit number is none; what the source throws.
 */
export async function readTags(
  directory: TiffDirectory,
  wanted: readonly number[],
  bytes: HeaderBytes,
  littleEndian: boolean,
): Promise<Tags> {
  const values = new Map<number, Uint8Array>();
  for (const tag of wanted) {
    const entry = directory.tags.get(tag);
    if (entry === undefined) continue;
    values.set(tag, await bytes.readExactly(entry.offset, typeBytes(entry.type) * entry.count));
  }
  const numbers = (tag: number): readonly number[] => {
    const value = values.get(tag);
    return value === undefined ? [] : toNumbers(value, directory.tags.get(tag)!.type, littleEndian);
  };
  return {
    number: (tag) => numbers(tag)[0],
    numbers,
    bytes: (tag) => (typeBytes(directory.tags.get(tag)?.type ?? 0) === 1 ? values.get(tag)?.slice() : undefined),
    text(tag) {
      const value = TEXT.has(directory.tags.get(tag)?.type ?? 0) ? values.get(tag) : undefined;
      return value === undefined ? undefined : new TextDecoder().decode(value);
    },
    entry: (tag) => directory.tags.get(tag),
  };
}

/** Readers of a number, by TIFF field type (TIFF 6.0 section 2, BigTIFF adds 16 to 18). */
const READERS: Readonly<Record<number, (view: DataView, at: number, littleEndian: boolean) => number>> = {
  1: (view, at) => view.getUint8(at),
  3: (view, at, littleEndian) => view.getUint16(at, littleEndian),
  4: (view, at, littleEndian) => view.getUint32(at, littleEndian),
  6: (view, at) => view.getInt8(at),
  7: (view, at) => view.getUint8(at),
  8: (view, at, littleEndian) => view.getInt16(at, littleEndian),
  9: (view, at, littleEndian) => view.getInt32(at, littleEndian),
  11: (view, at, littleEndian) => view.getFloat32(at, littleEndian),
  12: (view, at, littleEndian) => view.getFloat64(at, littleEndian),
  13: (view, at, littleEndian) => view.getUint32(at, littleEndian),
  16: getUint64,
  17: (view, at, littleEndian) => Number(view.getBigInt64(at, littleEndian)),
  18: getUint64,
};

function toNumbers(bytes: Uint8Array, type: number, littleEndian: boolean): number[] {
  const read = READERS[type];
  if (read === undefined) return [];
  const view = viewOf(bytes);
  const size = typeBytes(type);
  return Array.from({ length: bytes.length / size }, (_, i) => read(view, i * size, littleEndian));
}
