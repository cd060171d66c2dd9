import type { TilePackets } from "../codestream/tile-packets.ts";

/** Bytes of the places of packets that a file keeps: those of 3,700 tiles of 23 packets. */
const MAX_BYTES = 1 << 20;

/** The packets of a file's tiles, as far as they are known. */
export class KnownPackets {
  readonly #tiles = new Map<number, TilePackets>();
  #bytes = 0;
  /** False once a tile does not say where its packets are, or says it wrongly: others are then read whole. */
  areStated = true;

  get(tile: number): TilePackets | undefined {
    return this.areStated ? this.#tiles.get(tile) : undefined;
  }

  keep(tile: number, packets: TilePackets): void {
    const bytes = packets.offsets.byteLength + packets.lengths.byteLength;
    if (bytes > MAX_BYTES) return;
    if (this.#bytes + bytes > MAX_BYTES) {
      this.#tiles.clear();
      this.#bytes = 0;
    }
    this.#tiles.set(tile, packets);
    this.#bytes += bytes;
  }

  /** Returns the most bytes that it may come to hold for this many tiles with this many packets. */
  static bytesFor(tiles: number, packets: number): number {
    return Math.min(MAX_BYTES, tiles * packets * 12);
  }
}
