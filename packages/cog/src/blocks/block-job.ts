import type { Samples } from "@swath/raster";
import type { BlockFrame } from "../header/structural-metadata.ts";
import type { TiffImage } from "../header/tiff-image.ts";
import type { ByteRange } from "../sources/ranges.ts";

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

/** A block that has bytes. */
export interface Located {
  readonly job: BlockJob;
  /** Its name in caches. */
  readonly key: string;
  /** Rows that have to be held: all, except where a part is enough. */
  readonly rows: number;
  /** All of its bytes, with what the file repeats around them. */
  readonly whole: ByteRange;
  /** The range of them that is read first. */
  readonly read: ByteRange;
  /** Compared with the block where it has no checksum. */
  readonly frame: BlockFrame | undefined;
}

/** Options for loading the blocks of a window. */
export interface BlockLoadOptions {
  readonly signal: AbortSignal;
  /** The blocks are part of an extraction that reads the file once. */
  readonly sequential: boolean;
}
