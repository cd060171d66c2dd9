import { CogError } from "../errors.ts";
import { copyBytes } from "../sources/source.ts";
import { codecLoader } from "./load-codec.ts";
import { type ZstdFrame, zstdFrame } from "./zstd-frame.ts";

/** Samples of an image as a codec gives them: interleaved, `channels` per pixel. */
export interface DecodedImage {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array;
}

/**
 * Decompressors besides those that the package has itself (deflate, LZW, PackBits, JPEG, LERC). The portable ones run anywhere;
 * `@swath/cog/node` has faster ones.
 */
export interface Codecs {
  /**
   * A Zstandard frame (RFC 8878) of at most `length` bytes, to its end, where its checksum is compared if it has one. The result may be
   * changed by the caller.
   *
   * @throws {CogError} `corrupt` where the frame is damaged, cut off, holds more, or is followed by more than zeros
   */
  zstd(bytes: Uint8Array, length: number): Promise<Uint8Array> | Uint8Array;
  /** A WebP image to RGBA. */
  webp(bytes: Uint8Array): Promise<DecodedImage>;
}

/** Decompressors in JavaScript and WebAssembly, for browsers and for Node. */
export const portableCodecs: Codecs = {
  async zstd(bytes, length) {
    return (await zstdDecoder())(zstdFrame(bytes, length), length);
  },
  async webp(bytes) {
    const decode = await webpDecoder();
    return toDecodedImage(await decode(copyBytes(bytes).buffer));
  },
};

/** RGBA of what the WebP module gives. */
function toDecodedImage(image: {
  width: number;
  height: number;
  data: ArrayLike<number> & { buffer?: ArrayBufferLike };
}): DecodedImage {
  return { width: image.width, height: image.height, channels: 4, data: Uint8Array.from(image.data) };
}

type ZstdDecode = (frame: ZstdFrame, length: number) => Uint8Array;

/** Zstandard in WebAssembly. It decodes whole frames only. */
const zstdDecoder = codecLoader("Zstandard", async (): Promise<ZstdDecode> => {
  const { ZSTDDecoder } = await import("zstddec");
  const decoder = new ZSTDDecoder();
  await decoder.init();
  return ({ bytes, contentSize }, length) => {
    const size = contentSize ?? length;
    let decoded: Uint8Array;
    try {
      decoded = decoder.decode(bytes, size);
    } catch (error) {
      throw new CogError("corrupt", "The Zstandard frame of a block is damaged.", { cause: error });
    }
    // zstddec takes the number of an error, for instance of a wrong checksum, for a length
    if (decoded.length === 0 && size > 0) throw new CogError("corrupt", "The Zstandard frame of a block is damaged.");
    return decoded;
  };
});

/** WebP in WebAssembly, which browsers fetch by its URL and Node reads from its file. */
const webpDecoder = codecLoader("WebP", async () => (await import("#webp-module")).loadWebp());
