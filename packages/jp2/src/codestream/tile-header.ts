import { CogError } from "@swath/cog";
import { MARKER, viewOf } from "./markers.ts";
import { parseStartOfTile, SOT_BYTES, type StartOfTile } from "./tile-parts.ts";

/** The header of a tile-part. */
export interface TilePartHeader {
  readonly start: StartOfTile;
  /** Bytes from the SOT marker to the first packet. */
  readonly bytes: number;
  /** Bytes of its packets, where it states them (PLT). */
  readonly packets: readonly number[];
  /** It says how this tile is coded, other than the main header, or has the headers of packets. */
  readonly isOfItsOwn: boolean;
}

/** The longest header that a tile-part may have: the lengths of 400,000 packets. */
const MAX_BYTES = 1 << 20;
/** Segments that leave the main header's word standing. */
const PLAIN: ReadonlySet<number> = new Set([MARKER.PLT, MARKER.COM]);

/**
 * Reads the header of a tile-part from its first bytes.
 *
 * @returns how many bytes are needed, where there are too few
 * @throws {CogError} `corrupt`
 */
export function parseTilePartHeader(bytes: Uint8Array, key: string): TilePartHeader | number {
  const start = parseStartOfTile(bytes);
  if (start === undefined) {
    if (bytes.length < SOT_BYTES) return SOT_BYTES + 2;
    throw new CogError("corrupt", `${key}: expected a tile-part that starts with SOT.`);
  }
  const view = viewOf(bytes);
  const lengths = new PacketLengths();
  let isOfItsOwn = false;
  let at = SOT_BYTES;
  for (;;) {
    if (at > MAX_BYTES) throw new CogError("corrupt", `${key}: a tile-part's header has more than ${MAX_BYTES} bytes.`);
    if (at + 2 > bytes.length) return at + 64;
    const marker = view.getUint16(at);
    if (marker === MARKER.SOD) break;
    if (marker < 0xff00)
      throw new CogError("corrupt", `${key}: expected a marker in the header of tile ${start.tile}.`);
    if (at + 4 > bytes.length) return at + 64;
    const length = view.getUint16(at + 2);
    if (length < 2) throw new CogError("corrupt", `${key}: a marker segment of ${length} bytes.`);
    if (marker === MARKER.PLT) {
      if (at + 2 + length > bytes.length) return at + 2 + length + 64;
      lengths.add(bytes.subarray(at + 5, at + 2 + length));
    }
    if (!PLAIN.has(marker)) isOfItsOwn = true;
    at += 2 + length;
  }
  return { start, bytes: at + 2, packets: lengths.values, isOfItsOwn };
}

/** Lengths of packets in seven bits per byte, the high bit set except in the last (PLT, ITU-T T.800 A.7.3). */
class PacketLengths {
  readonly values: number[] = [];
  #value = 0;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#value = this.#value * 128 + (byte & 0x7f);
      if (byte < 0x80) {
        this.values.push(this.#value);
        this.#value = 0;
      }
    }
  }
}
