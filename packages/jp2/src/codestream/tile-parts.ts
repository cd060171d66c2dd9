import { CogError, type Source } from "@swath/cog";
import { readCompared } from "@swath/cog/bytes";
import { InFlight } from "@swath/http";
import type { MainHeader } from "./main-header.ts";
import { MARKER, type Segment, viewOf } from "./markers.ts";

/** The place of a tile-part: from its SOT marker on. */
export interface TilePart {
  readonly offset: number;
  readonly length: number;
}

/** The first marker segment of a tile-part (SOT, ITU-T T.800 A.4.2). */
export interface StartOfTile {
  readonly tile: number;
  /** Bytes of the tile-part, this segment included; 0: up to the end of the codestream. */
  readonly length: number;
  /** Tile-parts of the tile; 0 where this one does not say so. */
  readonly parts: number;
}

/** Bytes of an SOT marker segment. */
export const SOT_BYTES = 12;
/**
 * Most tile-parts of a file whose places are kept, a hundred bytes each: as many as resolutions and layers for each
 * tile.
 */
const MAX_PARTS = 1 << 18;
const maxParts = (tiles: number): number => Math.min(MAX_PARTS, 1024 + 32 * tiles);
/** Reads of a file in search of its tile-parts, one after the other. */
const MAX_READS = 4096;
/** Bytes of such a read: little where tile-parts are large, much where several fit. */
const SHORT_READ = 512;
const LONG_READ = 65_536;

/** Reads an SOT marker segment; `undefined` where there is none. */
export function parseStartOfTile(bytes: Uint8Array): StartOfTile | undefined {
  if (bytes.length < SOT_BYTES) return undefined;
  const view = viewOf(bytes);
  if (view.getUint16(0) !== MARKER.SOT || view.getUint16(2) !== 10) return undefined;
  return { tile: view.getUint16(4), length: view.getUint32(6), parts: view.getUint8(11) };
}

/**
 * Finds the tile-parts of each tile: by the lengths in the main header where it has them, else by following the lengths
 * of tile-parts from the first one, as far as needed. It keeps the places it found.
 */
export class TileParts {
  readonly #source: Source;
  readonly #header: MainHeader;
  readonly #tiles: number;
  #parts: (TilePart[] | undefined)[] = [];
  /** Returns the number of parts that a tile states. */
  #stated = new Map<number, number>();
  #next: number;
  #count = 0;
  #reads = 0;
  #isWhole = false;
  readonly #walks = new InFlight<void>();
  /** Do the places come from the main header, which nothing has confirmed? */
  #isListed = false;

