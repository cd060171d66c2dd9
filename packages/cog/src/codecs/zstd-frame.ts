import { CogError } from "../errors.ts";

/** The header of a Zstandard frame. */
export interface ZstdFrame {
  /** The frame, checksum included, without what follows it. */
  readonly bytes: Uint8Array;
  /** Bytes that come out, where the frame states it. */
  readonly contentSize: number | undefined;
}

const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;

/**
 * Finds the end of a Zstandard frame by the sizes of its blocks (RFC 8878 section 3.1.1). libtiff and GDAL write frames without a
 * checksum: that a frame ends where its bytes end is most of what can be compared.
 *
 * @param most bytes that may come out
 * @throws {CogError} `corrupt` where the frame is cut off, states more than `most`, or is followed by more than zeros
 */
export function zstdFrame(bytes: Uint8Array, most: number): ZstdFrame {
  if (bytes.length < 9 || bytes[0] !== 0x28 || bytes[1] !== 0xb5 || bytes[2] !== 0x2f || bytes[3] !== 0xfd) {
    throw new CogError("corrupt", "A Zstandard block does not start with a Zstandard frame.");
  }
  const descriptor = bytes[4]!;
  const isSingle = ((descriptor >> 5) & 1) === 1;
  const field = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const sizeAt = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!;
  const contentSize = field === 0 ? undefined : littleEndian(bytes, sizeAt, field) + (field === 2 ? 256 : 0);
  if (contentSize !== undefined && contentSize > most) {
    throw new CogError("corrupt", `A Zstandard block declares ${contentSize} bytes, at most ${most} fit.`);
  }
  let at = sizeAt + field;
  for (let isLast = false; !isLast; ) {
    const head = littleEndian(bytes, at, 3);
    isLast = (head & 1) === 1;
    const type = (head >> 1) & 3;
    if (type === RESERVED_BLOCK) throw new CogError("corrupt", "A Zstandard block has a part of a reserved type.");
    at += 3 + (type === RLE_BLOCK ? 1 : head >> 3);
  }
  if ((descriptor & 4) !== 0) at += 4;
  if (at > bytes.length) throw new CogError("corrupt", "The Zstandard frame of a block is cut off.");
  if (bytes.subarray(at).some((byte) => byte !== 0)) {
    throw new CogError("corrupt", `${bytes.length - at} bytes follow the Zstandard frame of a block.`);
  }
  return { bytes: bytes.subarray(0, at), contentSize };
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  if (at + count > bytes.length) throw new CogError("corrupt", "The Zstandard frame of a block is cut off.");
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + bytes[at + i]!;
  return value;
}
