import { CogError, type Source } from "@swath/cog";
import { type ByteRange, type HeaderBytes, mergeRanges, readCompared } from "@swath/cog/bytes";
import { InFlight } from "@swath/http";

interface MergedRead extends ByteRange {
  /** Ranges of it that nobody has taken yet: after the last one its bytes are dropped. */
  left: number;
  bytes?: Uint8Array;
}

/** Reads for one window: the coarse resolutions of a scene of Sentinel-2 need 121. */
const MAX_READS = 4096;

/** Reads of ranges that are known beforehand: neighbours by one read, each made once and dropped when all have theirs. */
export class MergedReads {
  readonly #source: Source;
  readonly #version: string | undefined;
  readonly #head: HeaderBytes | undefined;
  readonly #reads: readonly MergedRead[];
  readonly #running = new InFlight<Uint8Array>();

  /**
   * @param version of the file whose ranges they are
   * @param head what has been read of it already; absent: it is not trusted
   * @throws {CogError} `too-large` for more reads than a window may need
   */
  constructor(
    source: Source,
    version: string | undefined,
    head: HeaderBytes | undefined,
    ranges: readonly ByteRange[],
  ) {
    this.#source = source;
    this.#version = version;
    this.#head = head;
    const unread = ranges.filter(({ offset, length }) => head?.peek(offset, length)?.length !== length);
    const reads: MergedRead[] = mergeRanges(unread).map((range) => ({ ...range, left: 0 }));
    if (reads.length > MAX_READS) {
      throw new CogError(
        "too-large",
        `${source.key}: a window of ${reads.length} reads, at most ${MAX_READS} are made.`,
      );
    }
    this.#reads = reads;
    for (const range of unread) {
      const read = this.#find(range);
      if (read !== undefined) read.left += 1;
    }
  }

  /**
   * The bytes of a range, fewer only where the file ends.
   *
   * @throws {CogError} `changed`, or what the source throws
   */
  async take({ offset, length }: ByteRange, signal: AbortSignal): Promise<Uint8Array> {
    const held = this.#head?.peek(offset, length);
    if (held?.length === length) return held;
    const read = this.#find({ offset, length });
    if (read === undefined) return this.#read(offset, length, signal);
    const bytes =
      read.bytes ??
      (await this.#running.share(
        String(read.offset),
        async (shared) => {
          read.bytes = await this.#read(read.offset, read.length, shared);
          return read.bytes;
        },
        signal,
      ));
    read.left -= 1;
    if (read.left <= 0) delete read.bytes;
    return bytes.subarray(offset - read.offset, offset - read.offset + length);
  }

  /** The merged read that a range is part of. */
  #find({ offset, length }: ByteRange): MergedRead | undefined {
    const reads = this.#reads;
    let low = 0;
    for (let high = reads.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if (reads[middle]!.offset <= offset) low = middle;
      else high = middle - 1;
    }
    const read = reads[low];
    return read !== undefined && read.offset <= offset && offset + length <= read.offset + read.length
      ? read
      : undefined;
  }

  async #read(offset: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    const source = this.#source;
    // no checksum vouches for what is in a tile
    const bytes = await readCompared(source, offset, length, { signal });
    if (this.#version !== undefined && source.version !== this.#version) {
      throw new CogError("changed", `${source.key} changed after its header was read.`);
    }
    return bytes;
  }
}
