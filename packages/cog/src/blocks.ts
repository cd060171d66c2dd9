import type { Samples } from "@swath/raster";
import type { BlockCache, CachedBlock } from "./block-cache.ts";
import { type CogState, tableOf } from "./cog.ts";
import { decodeBlock, decodeOn, decodesByRow, decodesOn } from "./decode.ts";
import { CogError } from "./errors.ts";
import type { Header } from "./header.ts";
import type { TiffImage } from "./image.ts";
import { InFlight } from "./in-flight.ts";
import { type ByteRange, mergeRanges } from "./ranges.ts";
import { copyBytes } from "./samples.ts";

/** A block that is needed, and what to do with it. */
export interface BlockJob {
  readonly image: TiffImage;
  readonly block: number;
  /** Rows needed, counted from the block's first. */
  readonly rows: number;
  /** Rows of the block that belong to the image. */
  readonly imageRows: number;
  copy(samples: Samples): void;
  /** The block is sparse. */
  fill(): void;
}

interface Located {
  readonly job: BlockJob;
  readonly key: string;
  readonly range: ByteRange;
}

/** Merged reads under way at once for one window: with 8 MB each, at most 48 MB of compressed bytes. */
const MAX_READS = 6;
/** From this share of a block on it is decoded whole, so that its next reader finds it so. */
const WHOLE_ABOVE = 0.75;

