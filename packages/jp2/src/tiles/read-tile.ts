import { CogError } from "@swath/cog";
import { type ByteRange, mergeRanges } from "@swath/cog/bytes";
import { reducedTile, wholeTile } from "../codestream/tile-codestream.ts";
import { parseTilePartHeader, type TilePartHeader } from "../codestream/tile-header.ts";
import { locatePackets, type TilePackets } from "../codestream/tile-packets.ts";
import { parseStartOfTile, SOT_BYTES, type StartOfTile, type TilePart } from "../codestream/tile-parts.ts";
import type { FileContents } from "../file-state.ts";
import { checkTileBytes } from "./limits.ts";
import type { MergedReads } from "./merged-reads.ts";
import { TileBytes } from "./tile-bytes.ts";
import { isDivided, neededRanges, type TileRequest, type WantedPackets, wantedPackets } from "./tile-plan.ts";

/** A codestream of one tile. */
export interface TileStream {
  readonly codestream: Uint8Array;
  /** Resolutions that the decoder has to leave out. */
  readonly reduction: number;
  /** Was it made of some of the tile's packets, by the lengths that the file states? */
  readonly isDivided: boolean;
}

/** A tile-part is not where the file says that it is. */
export class MisplacedTileError extends CogError {
  constructor(key: string, tile: number, offset: number) {
    super("corrupt", `${key}: expected a part of tile ${tile} at ${offset}.`);
  }
}

/** Reads tiles as codestreams of their own. */
export class TileReader {
  readonly #key: string;
  readonly #contents: FileContents;
  readonly #reads: MergedReads;
  readonly #signal: AbortSignal;

  constructor(key: string, contents: FileContents, reads: MergedReads, signal: AbortSignal) {
    this.#key = key;
    this.#contents = contents;
    this.#reads = reads;
    this.#signal = signal;
  }

  /**
   * Reads what is wanted of a tile.
   *
   * @param first ranges that are read before the tile's packets are known
   * @throws {CogError} `corrupt`, `too-large`, `changed`, or what the source throws
   */
  async read(request: TileRequest, parts: readonly TilePart[], first: readonly ByteRange[]): Promise<TileStream> {
    const { header, packets: known } = this.#contents;
    const bytes = new TileBytes();
    await this.#readAll(first, bytes);
    if (!isDivided(header, request) || !known.areStated) return this.#whole(request, parts, bytes);
    const wanted = wantedPackets(header.coding, request);
    const held = known.get(request.tile);
    const isHeld = held !== undefined && held.lengths.length > wanted.last;
    const packets = isHeld ? held : await this.#locate(request, parts, wanted, bytes);
    const ranges = packets === undefined ? undefined : neededRanges(wanted, packets, parts);
    if (packets === undefined || ranges === undefined) return this.#whole(request, parts, bytes);
    await this.#readAll(mergeRanges(ranges.filter((range) => bytes.view(range) === undefined)), bytes);
    const codestream = reducedTile(header, request.rect, request.reduction, wanted.order, (index) => {
      if (wanted.needed[wanted.order.sequence[index]!] !== 1) return undefined;
      const range = { offset: packets.offsets[index]!, length: packets.lengths[index]! };
      return range.length === 0 ? new Uint8Array(0) : this.#view(bytes, range);
    });
    return { codestream, reduction: 0, isDivided: true };
  }

  /** The tile as it is stored. */
  async whole(request: TileRequest, parts: readonly TilePart[]): Promise<TileStream> {
    return this.#whole(request, parts, new TileBytes());
  }

