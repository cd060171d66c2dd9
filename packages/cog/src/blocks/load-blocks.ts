import { InFlight } from "@swath/http";
import type { Samples } from "@swath/raster";
import { canResume, decodeBlock, decodesRows, resumeDecode } from "../codecs/decode.ts";
import { copyBytes } from "../codecs/stored-samples.ts";
import { type CogState, tableOf } from "../cog-state.ts";
import { CogError } from "../errors.ts";
import type { Header } from "../header/header.ts";
import type { TiffImage } from "../header/tiff-image.ts";
import { type ByteRange, mergeRanges } from "../sources/ranges.ts";
import type { BlockCache } from "./block-cache.ts";
import type { CachedBlock } from "./block-store.ts";

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
  /** The whole block. */
  readonly range: ByteRange;
  /** What is read of it at first. */
  readonly first: ByteRange;
}

/** Concurrent merged reads of one window: with 8 MB each, at most 48 MB of compressed bytes. */
const MAX_READS = 6;
/** From this share of a block on it is decoded whole, so that its next reader finds it so. */
const WHOLE_ABOVE = 0.75;
/** Of a block whose first rows are needed, as many bytes more than their share are read: rows compress differently. */
const MORE_BYTES = 1.15;
/** And these: the first codes come before the first row. */
const LEAST_BYTES = 16_384;

