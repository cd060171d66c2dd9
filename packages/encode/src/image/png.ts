import { canLoadKernels, type Image } from "@swath/raster";
import { aligned, kernels, streamRoom } from "../kernels/kernels.ts";

const COLOUR_TYPES = { 1: 0, 3: 2, 4: 6 } as const;

/** A PNG file, by `crc32` of zlib. */
export async function encodePng(image: Image, crc32: (bytes: Uint8Array) => number): Promise<Uint8Array> {
  // the file is made before anybody else uses the kernels' memory
  if (canLoadKernels(kernels)) return wrapPng(image, pngStream(image), crc32);
  const { pngStreamPlainly } = await import("../kernels/without-wasm.ts");
  return wrapPng(image, pngStreamPlainly(image), crc32);
}

/**
 * The image's rows as a zlib stream: colours by the average filter, a palette or a mask-like grey without one. One filter
 * serves a whole image: choosing a row at a time costs more than it saves.
 *
 * @returns a view of memory that the next call uses again
 */
function pngStream({ data, width, height, channels, palette }: Image): Uint8Array {
  const rowBytes = width * channels;
  const length = data.length + height;
  const rows = aligned(data.length);
  const stream = rows + aligned(length);
  const { run, base, bytes } = kernels(stream + streamRoom(length));
  bytes.set(data, base);
  if (palette === undefined) run.averageRows(base, rowBytes, height, channels, base + rows);
  else run.plainRows(base, rowBytes, height, base + rows);
  const to = base + stream;
  return bytes.subarray(to, to + run.compress(base + rows, length, to));
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
  header[9] = palette === undefined ? COLOUR_TYPES[channels] : 3;
  chunks.push(["IHDR", header]);
  if (palette !== undefined) {
    const colours = new Uint8Array((palette.length / 4) * 3);
    const alphas = new Uint8Array(palette.length / 4);
    let opaqueFrom = 0;
    for (let i = 0; i < alphas.length; i++) {
      colours.set(palette.subarray(i * 4, i * 4 + 3), i * 3);
      alphas[i] = palette[i * 4 + 3] as number;
      if (alphas[i] !== 255) opaqueFrom = i + 1;
    }
    chunks.push(["PLTE", colours]);
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
