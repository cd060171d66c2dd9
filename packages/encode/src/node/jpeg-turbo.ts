import type { EncodeContext } from "../context.ts";

/** The part of the module `@julusian/jpeg-turbo`, version 3, that is used. */
export interface JpegTurbo {
  readonly FORMAT_RGB: number;
  readonly FORMAT_GRAY: number;
  readonly SAMP_420: number;
  readonly SAMP_GRAY: number;
  bufferSize(options: JpegTurboSize): number;
  compressSync(raw: Uint8Array, out: Uint8Array, options: JpegTurboOptions): Uint8Array;
  compress(raw: Uint8Array, options: JpegTurboOptions): Promise<Uint8Array>;
}

interface JpegTurboSize {
  readonly width: number;
  readonly height: number;
  readonly subsampling?: number;
}

interface JpegTurboOptions extends JpegTurboSize {
  readonly format: number;
  readonly quality?: number;
}

/** Pixels up to which the calling thread encodes, in some milliseconds; above it, Node's thread pool does. */
const AT_ONCE = 1 << 20;

export async function encodeByTurbo(
  turbo: JpegTurbo,
  context: EncodeContext,
  data: Uint8Array,
  { width, height, channels, quality }: { width: number; height: number; channels: 1 | 3; quality: number },
): Promise<Uint8Array> {
  const isGrey = channels === 1;
  const subsampling = isGrey ? turbo.SAMP_GRAY : turbo.SAMP_420;
  const options = { width, height, subsampling, format: isGrey ? turbo.FORMAT_GRAY : turbo.FORMAT_RGB, quality };
  const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (width * height > AT_ONCE) return new Uint8Array(await turbo.compress(raw, options));
  const needed = turbo.bufferSize({ width, height, subsampling });
  // the library asks for memory for the worst case, thirty times what comes out: it is used again
  const { buffer, byteOffset, byteLength } = context.scratch(needed);
  return new Uint8Array(turbo.compressSync(raw, Buffer.from(buffer, byteOffset, byteLength), options));
}
