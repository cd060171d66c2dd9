import type { BlockFrame } from "../header/structural-metadata.ts";
import type { ByteRange } from "../sources/ranges.ts";

const SIZE = 4;

/** A block with what is repeated around it. */
export function framedRange({ offset, length }: ByteRange, { leader, trailer }: BlockFrame): ByteRange {
  const before = leader ? SIZE : 0;
  return { offset: offset - before, length: before + length + (trailer ? SIZE : 0) };
}

/** The block in a framed range; `undefined` where what is repeated differs from it. */
export function unframed(bytes: Uint8Array, { leader, trailer }: BlockFrame): Uint8Array | undefined {
  const block = bytes.subarray(leader ? SIZE : 0, bytes.length - (trailer ? SIZE : 0));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (leader && view.getUint32(0, true) !== block.length) return undefined;
  const last = bytes.length - SIZE;
  if (trailer && block.length >= SIZE && view.getUint32(last) !== view.getUint32(last - SIZE)) return undefined;
  return block;
}
