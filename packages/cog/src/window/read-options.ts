import type { BlockCache } from "../blocks/block-cache.ts";

/** Which bands of a window are read, and how. */
export interface ReadOptions {
  /** Bands to read, counted from 0, in the order wanted. Default: all. */
  readonly bands?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Keeps decoded blocks between calls. */
  readonly cache?: BlockCache | undefined;
  /**
   * For a caller that reads a file once, part by part: blocks are decoded completely (`true`) or down to this row of the level,
   * because the next part needs their other rows, and take half of the cache at most, because they are not read again afterwards.
   */
  readonly decodeAhead?: boolean | number | undefined;
  /**
   * For a caller that needs few pixels of many files: of a block that is inflated only the first bytes are read that should
   * hold the rows needed, by their share of the block's rows, and one more read follows where they do not. Nothing but these rows is
   * kept. Default: whole blocks.
   */
  readonly partialBlocks?: boolean | undefined;
  /**
   * The value that means "no data", in place of what the file says (its nodata value, mask and alpha band); `null`:
   * every value is data.
   */
  readonly nodata?: number | null | undefined;
}
