import { type BlockCache, CogError } from "@swath/cog";
import type { ByteRange } from "@swath/cog/bytes";
import { mapLimited } from "@swath/http";
import { bytesPerSample, type Samples, type SampleType, viewSamples } from "@swath/raster";
import { deinterleaveRgb } from "@swath/raster/warp";
import { rectHeight, rectWidth, reduceRect } from "../codestream/image-size.ts";
import type { TilePart } from "../codestream/tile-parts.ts";
import { loadDecoder } from "../decoder/decode.ts";
import type { FileContents, FileState } from "../file-state.ts";
import { checkTile } from "./limits.ts";
import { MergedReads } from "./merged-reads.ts";
import { MisplacedTileError, TileReader, type TileStream } from "./read-tile.ts";
import { plannedRanges, type TileRequest } from "./tile-plan.ts";

/** A tile that is needed, and what to do with its samples, band after band. */
export interface TileJob extends TileRequest {
  copy(samples: Samples): void;
}

interface LocatedTile {
  readonly job: TileJob;
  readonly key: string;
  readonly parts: readonly TilePart[];
  /** Are they where the main header says, which nothing has confirmed? */
  readonly isListed: boolean;
  /** The ranges of it that are read first. */
  readonly first: readonly ByteRange[];
}

interface TileLoadOptions {
  readonly signal: AbortSignal;
  /** The tiles are part of an extraction that reads the file once. */
  readonly sequential: boolean;
}

/** Tiles that are read at the same time: with merged reads of 8 MB each, at most 48 MB of compressed bytes. */
const TILES_AT_ONCE = 6;
/**
 * Limits of reads at once where little is read of each tile, as of coarse resolutions of a whole scene: their number
 * and their bytes.
 */
const PARTS_AT_ONCE = 16;
const PART_BYTES = 131_072;

/** The type of a file's samples. */
export function sampleTypeOf({ header: { size } }: FileContents): SampleType {
  if (size.bits > 8) return size.signed ? "int16" : "uint16";
  return size.signed ? "int8" : "uint8";
}

/**
 * Reads, decodes and copies tiles: neighbours by one read, each tile decoded once and kept. A tile that is wanted in
 * part is not kept.
 *
 * @throws {CogError} `corrupt`, `too-large`, `changed`, `codec-unavailable`, or what the source throws
 */
export async function loadTiles(
  state: FileState,
  jobs: readonly TileJob[],
  cache: BlockCache,
  { signal, sequential }: { readonly signal: AbortSignal | undefined; readonly sequential: boolean },
): Promise<void> {
  signal?.throwIfAborted();
  const { contents, source } = state;
  const prefix = `${source.key}\n${contents.version ?? ""}\njp2\n`;
  const missing: { readonly job: TileJob; readonly key: string }[] = [];
  for (const job of jobs) {
    checkTile(job.rect, contents.header.coding, job.reduction, source.key);
    const key = `${prefix}${job.reduction}\n${job.tile}`;
    const isHeld = cache.read(key, ({ samples }) => {
      job.copy(samples);
      return true;
    });
    if (isHeld === undefined) missing.push({ job, key });
  }
  if (missing.length === 0) return;
  const located: LocatedTile[] = [];
  for (const { job, key } of missing) {
    const parts = await contents.parts.of(job.tile, signal);
    const first = plannedRanges(contents.header, contents.packets, parts, job);
    located.push({ job, key, parts, isListed: contents.parts.isListed, first });
  }
  signal?.throwIfAborted();
  await new TileLoader(state, cache, located).run(signal, sequential);
}

class TileLoader {
  readonly #state: FileState;
  readonly #contents: FileContents;
  readonly #cache: BlockCache;
  readonly #tiles: readonly LocatedTile[];
  readonly #reads: MergedReads;

  constructor(state: FileState, cache: BlockCache, tiles: readonly LocatedTile[]) {
    this.#state = state;
    this.#contents = state.contents;
    this.#cache = cache;
    // those that are being loaded need no read of ours
    const own = tiles.filter(({ key }) => !cache.isLoading(key));
    const ranges = own.flatMap(({ first }) => first);
    this.#tiles = [...tiles].sort((a, b) => (a.parts[0]?.offset ?? 0) - (b.parts[0]?.offset ?? 0));
    this.#reads = new MergedReads(state.source, this.#contents.version, this.#contents.bytes, ranges);
  }

