import type { Image } from "@swath/raster/style";
import type { EncodeContext } from "../context.ts";
import { EncodeError } from "../errors.ts";

/** Formats of images, by the ending of their files. */
export type ImageFormat = "png" | "jpg" | "webp";

/** Options for compressing an image. */
export interface ImageOptions {
  /** 1 to 100; default 85 for JPEG, 80 for WebP. PNG is lossless and has none. */
  readonly quality?: number;
}

/** Pixels to a file. The same image and options give the same bytes. */
export interface ImageEncoder {
  /**
   * PNG keeps every value, palettes too. JPEG has no transparency: pixels are composited on white. WebP is lossy in color and
   * lossless in alpha. Edges have at most 1,000,000 pixels in PNG, 65,500 in JPEG and 16,383 in WebP, which is what libpng, libjpeg and
   * libwebp read; pixels at most 2²⁹ bytes.
   *
   * @throws {EncodeError} `invalid-raster` for arrays that do not fit and images that are larger, `invalid-option` for a quality out of range,
   * `codec` where a codec cannot be loaded or fails.
   */
  encode(image: Image, format: ImageFormat, options?: ImageOptions): Promise<Uint8Array>;
}

const DEFAULT_QUALITY = { png: 100, jpg: 85, webp: 80 } as const satisfies Record<ImageFormat, number>;

/** Pixels that are composited at a time: those of a map tile. */
const RUN = 65_536;

/**
 * The longest edge of an image that others read. PNG states up to 2³¹ − 1 and libpng reads as much as its `PNG_USER_WIDTH_MAX`; JPEG states
 * 65535 and libjpeg takes its `JPEG_MAX_DIMENSION`; WebP states no more (RFC 9649 section 2.6, 14 bits).
 */
const LONGEST = { png: 1_000_000, jpg: 65_500, webp: 16_383 } as const satisfies Record<ImageFormat, number>;
const NAMES = { png: "PNG", jpg: "JPEG", webp: "WebP" } as const satisfies Record<ImageFormat, string>;
/** Most bytes of pixels: the kernels' memory has addresses of 31 bits for three times as many. */
const MOST_BYTES = 2 ** 29;

/** Checks the edges of an image. @throws {EncodeError} `invalid-raster` where they are longer than others read, or no edges */
export function checkEdges(width: number, height: number, format: ImageFormat): void {
  const longest = LONGEST[format];
  if ([width, height].every((edge) => Number.isInteger(edge) && edge >= 1 && edge <= longest)) return;
  throw new EncodeError(
    "invalid-raster",
    `Expected edges of 1 to ${longest} pixels for ${NAMES[format]}, got ${width} × ${height}.`,
  );
}

/** @throws {EncodeError} `invalid-raster` */
export function checkBytes({ byteLength }: Uint8Array | Uint16Array): void {
  if (byteLength > MOST_BYTES) {
    throw new EncodeError("invalid-raster", `Expected at most ${MOST_BYTES} bytes of pixels, got ${byteLength}.`);
  }
}

/** Checks an image and its options; returns the quality to use. @throws {EncodeError} */
export function checkImage(image: Image, format: ImageFormat, options: ImageOptions = {}): number {
  const { width, height, channels, data, palette } = image;
  if (LONGEST[format] === undefined)
    throw new EncodeError("invalid-option", `Expected png, jpg or webp, got ${format}.`);
  checkEdges(width, height, format);
  checkBytes(data);
  if (data.length !== width * height * channels) {
    const expected = width * height * channels;
    throw new EncodeError("invalid-raster", `Expected ${expected} bytes of data, got ${data.length}.`);
  }
  if (palette !== undefined) {
    if (channels !== 1) throw new EncodeError("invalid-raster", `A palette needs 1 channel, got ${channels}.`);
    if (palette.length === 0 || palette.length > 1024 || palette.length % 4 !== 0) {
      throw new EncodeError("invalid-raster", `Expected 1 to 256 RGBA colors, got ${palette.length} bytes.`);
    }
    if (palette.length < 1024) {
      const colors = palette.length / 4;
      let largest = 0;
      for (let i = 0; i < data.length; i++) if ((data[i] as number) > largest) largest = data[i] as number;
      if (largest >= colors) {
        throw new EncodeError("invalid-raster", `Expected indices below ${colors}, got ${largest}.`);
      }
    }
  }
  const quality = options.quality ?? DEFAULT_QUALITY[format];
  if (!(quality >= 1 && quality <= 100)) {
    throw new EncodeError("invalid-option", `Expected a quality from 1 to 100, got ${quality}.`);
  }
  return Math.round(quality);
}

/** The image as RGBA; an image that has four channels already is returned as it is. */
export function toRgba({ data, channels, palette }: Image): Uint8Array {
  if (channels === 4) return data;
  const pixels = data.length / channels;
  const out = new Uint8Array(pixels * 4);
  if (palette !== undefined) {
    for (let i = 0, to = 0; i < pixels; i++, to += 4) {
      const from = (data[i] as number) * 4;
      out[to] = palette[from] as number;
      out[to + 1] = palette[from + 1] as number;
      out[to + 2] = palette[from + 2] as number;
      out[to + 3] = palette[from + 3] as number;
    }
    return out;
  }
  const green = channels === 3 ? 1 : 0;
  for (let i = 0, from = 0, to = 0; i < pixels; i++, from += channels, to += 4) {
    out[to] = data[from] as number;
    out[to + 1] = data[from + green] as number;
    out[to + 2] = data[from + 2 * green] as number;
    out[to + 3] = 255;
  }
  return out;
}

/** The image without transparency, composited on white: grey stays grey (1 channel), everything else becomes RGB. */
export function flatten({ kernels }: EncodeContext, image: Image): { data: Uint8Array; channels: 1 | 3 } {
  if (image.palette === undefined && image.channels !== 4) return { data: image.data, channels: image.channels };
  const rgba = toRgba(image);
  const count = rgba.length / 4;
  const data = new Uint8Array(3 * count);
  if (kernels === undefined) {
    for (let i = 0; i < data.length; i++) {
      const pixel = 4 * Math.floor(i / 3);
      const alpha = rgba[pixel + 3]!;
      data[i] = Math.round((rgba[pixel + (i % 3)]! * alpha + 255 * (255 - alpha)) / 255);
    }
    return { data, channels: 3 };
  }
  const { run, base, bytes } = kernels(7 * RUN + 64);
  const to = base + 4 * RUN + 16;
  for (let start = 0; start < count; start += RUN) {
    const end = Math.min(start + RUN, count);
    bytes.set(rgba.subarray(4 * start, 4 * end), base);
    run.flatten(base, end - start, to);
    data.set(bytes.subarray(to, to + 3 * (end - start)), 3 * start);
  }
  return { data, channels: 3 };
}

/** Whether any pixel is not opaque. */
export function hasTransparency({ channels, data, palette }: Image): boolean {
  const colors = palette ?? (channels === 4 ? data : undefined);
  if (colors === undefined) return false;
  for (let i = 3; i < colors.length; i += 4) if (colors[i] !== 255) return true;
  return false;
}
