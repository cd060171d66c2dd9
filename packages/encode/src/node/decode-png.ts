import { EncodeError } from "../errors.ts";

/** Pixels of 4 bytes, red, green, blue and opacity, rows from the top. */
export interface RgbaImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/**
 * The pixels of a PNG of any kind; samples of 16 bits lose their lower 8.
 *
 * @throws {EncodeError} `codec` for bytes that are no PNG.
 */
export async function decodePng(bytes: Uint8Array): Promise<RgbaImage> {
  const { PNG } = await import("pngjs");
  try {
    const { width, height, data } = PNG.sync.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return { width, height, data };
  } catch (cause) {
    throw new EncodeError("codec", "Expected a PNG.", { cause });
  }
}
