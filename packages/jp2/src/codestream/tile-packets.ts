import type { TilePartHeader } from "./tile-header.ts";
import type { TilePart } from "./tile-parts.ts";

/** Places of a tile's packets in the file, in their order: all of them, or those from the first on. */
export interface TilePackets {
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
}

/** Tiles of more packets are read whole: their lists would take longer than their bits. */
export const MAX_PACKETS = 65_536;

/**
 * Finds the packets of a tile by the lengths that its tile-parts state.
 *
 * @param headers of the tile-parts from the first on
 * @param expected packets of the tile by how it is coded
 * @param last index of the last packet that is needed
 * @returns `undefined` where the tile-parts do not state lengths, or others than fill them: which packet is where is then not known
 */
export function locatePackets(
  parts: readonly TilePart[],
  headers: readonly TilePartHeader[],
  expected: number,
  last: number,
): TilePackets | undefined {
  const count = headers.reduce((sum, { packets }) => sum + packets.length, 0);
  const isAll = headers.length === parts.length;
  if (count > MAX_PACKETS || count <= last || count > expected || (isAll && count < expected)) return undefined;
  const offsets = new Float64Array(count);
  const lengths = new Uint32Array(count);
  let at = 0;
  for (const [i, { bytes, packets }] of headers.entries()) {
    const { offset, length } = parts[i]!;
    let next = offset + bytes;
    for (const packet of packets) {
      offsets[at] = next;
      lengths[at++] = packet;
      next += packet;
    }
    // the last one may end with the codestream's end marker
    const left = offset + length - next;
    if (left !== 0 && !(left === 2 && i === parts.length - 1)) return undefined;
  }
  return { offsets, lengths };
}