  async #whole(request: TileRequest, parts: readonly TilePart[], bytes: TileBytes): Promise<TileStream> {
    checkTileBytes(
      parts.reduce((sum, { length }) => sum + length, 0),
      this.#key,
    );
    const missing = parts.flatMap(({ offset, length }): ByteRange[] => {
      const held = Math.min(length, bytes.from(offset).length);
      return held === length ? [] : [{ offset: offset + held, length: length - held }];
    });
    await this.#readAll(mergeRanges(missing), bytes);
    const stored = parts.map((part) => {
      const own = withoutEnd(this.#joined(bytes, part));
      if (!isPlaced(parseStartOfTile(own), request.tile, part)) {
        throw new MisplacedTileError(this.#key, request.tile, part.offset);
      }
      return own;
    });
    const codestream = wholeTile(this.#contents.header, request.rect, stored);
    return { codestream, reduction: request.reduction, isDivided: false };
  }

  /** A tile-part that was read in one piece, or in two. */
  #joined(bytes: TileBytes, { offset, length }: TilePart): Uint8Array {
    const head = bytes.from(offset);
    if (head.length >= length) return head.subarray(0, length);
    const rest = this.#view(bytes, { offset: offset + head.length, length: length - head.length });
    const joined = new Uint8Array(length);
    joined.set(head);
    joined.set(rest, head.length);
    return joined;
  }

  #view(bytes: TileBytes, range: ByteRange): Uint8Array {
    const view = bytes.view(range);
    if (view !== undefined) return view;
    throw new CogError("corrupt", `${this.#key}: the file ends inside a tile, at ${range.offset}.`);
  }

  /** Finds the packets up to the last one that is needed; `undefined` where the file does not say where they are. */
  async #locate(
    { tile }: TileRequest,
    parts: readonly TilePart[],
    { order, last }: WantedPackets,
    bytes: TileBytes,
  ): Promise<TilePackets | undefined> {
    const { packets: known } = this.#contents;
    const headers: TilePartHeader[] = [];
    let count = 0;
    for (const part of parts) {
      if (count > last) break;
      const header = await this.#headerOf(part, bytes);
      if (header === undefined || !isPlaced(header.start, tile, part)) {
        throw new MisplacedTileError(this.#key, tile, part.offset);
      }
      headers.push(header);
      count += header.packets.length;
    }
    const packets = headers.some(({ isOfItsOwn }) => isOfItsOwn)
      ? undefined
      : locatePackets(parts, headers, order.sequence.length, last);
    if (packets === undefined) known.areStated = false;
    else known.keep(tile, packets);
    return packets;
  }

  /** The header of a tile-part; `undefined` where none begins. */
  async #headerOf(part: TilePart, bytes: TileBytes): Promise<TilePartHeader | undefined> {
    for (;;) {
      const held = bytes.from(part.offset);
      if (held.length >= SOT_BYTES && parseStartOfTile(held) === undefined) return undefined;
      const parsed = parseTilePartHeader(held.subarray(0, part.length), this.#key);
      if (typeof parsed !== "number") return parsed;
      const length = Math.min(part.length, Math.max(parsed, 2 * held.length, 512));
      if (length <= held.length) throw new CogError("corrupt", `${this.#key}: a tile-part that is all header.`);
      await this.#readAll([{ offset: part.offset, length }], bytes);
      if (bytes.from(part.offset).length < length) {
        throw new CogError("corrupt", `${this.#key}: the file ends inside a tile, at ${part.offset}.`);
      }
    }
  }

  async #readAll(ranges: readonly ByteRange[], into: TileBytes): Promise<void> {
    await Promise.all(ranges.map(async (range) => into.add(range.offset, await this.#reads.take(range, this.#signal))));
  }
}

/** Is a tile-part the one that should be there? */
function isPlaced(start: StartOfTile | undefined, tile: number, { length }: TilePart): boolean {
  return start?.tile === tile && (start.length === length || start.length === 0);
}

/** The last tile-part may have the codestream's end marker, which no packet contains. */
function withoutEnd(part: Uint8Array): Uint8Array {
  const at = part.length - 2;
  return part[at] === 0xff && part[at + 1] === 0xd9 ? part.subarray(0, at) : part;
}
