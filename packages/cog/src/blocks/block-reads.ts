import { InFlight, mapLimited } from "@swath/http";
import type { BlockCache } from "../cache/block-cache.ts";
import type { CachedBlock } from "../cache/block-store.ts";
import { decodeBlock, decodeFirstRows, hasChecksum, inflatesRows } from "../codecs/decode.ts";
import type { CogState } from "../cog-state.ts";
import { CogError } from "../errors.ts";
import type { Header } from "../header/header.ts";
import { type ByteRange, mergeRanges } from "../sources/ranges.ts";
import { readCompared } from "../sources/read-compared.ts";
import { unframed } from "./block-frame.ts";
import type { BlockLoadOptions, Located } from "./block-job.ts";

/** Concurrent merged reads of one window: with 8 MB each, at most 48 MB of compressed bytes. */
const MAX_READS = 6;

/** Blocks that come by one read. */
interface Group {
  readonly range: ByteRange;
  readonly blocks: readonly Located[];
  /** Blocks that are not decoded yet: after the last one the memory of the read is free. */
  undecoded: number;
  /** The bytes of the read, as long as they are needed. */
  bytes?: Uint8Array;
}

/** May this be the fault of changed bytes? They may say, too, that a block is of a kind that is not read. */
function isDamage(error: unknown): boolean {
  return error instanceof CogError && ["corrupt", "unsupported", "too-large"].includes(error.code);
}

function alone(located: Located): Group {
  return { range: located.read, blocks: [located], undecoded: 1 };
}

/** Reads and decodes the blocks of one window. A block that is damaged is read once more: it may have been damaged on its way. */
export class BlockReads {
  readonly #state: CogState;
  readonly #header: Header;
  readonly #cache: BlockCache;
  readonly #how: BlockLoadOptions;
  readonly #reads = new InFlight<Uint8Array>();

  constructor(state: CogState, cache: BlockCache, how: BlockLoadOptions) {
    this.#state = state;
    this.#header = state.header;
    this.#cache = cache;
    this.#how = how;
  }

