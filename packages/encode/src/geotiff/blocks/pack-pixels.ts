import { leftRectangles } from "../levels/left-pixels.ts";
import type { LevelShape } from "../levels/level-shape.ts";
import { partBytes } from "../levels/rectangle.ts";
import type { BlockRows } from "../levels/sources.ts";
import type { BlockFormat } from "./block-task.ts";
import { copyPart, viewPart } from "./level-part.ts";
import type { GrowingBlock } from "./overview-blocks.ts";

/** Returns copies of the pixels that a part leaves of a block. */
export function packLeft(
  levels: readonly LevelShape[],
  format: BlockFormat,
  rows: readonly BlockRows[],
  { level, block, pixels, seams }: GrowingBlock,
): readonly Uint8Array[] {
  const { sampleType, bandCount } = format;
  const growing = [pixels, ...seams].map((part) => viewPart(sampleType, bandCount, part));
  return leftRectangles(levels, rows, level, block).map((rectangle, i) => {
    const memory = new ArrayBuffer(partBytes(sampleType, bandCount, rectangle.width, rectangle.height));
    copyPart(growing[i]!, viewPart(sampleType, bandCount, { memory, ...rectangle }));
    return new Uint8Array(memory);
  });
}

/** Copies the pixels that a part has left of a block into it. */
export function unpackLeft(
  levels: readonly LevelShape[],
  format: BlockFormat,
  rows: readonly BlockRows[],
  { level, block, pixels, seams }: GrowingBlock,
  bytes: Uint8Array<ArrayBuffer>,
): void {
  const { sampleType, bandCount } = format;
  const growing = [pixels, ...seams].map((part) => viewPart(sampleType, bandCount, part));
  let at = 0;
  for (const [i, rectangle] of leftRectangles(levels, rows, level, block).entries()) {
    const end = at + partBytes(sampleType, bandCount, rectangle.width, rectangle.height);
    copyPart(viewPart(sampleType, bandCount, { memory: bytes.slice(at, end).buffer, ...rectangle }), growing[i]!);
    at = end;
  }
}
