import { CogError } from "../errors.ts";
import { getUint64, type TagEntry, typeBytes, viewOf } from "../header/directories.ts";
import type { HeaderBytes } from "../header/header-bytes.ts";
import { blockRowBytes, blockRows, MAX_BLOCK_BYTES, type TiffImage } from "../header/tiff-image.ts";
import { type ByteRange, mergeRanges } from "../sources/ranges.ts";
import { readCompared } from "../sources/read-compared.ts";
import type { Source } from "../sources/source.ts";

/** Entries of a table read at once: 64 KB of 32-bit offsets hold a level of 32,768 × 32,768 pixels in blocks of 256. */
const PAGE = 16_384;

/**
 * Offsets and sizes of the blocks of one image: TileOffsets and TileByteCounts, read in pages, once.
 * Both tables and both byte orders are read here, since geotiff's deferred arrays assume little-endian.
 */
export class BlockTable {
  readonly #image: TiffImage;
  readonly #littleEndian: boolean;
  readonly #key: string;
  /** Bytes of the file, where they are known. */
  readonly #size: number | undefined;
  readonly #offsets = new Map<number, Float64Array>();
  readonly #counts = new Map<number, Float64Array>();

  constructor(image: TiffImage, littleEndian: boolean, { key, size }: Pick<Source, "key" | "size">) {
    this.#image = image;
    this.#littleEndian = littleEndian;
    this.#key = key;
    this.#size = size;
  }

  /** Loads the entries of `blocks`, from the header where it holds them. */
  async load(
    blocks: readonly number[],
    source: Source,
    header: HeaderBytes,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { offsets, byteCounts, virtualBytes } = this.#image;
    const pages = new Set<number>();
    for (const block of blocks) pages.add(virtualBytes === undefined ? Math.floor(block / PAGE) : 0);
    const wanted: { page: number; into: Map<number, Float64Array>; entry: TagEntry; range: ByteRange }[] = [];
    for (const page of pages) {
      for (const [entry, into] of [
        [offsets, this.#offsets],
        [byteCounts, this.#counts],
      ] as const) {
        if (entry === undefined || into.has(page)) continue;
        const size = typeBytes(entry.type);
        const count = Math.min(PAGE, entry.count - page * PAGE);
        if (count <= 0) {
          into.set(page, new Float64Array(0));
          continue;
        }
        const range = { offset: entry.offset + page * PAGE * size, length: count * size };
        const held = header.peek(range.offset, range.length);
        if (held !== undefined) into.set(page, this.#values(held, entry, count));
        else wanted.push({ page, into, entry, range });
      }
    }
    if (wanted.length === 0) return;
    const merged = mergeRanges(wanted.map((entry) => entry.range));
    await Promise.all(
      merged.map(async ({ offset, length }) => {
        const bytes = await readCompared(source, offset, length, { signal });
        for (const { page, into, entry, range } of wanted) {
          if (range.offset < offset || range.offset + range.length > offset + length) continue;
          const start = range.offset - offset;
          const part = bytes.subarray(start, start + range.length);
          into.set(page, this.#values(part, entry, range.length / typeBytes(entry.type)));
        }
      }),
    );
  }

  /** Bytes of a loaded block; undefined where the block is sparse. @throws {CogError} `corrupt`, `too-large` */
  range(block: number): ByteRange | undefined {
    const { virtualBytes } = this.#image;
    if (virtualBytes !== undefined) {
      const { blocksDown } = this.#image;
      const strip = this.#entry(this.#offsets, 0, Math.floor(block / blocksDown));
      if (strip === 0) return undefined;
      const row = block % blocksDown;
      return { offset: strip + row * virtualBytes, length: blockRows(this.#image, row) * blockRowBytes(this.#image) };
    }
    const page = Math.floor(block / PAGE);
    const offset = this.#entry(this.#offsets, page, block % PAGE);
    const whole = blockRowBytes(this.#image) * this.#image.blockHeight;
    const most = Math.min(MAX_BLOCK_BYTES, 4 * whole + 1024 * 1024);
    const length = this.#length(offset, whole, most, () => this.#entry(this.#counts, page, block % PAGE));
    if (offset === 0 || length === 0) return undefined;
    if (length > most) {
      throw new CogError(
        "corrupt",
        `${this.#key}: block ${block} declares ${length} compressed bytes for ${whole} of samples.`,
      );
    }
    return { offset, length };
  }

  /** Bytes of a block. The count of the only strip of an image may be missing, 0 or wrong, as in libtiff. */
  #length(offset: number, whole: number, most: number, declared: () => number): number {
    const { byteCounts, compression } = this.#image;
    // the one strip of an uncompressed image ends where its rows end, whatever its count says (libtiff, ByteCountLooksBad)
    if (compression === 1 && (byteCounts === undefined || isOneStrip(this.#image))) return whole;
    const length = byteCounts === undefined ? 0 : declared();
    if (length > 0 || !isOneStrip(this.#image)) return length;
    // its stream says where it ends
    return Math.max(0, Math.min(most, (this.#size ?? Number.POSITIVE_INFINITY) - offset));
  }

  /** @throws {CogError} `corrupt` where the table is shorter: a sparse block has an entry, which is 0. */
  #entry(pages: ReadonlyMap<number, Float64Array>, page: number, at: number): number {
    const value = pages.get(page)?.[at];
    if (value === undefined) {
      throw new CogError("corrupt", `${this.#key}: block ${page * PAGE + at} is not in the table of blocks.`);
    }
    return value;
  }

  #values(bytes: Uint8Array, entry: TagEntry, count: number): Float64Array {
    const size = typeBytes(entry.type);
    if (bytes.length < count * size) {
      throw new CogError("corrupt", `${this.#key}: the file ends inside its table of blocks.`);
    }
    const view = viewOf(bytes);
    const values = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      if (size === 4) values[i] = view.getUint32(i * 4, this.#littleEndian);
      else if (size === 8) values[i] = getUint64(view, i * 8, this.#littleEndian);
      else if (size === 2) values[i] = view.getUint16(i * 2, this.#littleEndian);
      else values[i] = view.getUint8(i);
    }
    return values;
  }
}

function isOneStrip({ tiled, blocksDown, planar, bandCount }: TiffImage): boolean {
  return !tiled && blocksDown === 1 && !(planar && bandCount > 1);
}