  /** Blocks that are not being loaded yet: merged reads, some at a time. */
  async merged(missing: readonly Located[]): Promise<void> {
    const ranges = mergeRanges(missing.map(({ read }) => read));
    const members = ranges.map((): Located[] => []);
    for (const located of missing) {
      const { offset } = located.read;
      let low = 0;
      for (let high = ranges.length - 1; low < high; ) {
        const middle = (low + high + 1) >> 1;
        if (ranges[middle]!.offset <= offset) low = middle;
        else high = middle - 1;
      }
      members[low]!.push(located);
    }
    const groups = ranges.map((range, i): Group => ({ range, blocks: members[i]!, undecoded: members[i]!.length }));
    await mapLimited(groups, MAX_READS, (group) =>
      Promise.all(group.blocks.map((located) => this.#load(located, group))),
    );
  }

  /** A block that another caller is loading, or has loaded in part: waited for, or loaded here. */
  single(located: Located): Promise<void> {
    const whole = { ...located, read: located.whole };
    return this.#load(whole, alone(whole));
  }

  async #load(located: Located, group: Group): Promise<void> {
    const { job, key, rows } = located;
    let hasBegun = false;
    let hasLeft = false;
    try {
      await this.#cache.load(
        key,
        async (signal, held) => {
          hasBegun = true;
          const its = hasLeft ? alone(located) : group;
          try {
            return held !== undefined && held.rows >= rows ? held : await this.#blockOf(located, its, signal);
          } finally {
            this.#decoded(its);
          }
        },
        (block) => {
          if (block.rows < rows) return this.single(located);
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

  async #blockOf(located: Located, group: Group, signal: AbortSignal): Promise<CachedBlock> {
    try {
      const { read, whole } = located;
      const bytes = await this.#bytes(located, group, signal);
      if (read.length === whole.length) return await this.#decode(located, bytes);
      return (
        this.#decodeFirst(located, bytes) ?? (await this.#decode(located, await this.#rest(located, bytes, signal)))
      );
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    return this.#again({ ...located, read: located.whole }, signal);
  }

  /**
   * Reads and decodes a damaged block once more. Where that fails too, or it came with the header, the header is not trusted any
   * longer.
   */
  async #again(located: Located, signal: AbortSignal): Promise<CachedBlock> {
    const group = alone(located);
    const { whole } = located;
    if (this.#header.bytes.peek(whole.offset, whole.length)?.length === whole.length) this.#state.suspect = true;
    try {
      return await this.#decode(located, this.#cut(located, group, await this.#answer(group, signal)));
    } catch (error) {
      if (isDamage(error)) this.#state.suspect = true;
      throw error;
    } finally {
      this.#decoded(group);
    }
  }

  /** The rows needed, from the first part of a block; `undefined` where it ends before. */
  #decodeFirst({ job, key }: Located, bytes: Uint8Array): CachedBlock | undefined {
    const { image, imageRows, rows } = job;
    const samples = decodeFirstRows(image, bytes, rows, imageRows, (length) => this.#cache.allocateFor(key, length));
    return samples === undefined ? undefined : { samples, rows };
  }

  /** Returns all bytes of a block whose first bytes are there. */
  async #rest(located: Located, first: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const { whole } = located;
    const bytes = new Uint8Array(whole.length);
    bytes.set(first);
    const read = { offset: whole.offset + first.length, length: whole.length - first.length };
    const rest = { ...located, read };
    const group = alone(rest);
    try {
      bytes.set(await this.#bytes(rest, group, signal), first.length);
    } finally {
      this.#decoded(group);
    }
    return bytes;
  }

  /** Returns the bytes that are read of a block, or all its bytes where the header holds them. */
  async #bytes(located: Located, group: Group, signal: AbortSignal): Promise<Uint8Array> {
    const { whole, read } = located;
    const held = this.#header.bytes.peek(whole.offset, whole.length);
    if (held?.length === whole.length) {
      const start = read.offset - whole.offset;
      return this.#unframed(located, held.subarray(start, start + read.length));
    }
    return this.#cut(located, group, await this.#answer(group, signal));
  }

  /** The answer to the read of a group, which its blocks share. */
  async #answer(group: Group, signal: AbortSignal): Promise<Uint8Array> {
    const { offset, length } = group.range;
    const { source } = this.#state;
    const bytes =
      group.bytes ?? (await this.#reads.share(`${offset}+${length}`, (shared) => this.#read(group, shared), signal));
    if (this.#header.version !== undefined && source.version !== this.#header.version) {
      throw new CogError("changed", `${source.key} changed after its header was read.`);
    }
    return bytes;
  }

  #cut(located: Located, group: Group, bytes: Uint8Array): Uint8Array {
    const { read, job } = located;
    const start = read.offset - group.range.offset;
    if (bytes.length < start + read.length) {
      throw new CogError("corrupt", `${this.#state.source.key}: the file ends inside block ${job.block}.`);
    }
    return this.#unframed(located, bytes.subarray(start, start + read.length));
  }

  #unframed({ frame, job }: Located, bytes: Uint8Array): Uint8Array {
    if (frame === undefined) return bytes;
    const block = unframed(bytes, frame);
    if (block !== undefined) return block;
    const { key } = this.#state.source;
    throw new CogError("corrupt", `${key}: block ${job.block} differs from what the file repeats before or after it.`);
  }

  async #read(group: Group, signal: AbortSignal): Promise<Uint8Array> {
    const { source } = this.#state;
    const { offset, length } = group.range;
    const images = group.blocks.map(({ job }) => job.image);
    let memory: Uint8Array | undefined;
    const allocate = (bytes: number): Uint8Array => {
      memory = this.#cache.allocate(bytes);
      return memory;
    };
    // inflated blocks keep no view of their compressed bytes; other codecs might, or read them in the background
    const options = images.every(inflatesRows) ? { signal, allocate } : { signal };
    try {
      const bytes = images.every(hasChecksum)
        ? await source.read(offset, length, options)
        : await readCompared(source, offset, length, options);
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

  async #decode({ job, key }: Located, bytes: Uint8Array): Promise<CachedBlock> {
    const { codecs, source } = this.#state;
    const { image, imageRows } = job;
    const allocate = (length: number): Uint8Array => this.#cache.allocateFor(key, length);
    try {
      return { samples: await decodeBlock(image, bytes, imageRows, codecs, allocate), rows: imageRows };
    } catch (error) {
      if (error instanceof CogError)
        throw new CogError(error.code, `${source.key}: ${error.message}`, { cause: error });
      throw new CogError("corrupt", `${source.key}: block ${job.block} does not decode.`, { cause: error });
    }
  }
}
