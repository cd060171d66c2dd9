import { threadContext } from "../context.ts";
import { checkImage, flatten, type ImageEncoder, toRgba } from "./image.ts";
import { encodeJpeg } from "./jpeg.ts";
import { encodeImageAsPng, portableCrc32 } from "./png.ts";
import { encodeWebp } from "./webp.ts";

/** Encodes anywhere JavaScript runs, WebP where WebAssembly does. Nothing is loaded before it is used. */
export const portableEncoder: ImageEncoder = {
  async encode(image, format, options) {
    const quality = checkImage(image, format, options);
    const { width, height } = image;
    if (format === "png") return encodeImageAsPng(threadContext(), image, portableCrc32);
    if (format === "webp") return encodeWebp(threadContext(), toRgba(image), width, height, quality);
    const { data, channels } = flatten(threadContext(), image);
    return encodeJpeg(data, channels, width, height, quality);
  },
};
