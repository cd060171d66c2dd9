import { CogError } from "@swath/cog";
import type { HeaderBytes } from "@swath/cog/bytes";
import { viewOf } from "../codestream/markers.ts";

/** A box of a JP2 file (ITU-T T.800 I.4): where its contents are. */
export interface Box {
  readonly type: string;
  /** Byte offset of its contents. */
  readonly offset: number;
  /** Bytes of its contents; infinite where it goes to the end of the file. */
  readonly length: number;
}

/** More boxes than this before the codestream, or inside another box, are no description of an image. */
const MAX_BOXES = 256;
/** Boxes in boxes in boxes. */
const MAX_DEPTH = 6;

/**
 * The boxes of a file from `offset` on, up to the codestream's, which is the last one given.
 *
 * @throws {CogError} `corrupt`, or what the source throws
 */
export async function* readBoxes(bytes: HeaderBytes, offset: number, key: string): AsyncGenerator<Box> {
  let at = offset;
  for (let count = 0; ; count++) {
    if (count >= MAX_BOXES) throw new CogError("corrupt", `${key}: more than ${MAX_BOXES} boxes.`);
    const head = await bytes.read(at, 16);
    if (head.length < 8) return;
    const box = parseBox(head, at, Number.POSITIVE_INFINITY);
    if (box === undefined) throw new CogError("corrupt", `${key}: a box at ${at} that is shorter than its header.`);
    yield box;
    if (!Number.isFinite(box.length)) return;
    at = box.offset + box.length;
  }
}

/** Boxes in the contents of another one, those inside `asoc` boxes among them; what is no box ends them. */
export function* boxesIn(
  bytes: Uint8Array,
  depth = 0,
): Generator<{ readonly type: string; readonly bytes: Uint8Array }> {
  for (let at = 0, count = 0; at + 8 <= bytes.length && count < MAX_BOXES; count++) {
    const box = parseBox(bytes.subarray(at), 0, bytes.length - at);
    if (box === undefined) return;
    const contents = bytes.subarray(at + box.offset, at + box.offset + box.length);
    yield { type: box.type, bytes: contents };
    if (box.type === "asoc" && depth < MAX_DEPTH) yield* boxesIn(contents, depth + 1);
    at += box.offset + box.length;
  }
}

/** @param rest bytes up to the end of what holds the box */
function parseBox(head: Uint8Array, at: number, rest: number): Box | undefined {
  const view = viewOf(head);
  const stated = view.getUint32(0);
  const type = String.fromCharCode(...head.subarray(4, 8));
  if (stated === 0) return { type, offset: at + 8, length: rest - 8 };
  if (stated !== 1) return stated < 8 ? undefined : { type, offset: at + 8, length: stated - 8 };
  if (head.length < 16) return undefined;
  const length = Number(view.getBigUint64(8)) - 16;
  return length < 0 || !Number.isSafeInteger(at + 16 + length) ? undefined : { type, offset: at + 16, length };
}
