import type { ByteRange } from "@swath/cog/bytes";

/** Bytes of a file that have been read, in pieces. */
export class TileBytes {
  readonly #pieces: { readonly offset: number; readonly bytes: Uint8Array }[] = [];

  add(offset: number, bytes: Uint8Array): void {
    this.#pieces.push({ offset, bytes });
  }

  /** All bytes of a range; `undefined` where no piece has them. */
  view({ offset, length }: ByteRange): Uint8Array | undefined {
    for (const piece of this.#pieces) {
      const start = offset - piece.offset;
      if (start >= 0 && start + length <= piece.bytes.length) return piece.bytes.subarray(start, start + length);
    }
    return undefined;
  }

  /** Returns the bytes that have been read from `offset` on. */
  from(offset: number): Uint8Array {
    let longest = new Uint8Array(0);
    for (const piece of this.#pieces) {
      const start = offset - piece.offset;
      if (start < 0 || start >= piece.bytes.length) continue;
      const rest = piece.bytes.subarray(start);
      if (rest.length > longest.length) longest = rest as Uint8Array<ArrayBuffer>;
    }
    return longest;
  }
}
