import { crc32 } from "node:zlib";
import type { Sharp } from "sharp";
import { threadContext } from "../context.ts";
import { EncodeError } from "../errors.ts";
import { checkImage, flatten, hasTransparency, type ImageEncoder, toRgba } from "../image/image.ts";
import { encodeImageAsPng } from "../image/png.ts";
import { encodeByTurbo, type JpegTurbo } from "./jpeg-turbo.ts";

/** Options of an encoder in Node. */
export interface NodeEncoderOptions {
  /**
   * The module `@julusian/jpeg-turbo`, where the caller has it installed: JPEG in a sixth of libvips' time or less, without its
   * optimized Huffman codes, so 1 to 10 % larger, the smoothest images up to 20 %.
   */
  readonly jpegTurbo?: JpegTurbo | undefined;
}

/** Makes an encoder with libvips, PNG by kernels: several times as fast as `portableEncoder`, for the same pixels. */
export function createNodeEncoder({ jpegTurbo }: NodeEncoderOptions = {}): ImageEncoder {
  return {
    async encode(image, format, options) {
      const context = threadContext();
      const quality = checkImage(image, format, options);
      const { width, height } = image;
      if (format === "png") return encodeImageAsPng(context, image, crc32);
      try {
        if (format === "jpg") {
          const { data, channels } = flatten(context, image);
          if (jpegTurbo !== undefined) {
            return await encodeByTurbo(jpegTurbo, context, data, { width, height, channels, quality });
          }
          const raw = await libvips(data, width, height, channels);
          return await raw.jpeg({ quality, chromaSubsampling: "4:2:0" }).toBuffer();
        }
        const isPlain = image.palette === undefined && !hasTransparency(image);
        const data = isPlain ? image.data : toRgba(image);
        const raw = await libvips(data, width, height, isPlain ? image.channels : 4);
        return await raw.webp({ quality, effort: 0, alphaQuality: 100 }).toBuffer();
      } catch (cause) {
        throw new EncodeError("codec", `The ${format} encoder failed on ${width} × ${height} pixels.`, { cause });
      }
    },
  };
}

/** Raw pixels in libvips, which is loaded when it is first needed: with libjpeg-turbo for WebP only. */
async function libvips(data: Uint8Array, width: number, height: number, channels: 1 | 3 | 4): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}

/** The encoder of `createNodeEncoder` without options. */
export const nodeEncoder: ImageEncoder = createNodeEncoder();
