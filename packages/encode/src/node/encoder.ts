import { crc32 } from "node:zlib";
import sharp from "sharp";
import { EncodeError } from "../errors.ts";
import { checkImage, flatten, hasTransparency, type ImageEncoder, toRgba } from "../image/image.ts";
import { pngStream, wrapPng } from "../image/png.ts";

/** Encodes with libvips, PNG by itself: several times as fast as `portableEncoder`, for the same pixels. */
export const nodeEncoder: ImageEncoder = {
  async encode(image, format, options) {
    const quality = checkImage(image, format, options);
    const { width, height } = image;
    if (format === "png") return wrapPng(image, pngStream(image), crc32);
    try {
      if (format === "jpg") {
        const { data, channels } = flatten(image);
        const raw = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
        return await raw.jpeg({ quality, chromaSubsampling: "4:2:0" }).toBuffer();
      }
      const isPlain = image.palette === undefined && !hasTransparency(image);
      const data = isPlain ? image.data : toRgba(image);
      const raw = sharp(data, {
        raw: { width, height, channels: isPlain ? image.channels : 4 },
        limitInputPixels: false,
      });
      return await raw.webp({ quality, effort: 0, alphaQuality: 100 }).toBuffer();
    } catch (cause) {
      throw new EncodeError("codec", `The ${format} encoder failed on ${width} × ${height} pixels.`, { cause });
    }
  },
};
