import { CogError } from "../errors.ts";
import type { HeaderBytes } from "./header-bytes.ts";

/** Type, count and offset of the values of a tag. */
export interface TagEntry {
  readonly type: number;
  readonly count: number;
  /** Byte offset of the first value, inside the entry when it fits there. */
  readonly offset: number;
}

/** One image file directory, its entries located and their sizes checked, their values not yet read. */
export interface TiffDirectory {
  readonly offset: number;
  readonly tags: ReadonlyMap<number, TagEntry>;
}

export interface TiffLayout {
  readonly littleEndian: boolean;
  readonly big: boolean;
  readonly directories: readonly TiffDirectory[];
}

/** Bytes of one value by TIFF field type (TIFF 6.0 section 2, BigTIFF adds 16 to 18). */
const TYPE_BYTES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
};
/** Directories that are looked at: those of more pages are other images than the first and its overviews. */
const MAX_DIRECTORIES = 512;
const MAX_ENTRIES = 4096;
/** Tags that may be long: offsets and byte counts of strips and tiles, read page by page. */
export const BLOCK_TAGS: ReadonlySet<number> = new Set([273, 279, 324, 325]);
const MAX_TAG_BYTES = 16 * 1024 * 1024;
/** Tags of numbers that are read into arrays: none of them is long, GeoKeys and palettes at most 65,535 entries of 8 bytes. */
const NUMBERS = new Set([258, 320, 338, 339, 347, 530, 33550, 33922, 34264, 34735, 34736, 50674]);
const MAX_NUMBERS_BYTES = 1024 * 1024;

export function typeBytes(type: number): number {
  return TYPE_BYTES[type] ?? 0;
}

/** Directories and what is known of the file around them. */
interface Located {
  readonly bytes: HeaderBytes;
  /** Name of the file, for messages. */
  readonly key: string;
  /** Bytes of the file, where they are known. */
  readonly size?: number | undefined;
  /**
   * Tags that are read, by default all. Others are left out, as TIFF 6.0 asks: their types and sizes are their writers' own.
   */
  readonly wanted?: ReadonlySet<number>;
}

/**
 * Walks the chain of directories and checks the declared size of each tag that is read before anyone allocates for it; a chain
 * that returns to a directory already seen ends there, as in libtiff.
 *
 * @throws {CogError} `not-a-tiff`, `too-large` for a tag of more than is read, `corrupt` where the chain or a count cannot be true.
 */
export async function locateDirectories(located: Located): Promise<TiffLayout> {
  const { bytes, key } = located;
  const head = await bytes.read(0, 16);
  const mark = head.length < 8 ? 0 : (head[0]! << 8) | head[1]!;
  if (mark !== 0x4949 && mark !== 0x4d4d) {
    throw new CogError("not-a-tiff", `${key}: expected a TIFF that starts with "II" or "MM".`);
  }
  const littleEndian = mark === 0x4949;
  const view = viewOf(head);
  const magic = view.getUint16(2, littleEndian);
  const big = magic === 43;
  if ((magic !== 42 && !big) || (big && (head.length < 16 || view.getUint16(4, littleEndian) !== 8))) {
    throw new CogError("not-a-tiff", `${key}: expected the TIFF magic number 42 or 43, got ${magic}.`);
  }
  const seen = new Set<number>();
  const directories: TiffDirectory[] = [];
  let next = big ? getUint64(view, 8, littleEndian) : view.getUint32(4, littleEndian);
  while (next !== 0 && !seen.has(next) && directories.length < MAX_DIRECTORIES) {
    seen.add(next);
    const found = await locateDirectory(located, next, littleEndian, big);
    // a chain that breaks after the first image does not make that image unreadable
    if (found === undefined) break;
    directories.push(found.directory);
    next = found.next;
  }
  if (directories.length === 0) throw new CogError("corrupt", `${key}: no image directory at byte ${next}.`);
  return { littleEndian, big, directories };
}

async function locateDirectory(
  { bytes, key, size, wanted }: Located,
  offset: number,
  littleEndian: boolean,
  big: boolean,
): Promise<{ directory: TiffDirectory; next: number } | undefined> {
  const countBytes = big ? 8 : 2;
  const entryBytes = big ? 20 : 12;
  const inline = big ? 8 : 4;
  const countPart = await bytes.read(offset, countBytes);
  if (countPart.length < countBytes) return undefined;
  const entries = big ? getUint64(viewOf(countPart), 0, littleEndian) : viewOf(countPart).getUint16(0, littleEndian);
  if (entries === 0 || entries > MAX_ENTRIES) {
    throw new CogError(
      "corrupt",
      `${key}: expected 1 to ${MAX_ENTRIES} tags in the directory at ${offset}, got ${entries}.`,
    );
  }
  const view = viewOf(await bytes.readExactly(offset, countBytes + entries * entryBytes));
  const tags = new Map<number, TagEntry>();
  for (let i = 0; i < entries; i++) {
    const at = countBytes + i * entryBytes;
    const tag = view.getUint16(at, littleEndian);
    // the first of two entries of a tag counts, as in libtiff
    if (wanted?.has(tag) === false || tags.has(tag)) continue;
    const type = view.getUint16(at + 2, littleEndian);
    const count = big ? getUint64(view, at + 4, littleEndian) : view.getUint32(at + 4, littleEndian);
    const valueAt = at + (big ? 12 : 8);
    const length = typeBytes(type) * count;
    // TIFF 6.0, section 2: readers skip fields of types that they do not know
    if (typeBytes(type) === 0) continue;
    let valuesAt = offset + valueAt;
    if (length > inline) {
      valuesAt = big ? getUint64(view, valueAt, littleEndian) : view.getUint32(valueAt, littleEndian);
      const bound = BLOCK_TAGS.has(tag)
        ? Number.MAX_SAFE_INTEGER
        : NUMBERS.has(tag)
          ? MAX_NUMBERS_BYTES
          : MAX_TAG_BYTES;
      if (size !== undefined && valuesAt + length > size) {
        const message = `${key}: tag ${tag} declares ${count} values at ${valuesAt}, more than the file holds.`;
        throw new CogError("corrupt", message);
      }
      if (length > bound) {
        throw new CogError("too-large", `${key}: tag ${tag} has ${length} bytes, at most ${bound} are read.`);
      }
    }
    tags.set(tag, { type, count, offset: valuesAt });
  }
  const nextPart = await bytes.read(offset + countBytes + entries * entryBytes, inline);
  const next =
    nextPart.length < inline
      ? 0
      : big
        ? getUint64(viewOf(nextPart), 0, littleEndian)
        : viewOf(nextPart).getUint32(0, littleEndian);
  return { directory: { offset, tags }, next };
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** @throws {CogError} `corrupt` above 2^53, which no offset of a file is. */
export function getUint64(view: DataView, at: number, littleEndian: boolean): number {
  const value = Number(view.getBigUint64(at, littleEndian));
  if (!Number.isSafeInteger(value))
    throw new CogError("corrupt", `The 64-bit number ${value} cannot be an offset or a count.`);
  return value;
}
