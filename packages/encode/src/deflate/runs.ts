import { zlibSync } from "fflate";
import { type EncodeContext, threadContext } from "../context.ts";
import { aligned, predictAt, streamLead } from "../kernels/kernels.ts";
import { type BlockEncoding, predictWithoutKernels } from "../kernels/predictors.ts";

/**
 * A zlib stream (RFC 1950, 1951) of Huffman codes and runs of a single byte, with codes of its own for every 64 kB;
 * what would grow is stored. After a predictor or a PNG filter, imagery holds little else that matches: the size is that
 * of zlib's Z_RLE strategy, in a third of its time, and that of zlib's level 1 within 2 %. Samples of four bytes and more without a
 * predictor are compared word by word with those in the window: scaled integers as floats come out as with zlib's level 1, in
 * a third of its time. In WebAssembly; where that is forbidden, fflate's level 1.
 *
 * @param encoding A predictor to apply first; the bytes given stay as they are.
 * @returns a view of memory that the next call uses again
 */
export function compressRuns(bytes: Uint8Array, encoding?: BlockEncoding): Uint8Array<ArrayBuffer> {
  return compressFilled(threadContext(), bytes.length, (buffer) => buffer.set(bytes), encoding);
}

/**
 * Does the same as {@link compressRuns} for `length` bytes that `fill` writes into a buffer which may hold anything
 * before.
 */
export function compressFilled(
  { kernels }: EncodeContext,
  length: number,
  fill: (buffer: Uint8Array) => void,
  encoding?: BlockEncoding,
): Uint8Array<ArrayBuffer> {
  if (kernels === undefined) {
    const bytes = new Uint8Array(length);
    fill(bytes);
    if (encoding !== undefined) predictWithoutKernels(bytes, encoding);
    return zlibSync(bytes, { level: 1 }) as Uint8Array<ArrayBuffer>;
  }
  // the stream is written over the bytes that it is made of: half the memory
  const row = encoding === undefined ? 0 : encoding.rowLength * encoding.bytesPerSample + 16;
  const lead = Math.max(streamLead(length), aligned(row));
  const { run, base, bytes: memory } = kernels(lead + length + 16);
  const from = base + lead;
  fill(memory.subarray(from, from + length));
  if (encoding !== undefined) predictAt(run, from, length, encoding, base);
  // without a predictor wide samples repeat as they are
  const matchesWords = encoding?.predictor === 1 && encoding.bytesPerSample >= 4;
  return memory.subarray(base, base + run.compress(from, length, base, matchesWords));
}