  constructor(source: Source, header: MainHeader) {
    const { tilesAcross, tilesDown } = header.size;
    this.#source = source;
    this.#header = header;
    this.#tiles = tilesAcross * tilesDown;
    this.#next = header.tilesAt;
    const listed = listParts(header, this.#tiles);
    if (listed === undefined) return;
    this.#parts = listed;
    this.#isWhole = true;
    this.#isListed = true;
  }

  /** Are the places those of the main header? */
  get isListed(): boolean {
    return this.#isListed;
  }

  /** Forgets what the main header says, which is wrong: from now on tile-parts are looked for. */
  distrust(): void {
    if (!this.#isListed) return;
    this.#isListed = false;
    this.#isWhole = false;
    this.#parts = [];
  }

  /**
   * The tile-parts of a tile in their order.
   *
   * @throws {CogError} `corrupt` where the file has none, `too-large`, or what the source throws
   */
  async of(tile: number, signal: AbortSignal | undefined): Promise<readonly TilePart[]> {
    while (!this.#isKnown(tile)) {
      signal?.throwIfAborted();
      await this.#walks.share("", (shared) => this.#walk(shared), signal);
    }
    const parts = this.#parts[tile];
    if (parts === undefined) throw new CogError("corrupt", `${this.#source.key}: it has no tile ${tile}.`);
    return parts;
  }

  #isKnown(tile: number): boolean {
    if (this.#isWhole) return true;
    const stated = this.#stated.get(tile);
    return stated !== undefined && (this.#parts[tile]?.length ?? 0) >= stated;
  }

  /** Reads on from where the last tile-part ended. */
  async #walk(signal: AbortSignal): Promise<void> {
    const { end } = this.#header;
    const offset = this.#next;
    const mean = this.#count === 0 ? LONG_READ : (offset - this.#header.tilesAt) / this.#count;
    if (++this.#reads > MAX_READS) {
      throw new CogError("too-large", `${this.#source.key}: more than ${MAX_READS} reads to find its tiles.`);
    }
    const wanted = Math.min(mean * 2 > LONG_READ ? SHORT_READ : LONG_READ, end - offset);
    const bytes = wanted < SOT_BYTES ? new Uint8Array(0) : await readCompared(this.#source, offset, wanted, { signal });
    for (;;) {
      const start = parseStartOfTile(bytes.subarray(this.#next - offset));
      if (start === undefined) {
        // the next bytes are read; where there are none, the codestream has ended, or is cut off
        if (this.#next === offset) this.#isWhole = true;
        return;
      }
      this.#add(start);
      if (this.#isWhole || this.#next - offset > bytes.length - SOT_BYTES) return;
    }
  }

  #add({ tile, length, parts }: StartOfTile): void {
    const { key, size } = this.#source;
    const end = Math.min(this.#header.end, size ?? Number.POSITIVE_INFINITY);
    const isLast = length === 0;
    // the last one may end where the codestream does, whose size is not always known
    const known = isLast ? end - this.#next : length;
    if (tile >= this.#tiles || (!isLast && length < SOT_BYTES + 2) || !Number.isFinite(known)) {
      throw new CogError("corrupt", `${key}: a tile-part at ${this.#next} declares tile ${tile} and ${length} bytes.`);
    }
    if (++this.#count > maxParts(this.#tiles)) {
      throw new CogError("too-large", `${key}: more than ${maxParts(this.#tiles)} tile-parts.`);
    }
    this.#parts[tile] ??= [];
    this.#parts[tile].push({ offset: this.#next, length: known });
    if (parts > 0) this.#stated.set(tile, parts);
    this.#next += known;
    if (isLast || this.#next >= end) this.#isWhole = true;
  }
}

/** Tile-parts by the TLM segments (ITU-T T.800 A.7.1); `undefined` where there are none, or they cannot be true. */
function listParts({ tileLengths, tilesAt, end }: MainHeader, tiles: number): TilePart[][] | undefined {
  if (tileLengths.length === 0) return undefined;
  const ordered = [...tileLengths].sort((a, b) => (a.bytes[4] ?? 0) - (b.bytes[4] ?? 0));
  const parts: TilePart[][] = [];
  let offset = tilesAt;
  let count = 0;
  for (const segment of ordered) {
    for (const entry of entriesOf(segment)) {
      const tile = entry.tile ?? count;
      if (tile >= tiles || entry.length < SOT_BYTES + 2 || count >= maxParts(tiles)) return undefined;
      parts[tile] ??= [];
      parts[tile].push({ offset, length: entry.length });
      offset += entry.length;
      count++;
    }
  }
  for (let tile = 0; tile < tiles; tile++) if (parts[tile] === undefined) return undefined;
  return offset <= end ? parts : undefined;
}

function* entriesOf({ bytes }: Segment): Generator<{ readonly tile: number | undefined; readonly length: number }> {
  if (bytes.length < 6) return;
  const view = viewOf(bytes);
  // Stlm: two bits for the size of the tile's index, one for that of the length
  const indexBytes = (bytes[5]! >> 4) & 3;
  const lengthBytes = (bytes[5]! & 0x40) === 0 ? 2 : 4;
  for (let at = 6; at + indexBytes + lengthBytes <= bytes.length; at += indexBytes + lengthBytes) {
    const tile = indexBytes === 0 ? undefined : indexBytes === 1 ? view.getUint8(at) : view.getUint16(at);
    const lengthAt = at + indexBytes;
    yield { tile, length: lengthBytes === 2 ? view.getUint16(lengthAt) : view.getUint32(lengthAt) };
  }
}