  /** Loads all tiles, some at a time; one failure ends the others, except where another caller waits for them too. */
  async run(signal: AbortSignal | undefined, sequential: boolean): Promise<void> {
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const how = { signal: controller.signal, sequential };
    const isLittle = this.#tiles.every(({ first }) => first.reduce((sum, { length }) => sum + length, 0) <= PART_BYTES);
    try {
      await mapLimited(this.#tiles, isLittle ? PARTS_AT_ONCE : TILES_AT_ONCE, (tile) => this.#load(tile, how));
    } catch (error) {
      controller.abort(error);
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  async #load(tile: LocatedTile, how: TileLoadOptions): Promise<void> {
    const { job, key } = tile;
    if (job.window !== undefined) {
      job.copy(await this.#samples(tile, (bytes) => new Uint8Array(bytes), how.signal));
      return;
    }
    const rows = rectHeight(reduceRect(job.rect, job.reduction));
    await this.#cache.load(
      key,
      async (signal, held) => {
        if (held !== undefined) return held;
        const allocate = (bytes: number): Uint8Array => this.#cache.allocateFor(key, bytes);
        return { samples: await this.#samples(tile, allocate, signal), rows };
      },
      ({ samples }) => job.copy(samples),
      how,
    );
  }

  /**
   * The samples of a tile. Where what was read does not decode, the tile is read whole once more: it may have been damaged on its
   * way, and some files state wrong lengths of packets. Where it is not in its place, it is looked for, because some state wrong
   * lengths of tiles.
   */
  async #samples(tile: LocatedTile, allocate: (bytes: number) => Uint8Array, signal: AbortSignal): Promise<Samples> {
    const { packets } = this.#contents;
    const { job, parts, first } = tile;
    let isDivided = false;
    try {
      const stream = await this.#reader(this.#reads, signal).read(job, parts, first);
      isDivided = stream.isDivided;
      return await this.#decode(job, stream, allocate, signal);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      if (isMisplaced(error, tile)) return this.#foundElsewhere(job, allocate, signal);
    }
    if (this.#isInHead(parts)) this.#state.suspect = true;
    try {
      const samples = await this.#again(job, parts, allocate, signal);
      if (isDivided) packets.areStated = false;
      return samples;
    } catch (error) {
      if (isMisplaced(error, tile)) return this.#foundElsewhere(job, allocate, signal);
      if (isCorrupt(error)) this.#state.suspect = true;
      throw error;
    }
  }

  /** Did the tile come with the header? */
  #isInHead(parts: readonly TilePart[]): boolean {
    const { bytes } = this.#contents;
    return parts.some(({ offset, length }) => bytes.peek(offset, length)?.length === length);
  }

  async #foundElsewhere(job: TileJob, allocate: (bytes: number) => Uint8Array, signal: AbortSignal): Promise<Samples> {
    const { parts } = this.#contents;
    parts.distrust();
    return this.#again(job, await parts.of(job.tile, signal), allocate, signal);
  }

  /** The samples of a tile that is read whole, whatever has been read of it. */
  async #again(
    job: TileJob,
    parts: readonly TilePart[],
    allocate: (bytes: number) => Uint8Array,
    signal: AbortSignal,
  ): Promise<Samples> {
    const reads = new MergedReads(this.#state.source, this.#contents.version, undefined, []);
    return this.#decode(job, await this.#reader(reads, signal).whole(job, parts), allocate, signal);
  }

  #reader(reads: MergedReads, signal: AbortSignal): TileReader {
    return new TileReader(this.#state.source.key, this.#contents, reads, signal);
  }

  async #decode(
    { rect, reduction }: TileJob,
    stream: TileStream,
    allocate: (bytes: number) => Uint8Array,
    signal: AbortSignal,
  ): Promise<Samples> {
    const { size } = this.#contents.header;
    const decoder = await loadDecoder();
    await takeTurns();
    signal.throwIfAborted();
    const reduced = reduceRect(rect, reduction);
    const expected = { ...size, width: rectWidth(reduced), height: rectHeight(reduced) };
    const started = performance.now();
    try {
      return await decoder.decode(stream.codestream, stream.reduction, expected, (samples) =>
        bandAfterBand(samples, sampleTypeOf(this.#contents), size.components, allocate(samples.length)),
      );
    } catch (error) {
      if (!(error instanceof CogError)) throw error;
      throw new CogError(error.code, `${this.#state.source.key}: ${error.message}`, { cause: error });
    } finally {
      busyMs += performance.now() - started;
    }
  }
}

/** Copies interleaved samples so that those of a band follow each other. */
function bandAfterBand(interleaved: Uint8Array, type: SampleType, components: number, into: Uint8Array): Samples {
  const count = into.length / bytesPerSample(type);
  const target = viewSamples(type, into.buffer, count, into.byteOffset);
  if (components === 1) {
    into.set(interleaved);
    return target;
  }
  const bands = Array.from({ length: components }, (_, i) =>
    target.subarray((i * count) / components, ((i + 1) * count) / components),
  );
  if (type === "uint8") {
    deinterleaveRgb(interleaved, bands as [Uint8Array, Uint8Array, Uint8Array]);
    return target;
  }
  const from = viewSamples(type, interleaved.buffer, count, interleaved.byteOffset);
  for (const [band, samples] of bands.entries()) {
    for (let i = 0, at = band; i < samples.length; i++, at += components) samples[i] = from[at]!;
  }
  return target;
}

/** Is a tile not where the main header says? */
function isMisplaced(error: unknown, { isListed }: LocatedTile): boolean {
  return isListed && error instanceof MisplacedTileError;
}

function isCorrupt(error: unknown): boolean {
  return error instanceof CogError && error.code === "corrupt";
}

/** Milliseconds of decoding, which holds the thread, after which other waiting work has its turn, an abort among it. */
const TURN_MS = 12;
let busyMs = 0;

async function takeTurns(): Promise<void> {
  if (busyMs < TURN_MS) return;
  busyMs = 0;
  await new Promise((resolve) => setTimeout(resolve));
}