/** Finds, reads, decodes and copies blocks: neighbours by one read, reads in parallel, each block decoded once. */
export async function loadBlocks(
  state: CogState,
  jobs: readonly BlockJob[],
  cache: BlockCache,
  { signal, sequential, partial }: Omit<LoadHow, "signal"> & { readonly signal: AbortSignal | undefined },
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
  const others: Located[] = [];
  for (const job of jobs) {
    const range = tableOf(state, job.image).range(job.block);
    if (range === undefined) {
      job.fill();
      continue;
    }
    const key = `${prefix}${job.image.id}\n${job.block}`;
    const isRead = cache.read(key, ({ samples, rows }) => {
      if (rows >= job.rows) job.copy(samples);
      return rows >= job.rows;
    });
    if (isRead === true) continue;
    // a block held in part needs no read, nor does one that is being loaded
    if (isRead === false || cache.isLoading(key)) others.push({ job, key, range, first: range });
    else missing.push({ job, key, range, first: partial ? firstPart(job, range) : range });
  }
  if (missing.length + others.length === 0) return;

  // one failure ends this window's other loads, except where another caller waits for them too
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const load = new Load(state, header, cache, { signal: controller.signal, sequential, partial });
  try {
    await Promise.all([...others.map((located) => load.single(located)), load.merged(missing)]);
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

interface LoadHow {
  readonly signal: AbortSignal;
  /** The blocks are part of an extraction that reads the file once. */
  readonly sequential: boolean;
  /** Of a block that is not held only the part is read that should hold the rows needed. */
  readonly partial: boolean;
}

/** Blocks that come by one read. */
interface Group {
  readonly range: ByteRange;
  readonly blocks: readonly Located[];
  /** Blocks that are not decoded yet: after the last one the memory of the read is free. */
  undecoded: number;
  /** What was read, as long as it is needed. */
  bytes?: Uint8Array;
}

function alone(located: Located): Group {
  return { range: located.first, blocks: [located], undecoded: 1 };
}

/** The bytes of a block that should hold its needed rows; all where that saves little, or it is not inflated. */
function firstPart(job: BlockJob, range: ByteRange): ByteRange {
  const length = Math.ceil((range.length * job.rows * MORE_BYTES) / job.imageRows) + LEAST_BYTES;
  const isLess = canResume(job.image) && length < range.length * WHOLE_ABOVE;
  return isLess ? { offset: range.offset, length } : range;
}

class Load {
  readonly #state: CogState;
  readonly #header: Header;
  readonly #cache: BlockCache;
  readonly #how: LoadHow;
  readonly #reads = new InFlight<Uint8Array>();

  constructor(state: CogState, header: Header, cache: BlockCache, how: LoadHow) {
    this.#state = state;
    this.#header = header;
    this.#cache = cache;
    this.#how = how;
  }

  /** Blocks that are not being loaded yet: merged reads, some at a time. */
  async merged(missing: readonly Located[]): Promise<void> {
    const ranges = mergeRanges(missing.map(({ first }) => first));
    const members = ranges.map((): Located[] => []);
    for (const located of missing) {
      const { offset } = located.first;
      let low = 0;
      for (let high = ranges.length - 1; low < high; ) {
        const middle = (low + high + 1) >> 1;
        if (ranges[middle]!.offset <= offset) low = middle;
        else high = middle - 1;
      }
      members[low]!.push(located);
    }
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < ranges.length) {
        const blocks = members[next]!;
        const group: Group = { range: ranges[next++]!, blocks, undecoded: blocks.length };
        await Promise.all(blocks.map((located) => this.#load(located, group)));
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_READS, ranges.length) }, work));
  }

  /** A block held in part, or one that another caller is loading: resumed, waited for, or loaded here. */
  single(located: Located): Promise<void> {
    const whole = { ...located, first: located.range };
    return this.#load(whole, alone(whole));
  }

  async #load(located: Located, group: Group): Promise<void> {
    const { job, key } = located;
    let hasBegun = false;
    let hasLeft = false;
    try {
      await this.#cache.load(
        key,
        async (signal, held) => {
          hasBegun = true;
          const its = hasLeft ? alone(located) : group;
          try {
            return await this.#blockOf(located, its, held, signal);
          } finally {
            this.#decoded(its);
          }
        },
        (block) => {
          if (block.rows < job.rows) return this.single(located);
          job.copy(block.samples);
        },
        this.#how,
      );
    } finally {
      // another caller has loaded it, or no caller waits for it any more
      if (!hasBegun) {
        hasLeft = true;
        this.#decoded(group);
      }
    }
  }

  async #blockOf(
    located: Located,
    group: Group,
    held: CachedBlock | undefined,
    signal: AbortSignal,
  ): Promise<CachedBlock> {
    const { job } = located;
    if (held !== undefined && held.rows >= job.rows) return held;
    if (held?.rest !== undefined) {
      // twice as far at least: resuming costs as much as some rows
      const wanted = { ...job, rows: Math.min(job.imageRows, Math.max(job.rows, 2 * held.rows)) };
      const rows = canResume(job.image) ? rowsToDecode(wanted) : job.imageRows;
      return this.#decode(located, held.rest, rows, held);
    }
    const { range, first } = located;
    const bytes = await this.#bytes(located, group, signal);
    if (bytes.length === range.length) return this.#decode(located, bytes, rowsToDecode(job));
    const block = this.#decodeFirst(located, bytes);
    if (block !== undefined) return block;
    const whole = new Uint8Array(range.length);
    whole.set(bytes);
    const rest = { offset: first.offset + first.length, length: range.length - first.length };
    const second = { ...located, range: rest, first: rest };
    const one = alone(second);
    whole.set(await this.#bytes(second, one, signal), first.length);
    this.#decoded(one);
    return this.#decode(located, whole, rowsToDecode(job));
  }

  /** The rows needed, from the first part of a block; `undefined` where it ends before. */
  #decodeFirst({ job, key }: Located, bytes: Uint8Array): CachedBlock | undefined {
    const { image, imageRows, rows } = job;
    try {
      return resumeDecode(image, bytes, undefined, { rows, imageRows, keepsRest: false }, (length, part) =>
        this.#cache.allocatePart(key, length, part),
      );
    } catch (error) {
      // of the whole block it is said what is wrong with it
      if (error instanceof CogError && error.code === "corrupt") return undefined;
      throw error;
    }
  }

  /** The first part of a block, or all of it where the header has it. */
  async #bytes({ range, first, job }: Located, group: Group, signal: AbortSignal): Promise<Uint8Array> {
    const { source } = this.#state;
    const held = this.#header.bytes.peek(range.offset, range.length);
    if (held?.length === range.length) return held;
    const { offset, length } = group.range;
    const bytes =
      group.bytes ?? (await this.#reads.share(`${offset}+${length}`, (shared) => this.#read(group, shared), signal));
    if (this.#header.version !== undefined && source.version !== this.#header.version) {
      throw new CogError("changed", `${source.key} changed after its header was read.`);
    }
    const start = first.offset - offset;
    if (bytes.length < start + first.length) {
      throw new CogError("corrupt", `${source.key}: the file ends inside block ${job.block}.`);
    }
    return bytes.subarray(start, start + first.length);
  }

  async #read(group: Group, signal: AbortSignal): Promise<Uint8Array> {
    const { source } = this.#state;
    const { offset, length } = group.range;
    let memory: Uint8Array | undefined;
    const allocate = (bytes: number): Uint8Array => {
      memory = this.#cache.allocate(bytes);
      return memory;
    };
    // inflated blocks keep no view of their compressed bytes; other codecs might, or read them in the background
    const isLent = group.blocks.every(({ job }) => canResume(job.image));
    try {
      const bytes = await source.read(offset, length, isLent ? { signal, allocate } : { signal });
      group.bytes = bytes;
      if (group.undecoded === 0) this.#freeBytes(group);
      return bytes;
    } catch (error) {
      if (memory !== undefined) this.#cache.free(memory);
      throw error;
    }
  }

  /** A block of a group is decoded, has failed or was aborted. */
  #decoded(group: Group): void {
    group.undecoded -= 1;
    if (group.undecoded === 0) this.#freeBytes(group);
  }

  #freeBytes(group: Group): void {
    if (group.bytes !== undefined) this.#cache.free(group.bytes);
    delete group.bytes;
  }

  async #decode(
    { job, key }: Located,
    from: NonNullable<CachedBlock["rest"]>,
    rows: number,
    held?: CachedBlock,
  ): Promise<CachedBlock> {
    const { codecs, source } = this.#state;
    const { image, imageRows } = job;
    // the compressed rest of a block is not needed again where the file is read once
    const keepsRest = !this.#how.sequential;
    try {
      if (canResume(image)) {
        return resumeDecode(image, from, held, { rows, imageRows, keepsRest }, (length, part) =>
          this.#cache.allocatePart(key, length, part),
        );
      }
      if (!(from instanceof Uint8Array)) throw new CogError("corrupt", "A block changed while it was read.");
      const samples = await decodeBlock(image, from, rows, codecs);
      if (rows >= imageRows || !keepsRest) return { samples, rows };
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

function rowsToDecode({ image, rows, imageRows }: BlockJob): number {
  return !decodesRows(image) || rows >= imageRows * WHOLE_ABOVE ? imageRows : rows;
}
