import { CogError } from "../errors.ts";
import { codecLoader } from "./load-codec.ts";
import { copyBytes } from "./stored-samples.ts";

/** Samples of an image as a codec gives them: interleaved, `channels` a pixel. */
export interface DecodedImage {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array;
}

/**
 * Decompressors besides those that the package has itself (deflate, LZW, PackBits, JPEG), which may stop once `length`
 * bytes are out, and give fewer where the stream ends before. The portable ones run anywhere; `@swath/cog/node` has
 * faster ones.
 */
export interface Codecs {
  /** A Zstandard frame (RFC 8878) of at most `whole` bytes. The result may be changed by the caller. */
  zstd(bytes: Uint8Array, length: number, whole: number): Promise<Uint8Array> | Uint8Array;
  /** A WebP image to RGBA. */
  webp(bytes: Uint8Array): Promise<DecodedImage>;
}

/** Decompressors in JavaScript and WebAssembly, for browsers and Node alike. */
export const portableCodecs: Codecs = {
  async zstd(bytes, length, whole) {
    return (await zstdDecoder())(bytes, length, whole);
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

type ZstdDecode = (bytes: Uint8Array, length: number, whole: number) => Uint8Array;

/** Zstandard in WebAssembly. It decodes whole frames only. */
const zstdDecoder = codecLoader("Zstandard", async (): Promise<ZstdDecode> => {
  const { ZSTDDecoder } = await import("zstddec");
  const decoder = new ZSTDDecoder();
  await decoder.init();
  return (bytes, length, whole) => {
    const size = zstdContentSize(bytes) ?? whole;
    if (size > whole) throw new CogError("corrupt", `A Zstandard block declares ${size} bytes, at most ${whole} fit.`);
    let decoded: Uint8Array;
    try {
      decoded = decoder.decode(bytes, size);
    } catch (error) {
      throw new CogError("corrupt", "The Zstandard frame of a block is damaged.", { cause: error });
    }
    // zstddec takes the number of an error, as of a wrong checksum, for a length
    if (decoded.length === 0 && size > 0) throw new CogError("corrupt", "The Zstandard frame of a block is damaged.");
    return decoded.subarray(0, length);
  };
});

/** WebP in WebAssembly, which browsers fetch by its URL and Node reads from its file. */
const webpDecoder = codecLoader("WebP", async () => (await import("#webp-module")).loadWebp());

/** Frame_Content_Size (RFC 8878 section 3.1.1.1), where the frame states it. */
function zstdContentSize(bytes: Uint8Array): number | undefined {
  if (bytes.length < 18 || bytes[0] !== 0x28 || bytes[1] !== 0xb5 || bytes[2] !== 0x2f || bytes[3] !== 0xfd)
    return undefined;
  const descriptor = bytes[4]!;
  const single = (descriptor >> 5) & 1;
  const field = [single, 2, 4, 8][descriptor >> 6]!;
  const at = 5 + (single === 1 ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!;
  if (field === 0) return undefined;
  let size = 0;
  for (let i = field - 1; i >= 0; i--) size = size * 256 + bytes[at + i]!;
  return field === 2 ? size + 256 : size;
}
