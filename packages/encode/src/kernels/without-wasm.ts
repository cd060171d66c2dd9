import type { Image } from "@swath/raster";
import { zlibSync } from "fflate";
import type { BlockEncoding } from "../geotiff/block.ts";

// What the kernels do, in plain JavaScript: for pages that forbid WebAssembly.

/** As `predictAt`: predictor 2 of TIFF 6.0, section 14, or 3 of Adobe Photoshop TIFF Technical Note 3, in place. */
export function predictPlainly(
  block: Uint8Array,
  { predictor, bytesPerSample, rowLength, stride }: BlockEncoding,
): void {
  const rowBytes = rowLength * bytesPerSample;
  for (let start = 0; start < block.length; start += rowBytes) {
    const row = block.subarray(start, start + rowBytes);
    if (predictor === 3) bySignificance(row, rowLength, bytesPerSample);
    if (predictor !== 1) differences(row, predictor === 3 ? 1 : bytesPerSample, stride);
  }
}

/** The bytes of floats sorted, the most significant ones of all of them first. */
function bySignificance(row: Uint8Array, count: number, size: number): void {
  const before = row.slice();
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0; i < count; i++) row[plane * count + i] = before[i * size + size - 1 - plane]!;
  }
}

/** Each sample, a little-endian word of `size` bytes, less the one `stride` samples to its left. */
function differences(row: Uint8Array, size: number, stride: number): void {
  const before = stride * size;
  // from the right: what stands to the left is not changed yet
  for (let at = row.length - size; at >= before; at -= size) {
    let borrow = 0;
    for (let i = at; i < at + size; i++) {
      const difference = row[i]! - row[i - before]! - borrow;
      borrow = difference < 0 ? 1 : 0;
      row[i] = difference;
    }
  }
}

/** As `compressRuns`, larger or smaller: a zlib stream of bytes that may be changed. */
export function compressPlainly(bytes: Uint8Array, encoding: BlockEncoding | undefined): Uint8Array<ArrayBuffer> {
  if (encoding !== undefined) predictPlainly(bytes, encoding);
  return zlibSync(bytes, { level: 1 }) as Uint8Array<ArrayBuffer>;
}

/** As `pngStream`: rows by filter 3 (ISO/IEC 15948, section 9), those of palettes as they are. */
export function pngStreamPlainly({ data, width, height, channels, palette }: Image): Uint8Array {
  const rowBytes = width * channels;
  const rows = new Uint8Array(data.length + height);
  for (let row = 0, to = 0; row < height; row++) {
    rows[to++] = palette === undefined ? 3 : 0;
    for (let i = 0; i < rowBytes; i++, to++) {
      const at = row * rowBytes + i;
      const left = i < channels ? 0 : data[at - channels]!;
      const above = row === 0 ? 0 : data[at - rowBytes]!;
      rows[to] = palette === undefined ? data[at]! - ((left + above) >> 1) : data[at]!;
    }
  }
  return zlibSync(rows);
}
