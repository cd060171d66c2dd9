import type { BlockCache } from "../cache/block-cache.ts";

/** The bands of a window that are read, and options of reading them. */
export interface ReadOptions {
  /** Bands to read, counted from 0, in the order wanted. Default: all. */
  readonly bands?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Keeps decoded blocks between calls. */
  readonly cache?: BlockCache | undefined;
  /**
   * For a caller that reads a file once, part by part: its blocks take half of the cache at most, because they are not read again
   * afterwards. Default false.
   */
  readonly sequential?: boolean | undefined;
  /**
   * For a caller that needs few pixels of many files: only those first bytes of an inflated block are read that should
   * hold the rows needed, by their share of the block's rows, and one more read follows where they do not. Nothing but
   * these rows is kept, for other such callers alone: the block's checksum covers all its bytes and is not compared. So
   * it is not done where bytes may be changed on their way (`exposed` sources, as by plain HTTP). Default: whole
   * blocks.
   */
  readonly partialBlocks?: boolean | undefined;
  /**
   * The value that means "no data", in place of what the file says (its nodata value, mask and alpha band); `null`:
   * every value is data.
   */
  readonly nodata?: number | null | undefined;
}
