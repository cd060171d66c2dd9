import type { BlockCache } from "../cache/block-cache.ts";
import { hasChecksum, inflatesRows } from "../codecs/decode.ts";
import { type CogState, tableOf } from "../cog-state.ts";
import type { TiffImage } from "../header/tiff-image.ts";
import type { ByteRange } from "../sources/ranges.ts";
import { framedRange } from "./block-frame.ts";
import type { BlockJob, BlockLoadOptions, Located } from "./block-job.ts";
import { BlockReads } from "./block-reads.ts";

/** From this share of its bytes on all of a block is read. */
const WHOLE_ABOVE = 0.75;
/**
 * Where the first rows of a block are needed, this many times their share of its bytes are read: rows compress
 * differently.
 */
const MORE_BYTES = 1.15;
/** And these: the first codes come before the first row. */
const LEAST_BYTES = 16_384;

/** Finds, reads, decodes and copies blocks: neighbours by one read, reads in parallel, each block decoded once. */
export async function loadBlocks(
  state: CogState,
  jobs: readonly BlockJob[],
  cache: BlockCache,
  {
    signal,
    sequential,
    partial,
  }: Omit<BlockLoadOptions, "signal"> & {
    readonly signal: AbortSignal | undefined;
    /** A block that is not held is read in part: the part that should hold the rows needed. */
    readonly partial: boolean;
  },
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
  // bytes are compared by a checksum of the whole block, or while they arrive
  const isPart = partial && source.exposed !== true;
  const missing: Located[] = [];
  const others: Located[] = [];
  for (const job of jobs) {
    const range = tableOf(state, job.image).range(job.block);
    if (range === undefined) {
      job.fill();
      continue;
    }
    const key = `${prefix}${job.image.id}\n${job.block}`;
    const needed = isPart ? job.rows : job.imageRows;
    const isRead = cache.read(key, ({ samples, rows }) => {
      if (rows >= needed) job.copy(samples);
      return rows >= needed;
    });
    if (isRead === true) continue;
    const located = locate(job, key, needed, range, state);
    // another caller's block is waited for, and one that is held in part is read whole
    if (isRead === false || cache.isLoading(key)) others.push(located);
    else missing.push(isPart ? { ...located, read: firstPart(job, located.whole) } : located);
  }
  if (missing.length + others.length === 0) return;

  // one failure ends this window's other loads, except where another caller waits for them too
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const reads = new BlockReads(state, cache, { signal: controller.signal, sequential });
  try {
    await Promise.all([...others.map((located) => reads.single(located)), reads.merged(missing)]);
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

function locate(job: BlockJob, key: string, rows: number, range: ByteRange, { header }: CogState): Located {
  const frame = job.image.tiled && !hasChecksum(job.image) ? header.frame : undefined;
  const whole = frame === undefined ? range : framedRange(range, frame);
  return { job, key, rows, whole, read: whole, frame };
}

/** The bytes of a block that should hold its needed rows; all where that saves little, or it is not inflated. */
function firstPart(job: BlockJob, whole: ByteRange): ByteRange {
  const length = Math.ceil((whole.length * job.rows * MORE_BYTES) / job.imageRows) + LEAST_BYTES;
  const isLess = inflatesRows(job.image) && length < whole.length * WHOLE_ABOVE;
  return isLess ? { offset: whole.offset, length } : whole;
}
