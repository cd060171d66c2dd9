/** `length` bytes from `offset`. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Gap in bytes up to which two reads become one. As geotiff.js and Rust `object_store`. */
export const MAX_GAP = 32_768;
/** Merged reads end here, so that large windows are fetched in parallel. */
export const MAX_MERGED = 8 * 1024 * 1024;

/**
 * Joins ranges that overlap or are at most `maxGap` bytes apart into reads of at most `maxLength` bytes
 * (a single longer range stays whole). Sorted by offset; every range is part of exactly one read.
 */
export function mergeRanges(ranges: readonly ByteRange[], maxGap = MAX_GAP, maxLength = MAX_MERGED): ByteRange[] {
  const sorted = ranges.filter((range) => range.length > 0).sort((a, b) => a.offset - b.offset || b.length - a.length);
  const merged: { offset: number; length: number }[] = [];
  let last: { offset: number; length: number } | undefined;
  for (const { offset, length } of sorted) {
    const end = offset + length;
    if (last !== undefined) {
      const lastEnd = last.offset + last.length;
      const joined = Math.max(lastEnd, end) - last.offset;
      if (end <= lastEnd || (offset <= lastEnd + maxGap && (joined <= maxLength || offset < lastEnd))) {
        last.length = joined;
        continue;
      }
    }
    last = { offset, length };
    merged.push(last);
  }
  return merged;
}
