import { type EncodeContext, ownedContext } from "../context.ts";
import { checkImage, flatten, type ImageEncoder, toRgba } from "./image.ts";
import { encodeJpeg } from "./jpeg.ts";
import { encodeImageAsPng, portableCrc32 } from "./png.ts";
import { encodeWebp } from "./webp.ts";

/** Options of an encoder. */
export interface EncoderOptions {
  /** Gives the kernels. Default: the context of this thread. */
  readonly context?: EncodeContext | undefined;
}

/** Makes an encoder for anywhere JavaScript runs, WebP where WebAssembly does. Nothing is loaded before it is used. */
export function createPortableEncoder({ context }: EncoderOptions = {}): ImageEncoder {
  return {
    async encode(image, format, options) {
      const quality = checkImage(image, format, options);
      const { width, height } = image;
      if (format === "png") return encodeImageAsPng(ownedContext(context), image, portableCrc32);
      if (format === "webp") return encodeWebp(ownedContext(context), toRgba(image), width, height, quality);
      const { data, channels } = flatten(ownedContext(context), image);
      return encodeJpeg(data, channels, width, height, quality);
    },
  };
}

/** The encoder of `createPortableEncoder` without options. */
export const portableEncoder: ImageEncoder = /* @__PURE__ */ createPortableEncoder();
