import type { Image } from "@swath/raster";

/** Row filters of PNG (ISO/IEC 15948, section 9). One filter serves a whole image: choosing a row at a time costs more than it saves. */
export type PngFilter = "none" | "sub" | "up" | "average";

const FILTERS = { none: 0, sub: 1, up: 2, average: 3 } as const satisfies Record<PngFilter, number>;
const COLOUR_TYPES = { 1: 0, 3: 2, 4: 6 } as const;

/** Rows with their filter byte, filtered: what goes into the zlib stream. In `memory` where they fit. */
export function filterRows(
  data: Uint8Array,
  rowBytes: number,
  pixelBytes: number,
  filter: PngFilter,
  memory?: ArrayBuffer,
): Uint8Array {
  const rows = data.length / rowBytes;
  const length = data.length + rows;
  const fits = memory !== undefined && memory.byteLength >= length;
  const out = fits ? new Uint8Array(memory, 0, length) : new Uint8Array(length);
  const code = FILTERS[filter];
  for (let row = 0, from = 0, to = 0; row < rows; row++) {
    const end = from + rowBytes;
    out[to++] = code;
    if (filter === "none") {
      out.set(data.subarray(from, end), to);
      to += rowBytes;
      from = end;
    } else if (filter === "sub") {
      const body = from + pixelBytes;
      for (; from < body; from++) out[to++] = data[from] as number;
      for (; from < end; from++) out[to++] = (data[from] as number) - (data[from - pixelBytes] as number);
    } else if (filter === "up") {
      if (row === 0) for (; from < end; from++) out[to++] = data[from] as number;
      else for (; from < end; from++) out[to++] = (data[from] as number) - (data[from - rowBytes] as number);
    } else {
      to = averageRow(data, from, end, row === 0 ? 0 : rowBytes, pixelBytes, out, to);
      from = end;
    }
  }
  return out;
}

/** Pixels less the mean, rounded down, of those to the left and above; `above` is 0 where there is no row above. */
function averageRow(
  data: Uint8Array,
  from: number,
  end: number,
  above: number,
  pixelBytes: number,
  out: Uint8Array,
  to: number,
): number {
  const body = from + pixelBytes;
  for (; from < body; from++) out[to++] = data[from]! - (above === 0 ? 0 : data[from - above]! >> 1);
  if (above > 0) {
    const words = end - ((end - from) % 4);
    averageWords(data, from, words, above, pixelBytes, out, to);
    to += words - from;
    from = words;
  }
  for (; from < end; from++) {
    const mean = (data[from - pixelBytes]! + (above === 0 ? 0 : data[from - above]!)) >> 1;
    out[to++] = data[from]! - mean;
  }
  return to;
}

/** Four bytes at a time, as numbers of 32 bits in which nothing carries over from one byte to the next. */
function averageWords(
  data: Uint8Array,
  from: number,
  end: number,
  above: number,
  pixelBytes: number,
  out: Uint8Array,
  to: number,
): void {
  const source = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const target = new DataView(out.buffer, out.byteOffset, out.byteLength);
  for (; from < end; from += 4, to += 4) {
    const value = source.getInt32(from, true);
    const left = source.getInt32(from - pixelBytes, true);
    const upper = source.getInt32(from - above, true);
    const mean = (left & upper) + (((left ^ upper) & 0xfefefefe) >>> 1);
    const difference = ((value | 0x80808080) - (mean & 0x7f7f7f7f)) ^ ((value ^ ~mean) & 0x80808080);
    target.setInt32(to, difference, true);
  }
}

/**
 * The image's bytes as they are compressed: colours by the average filter, a palette or a mask-like grey without one.
 * They are written into `memory` where that is large enough.
 */
export function pngRows(image: Image, memory?: ArrayBuffer): Uint8Array {
  const filter: PngFilter = image.palette === undefined ? "average" : "none";
  return filterRows(image.data, image.width * image.channels, image.channels, filter, memory);
}

/** A whole PNG file around a zlib stream of {@link pngRows}. `crc32` is that of zlib. */
export function wrapPng(image: Image, stream: Uint8Array, crc32: (bytes: Uint8Array) => number): Uint8Array {
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
