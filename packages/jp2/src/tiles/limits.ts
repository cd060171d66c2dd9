import { CogError } from "@swath/cog";
import type { CodingStyle, ComponentStyle } from "../codestream/coding-style.ts";
import { type Rect, rectHeight, rectWidth, reduceRect } from "../codestream/image-size.ts";
import { countPrecincts, precinctGrid } from "../codestream/packets.ts";

/** Samples that are decoded at a time, in all components: a tile of 4096 x 4096. The decoder takes 8 bytes and more for each. */
const MAX_SAMPLES = 1 << 24;
/** Bytes of a tile's codestream: four times those of its samples, and the headers. */
const MAX_BYTES = 64 << 20;
/** Packets and code-blocks of a tile, for each of which the decoder allocates. */
const MAX_PACKETS = 1 << 20;
const MAX_BLOCKS = 1 << 19;

/**
 * Refuses a tile that would take too much memory or time, before anything is read or allocated for it.
 *
 * @throws {CogError} `too-large`
 */
export function checkTile(tile: Rect, coding: CodingStyle, reduction: number, key: string): void {
  const reduced = reduceRect(tile, reduction);
  const samples = rectWidth(reduced) * rectHeight(reduced) * coding.components.length;
  if (samples > MAX_SAMPLES) {
    throw new CogError(
      "too-large",
      `${key}: a tile of ${samples} samples, at most ${MAX_SAMPLES} are decoded at a time.`,
    );
  }
  const packets = countPrecincts(tile, coding) * coding.layers;
  if (packets > MAX_PACKETS) {
    throw new CogError("too-large", `${key}: a tile of ${packets} packets, at most ${MAX_PACKETS} are read.`);
  }
  const blocks = coding.components.reduce((sum, style) => sum + countBlocks(tile, style), 0);
  if (blocks > MAX_BLOCKS) {
    throw new CogError("too-large", `${key}: a tile of ${blocks} code-blocks, at most ${MAX_BLOCKS} are read.`);
  }
}

/** @throws {CogError} `too-large` for a tile of more compressed bytes than the limit */
export function checkTileBytes(bytes: number, key: string): void {
  if (bytes <= MAX_BYTES) return;
  throw new CogError("too-large", `${key}: a tile of ${bytes} bytes, at most ${MAX_BYTES} are read.`);
}

/** An upper bound of the code-blocks of a component: those of each precinct, which cuts them off at its edges. */
function countBlocks(tile: Rect, style: ComponentStyle): number {
  let count = 0;
  for (let resolution = 0; resolution <= style.levels; resolution++) {
    const rect = reduceRect(tile, style.levels - resolution);
    const [width, height] = style.precincts[resolution]!;
    const blockWidth = 2 ** Math.min(style.blockWidth, width);
    const blockHeight = 2 ** Math.min(style.blockHeight, height);
    const { across, down } = precinctGrid(tile, style, resolution);
    const columns = Math.ceil(rectWidth(rect) / blockWidth) + 2 * across;
    const rows = Math.ceil(rectHeight(rect) / blockHeight) + 2 * down;
    count += columns * rows;
  }
  return count;
}
