import type { KernelMemory } from "@swath/raster/kernels";
import type { Image } from "@swath/raster/style";
import { type EncodeContext, threadContext } from "../context.ts";
import { EncodeError } from "../errors.ts";
import { aligned, type EncodeKernels, maxStreamBytes } from "../kernels/kernels.ts";
import { checkBytes, checkEdges, checkImage, toRgba } from "./image.ts";

const COLOR_TYPES = { 1: 0, 3: 2, 4: 6 } as const;

/**
 * Pixels of a PNG, row-major and interleaved: 1 (grey, or index into `palette`), 2 (grey and alpha), 3 (RGB) or 4
 * (RGBA) samples per pixel, of 8 or 16 bits each, alpha not premultiplied. `palette` holds n × RGBA, n at most 256, and
 * goes with one channel of 8 bits.
 */
export interface PngImage {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  readonly data: Uint8Array | Uint16Array;
  readonly palette?: Uint8Array;
}

/**
 * Encodes a PNG that keeps every value: kernels encode 8 bits with a fixed filter; pngjs, which takes many times as
 * long, encodes 16 bits, grey with alpha, and everything where WebAssembly is forbidden.
 *
 * @throws {EncodeError} `invalid-raster` for arrays that do not fit, edges above 1,000,000 pixels and more than 2²⁹ bytes, `codec` where pngjs
 * cannot be loaded.
 * @example await encodePng({ width: 2, height: 1, channels: 1, data: Uint16Array.of(0, 65535) })
 */
export async function encodePng(image: PngImage): Promise<Uint8Array> {
  const { width, height, channels, data, palette } = image;
  if (data instanceof Uint8Array && channels !== 2) {
    const plain = { width, height, channels, data, ...(palette === undefined ? {} : { palette }) };
    checkImage(plain, "png");
    return encodeImageAsPng(threadContext(), plain, portableCrc32);
  }
  if (palette !== undefined) throw new EncodeError("invalid-raster", "A palette goes with 1 channel of 8 bits.");
  checkEdges(width, height, "png");
  checkBytes(data);
  if (data.length !== width * height * channels) {
    const expected = width * height * channels;
    throw new EncodeError("invalid-raster", `Expected ${expected} samples of data, got ${data.length}.`);
  }
  const { encodeByPngjs } = await import("./png-by-pngjs.ts");
  return encodeByPngjs({ width, height, channels, data });
}

/** A PNG of a checked image, by `crc32` of zlib. */
export async function encodeImageAsPng(
  { kernels }: EncodeContext,
  image: Image,
  crc32: (bytes: Uint8Array) => number,
): Promise<Uint8Array> {
  // the file is made before other calls use the kernels' memory
  if (kernels !== undefined) return wrapPng(image, pngStream(kernels, image), crc32);
  const { encodeByPngjs } = await import("./png-by-pngjs.ts");
  // pngjs writes no palettes
  return encodeByPngjs(image.palette === undefined ? image : { ...image, channels: 4, data: toRgba(image) });
}

/**
 * The image's rows as a zlib stream: colors by the average filter, a palette or a mask-like grey without one. One filter
 * serves a whole image: choosing a row at a time costs more than it saves.
 *
 * @returns a view of memory that the next call uses again
 */
function pngStream(
  kernels: KernelMemory<EncodeKernels>,
  { data, width, height, channels, palette }: Image,
): Uint8Array {
  const rowBytes = width * channels;
  const length = data.length + height;
  const rows = aligned(data.length);
  const stream = rows + aligned(length);
  const { run, base, bytes } = kernels(stream + maxStreamBytes(length));
  bytes.set(data, base);
  if (palette === undefined) run.averageRows(base, rowBytes, height, channels, base + rows);
  else run.plainRows(base, rowBytes, height, base + rows);
  const to = base + stream;
  return bytes.subarray(to, to + run.compress(base + rows, length, to, false));
}

/** A whole PNG file around a zlib stream of its rows. */
function wrapPng(image: Image, stream: Uint8Array, crc32: (bytes: Uint8Array) => number): Uint8Array {
  const { width, height, channels, palette } = image;
  const chunks: [type: string, bytes: Uint8Array][] = [];
  const header = new Uint8Array(13);
  const headerView = new DataView(header.buffer);
  headerView.setUint32(0, width);
  headerView.setUint32(4, height);
  header[8] = 8;
  header[9] = palette === undefined ? COLOR_TYPES[channels] : 3;
  chunks.push(["IHDR", header]);
  if (palette !== undefined) {
    const colors = new Uint8Array((palette.length / 4) * 3);
    const alphas = new Uint8Array(palette.length / 4);
    let opaqueFrom = 0;
    for (let i = 0; i < alphas.length; i++) {
      colors.set(palette.subarray(i * 4, i * 4 + 3), i * 3);
      alphas[i] = palette[i * 4 + 3] as number;
      if (alphas[i] !== 255) opaqueFrom = i + 1;
    }
    chunks.push(["PLTE", colors]);
    if (opaqueFrom > 0) chunks.push(["tRNS", alphas.subarray(0, opaqueFrom)]);
  }
  chunks.push(["IDAT", stream], ["IEND", new Uint8Array(0)]);
  const out = new Uint8Array(8 + chunks.reduce((sum, [, bytes]) => sum + bytes.length + 12, 0));
  const view = new DataView(out.buffer);
  out.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  let at = 8;
  for (const [type, bytes] of chunks) {
    view.setUint32(at, bytes.length);
    for (let i = 0; i < 4; i++) out[at + 4 + i] = type.charCodeAt(i);
    out.set(bytes, at + 8);
    view.setUint32(at + 8 + bytes.length, crc32(out.subarray(at + 4, at + 8 + bytes.length)));
    at += bytes.length + 12;
  }
  return out;
}

const TABLE = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** CRC-32 of zlib and PNG (ISO/IEC 15948, annex D), in plain JavaScript. */
export function portableCrc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) c = (TABLE[(c ^ (bytes[i] as number)) & 255] as number) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