/** Finds, reads, decodes and copies blocks: neighbours by one read, reads in parallel, each block decoded once. */
export async function loadBlocks(
  state: CogState,
  jobs: readonly BlockJob[],
  cache: BlockCache,
  { signal, passing }: { readonly signal: AbortSignal | undefined; readonly passing: boolean },
): Promise<void> {
  signal?.throwIfAborted();
  const { header, source } = state;
  const byImage = new Map<TiffImage, BlockJob[]>(); // not Map.groupBy: Node 20 has none
  for (const job of jobs) {
    const its = byImage.get(job.image);
    if (its === undefined) byImage.set(job.image, [job]);
    else its.push(job);
  }
  await Promise.all(
    [...byImage].map(([image, its]) =>
      tableOf(state, image).load(
        its.map((job) => job.block),
        source,
        header.bytes,
        signal,
      ),
    ),
  );
  // it may have been aborted meanwhile, before anyone listened
  signal?.throwIfAborted();
  const prefix = `${source.key}\n${header.version ?? ""}\n`;
  const missing: Located[] = [];
  const elsewhere: Located[] = [];
  const partial: { located: Located; held: CachedBlock }[] = [];
  for (const job of jobs) {
    const range = tableOf(state, job.image).range(job.block);
    if (range === undefined) {
      job.fill();
      continue;
    }
    const key = `${prefix}${job.image.id}\n${job.block}`;
    const held = cache.get(key);
    if (held !== undefined && held.rows >= job.rows) job.copy(held.samples);
    else if (held !== undefined) partial.push({ located: { job, key, range }, held });
    else (cache.loading(key) ? elsewhere : missing).push({ job, key, range });
  }
  if (missing.length + elsewhere.length + partial.length === 0) return;

  // one failure ends this window's other loads, except where another caller waits for them too
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const load = new Load(state, header, cache, { signal: controller.signal, passing });
  try {
    await Promise.all([
      ...partial.map(({ located, held }) => load.grow(located, held)),
      ...elsewhere.map((located) => load.single(located)),
      load.merged(missing),
    ]);
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

interface LoadHow {
  readonly signal: AbortSignal;
  /** The blocks are of an area that is read from end to end. */
  readonly passing: boolean;
}

class Load {
  readonly #state: CogState;
  readonly #header: Header;
  readonly #cache: BlockCache;
  readonly #how: LoadHow;
  readonly #reads = new InFlight<Uint8Array>();
  /** Blocks of a merged read that are not decoded yet: after the last one its memory serves others. */
  readonly #undecoded = new Map<ByteRange, number>();

  constructor(state: CogState, header: Header, cache: BlockCache, how: LoadHow) {
    this.#state = state;
    this.#header = header;
    this.#cache = cache;
    this.#how = how;
  }

  /** Blocks nobody loads yet: merged reads, some at a time. */
  async merged(missing: readonly Located[]): Promise<void> {
    const groups = mergeRanges(missing.map(({ range }) => range)).map((range) => ({ range, blocks: [] as Located[] }));
    for (const located of missing) {
      const { offset } = located.range;
      let low = 0;
      for (let high = groups.length - 1; low < high; ) {
        const middle = (low + high + 1) >> 1;
        if (groups[middle]!.range.offset <= offset) low = middle;
        else high = middle - 1;
      }
      groups[low]!.blocks.push(located);
    }
    for (const { range, blocks } of groups) this.#undecoded.set(range, blocks.length);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < groups.length) {
        const { range, blocks } = groups[next++]!;
        await Promise.all(blocks.map((located) => this.#load(located, located.job.rows, range)));
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_READS, groups.length) }, work));
  }

  /** A block another window is loading: its load is joined, or made here when it has just ended. */
  single(located: Located): Promise<void> {
    return this.#load(located, located.job.rows, located.range);
  }

  /** A block held with too few rows: gone on with, or decoded whole, from what was kept with it. */
  async grow(located: Located, held: CachedBlock): Promise<void> {
    const { rest } = held;
    if (rest === undefined) return this.single(located);
    const { job, key } = located;
    const rows = decodesOn(job.image) ? rowsToDecode(job, job.rows) : job.imageRows;
    return this.#cache.load(
      key,
      () => this.#decode(located, rest, rows, held),
      (block) => this.#use(located, block),
      this.#how,
    );
  }

  async #load(located: Located, rows: number, range: ByteRange): Promise<void> {
    const { job, key } = located;
    return this.#cache.load(
      key,
      async (signal) => {
        const bytes = await this.#bytes(located, range, signal);
        const block = await this.#decode(located, bytes, rowsToDecode(job, rows));
        this.#decoded(job.image, range, bytes);
        return block;
      },
      (block) => this.#use(located, block),
      this.#how,
    );
  }

  #use(located: Located, block: CachedBlock): Promise<void> | void {
    if (block.rows < located.job.rows) return this.grow(located, block);
    located.job.copy(block.samples);
  }

  async #bytes({ range, job }: Located, merged: ByteRange, signal: AbortSignal): Promise<Uint8Array> {
    const { source } = this.#state;
    const held = this.#header.bytes.peek(range.offset, range.length);
    if (held?.length === range.length) return held;
    const bytes = await this.#reads.share(
      `${merged.offset}+${merged.length}`,
      (shared) =>
        source.read(merged.offset, merged.length, {
          signal: shared,
          allocate: (length) => this.#cache.allocate(length),
        }),
      signal,
    );
    if (this.#header.version !== undefined && source.version !== this.#header.version) {
      throw new CogError("changed", `${source.key} changed after its header was read.`);
    }
    const start = range.offset - merged.offset;
    if (bytes.length < start + range.length) {
      throw new CogError("corrupt", `${source.key}: the file ends inside block ${job.block}.`);
    }
    return bytes.subarray(start, start + range.length);
  }

  /** Inflated blocks leave nothing in the bytes that they came from; other codecs might, or read them in the background. */
  #decoded(image: TiffImage, range: ByteRange, bytes: Uint8Array): void {
    const left = this.#undecoded.get(range);
    if (left === undefined || !decodesOn(image)) return;
    this.#undecoded.set(range, left - 1);
    if (left === 1) this.#cache.giveBack(bytes);
  }

  async #decode(
    { job }: Located,
    from: NonNullable<CachedBlock["rest"]>,
    rows: number,
    held?: CachedBlock,
  ): Promise<CachedBlock> {
    const { codecs, source } = this.#state;
    const { image, imageRows } = job;
    try {
      if (decodesOn(image)) {
        return decodeOn(image, from, held, rows, imageRows, (length) => this.#cache.allocate(length));
      }
      if (!(from instanceof Uint8Array)) throw new CogError("corrupt", "A block changed while it was read.");
      const samples = await decodeBlock(image, from, rows, codecs);
      if (rows >= imageRows) return { samples, rows };
      // a view would keep the whole merged read alive
      const isOwn = from.byteLength === from.buffer.byteLength;
      return { samples, rows, rest: isOwn ? from : copyBytes(from) };
    } catch (error) {
      if (error instanceof CogError)
        throw new CogError(error.code, `${source.key}: ${error.message}`, { cause: error });
      throw new CogError("corrupt", `${source.key}: block ${job.block} does not decode.`, { cause: error });
    }
  }
}

function rowsToDecode(job: BlockJob, rows: number): number {
  return !decodesByRow(job.image) || rows >= job.imageRows * WHOLE_ABOVE ? job.imageRows : rows;
}
