import type { Image } from "@swath/raster/style";
import { PNG } from "pngjs";
import sharp from "sharp";

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A hilly landscape with noise, so that it compresses about as a satellite scene does. */
export function landscape(width: number, height: number, channels: 1 | 3 | 4, seed = 1): Image {
  const next = random(seed);
  const data = new Uint8Array(width * height * channels);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < channels; c++) {
        const hill = 60 * Math.sin(x / 23 + c) * Math.cos(y / 31) + 30 * Math.sin((x + 2 * y) / 9);
        data[to++] = c === 3 ? (x + y < width / 2 ? 0 : 255) : 128 + hill + 12 * (next() - 0.5);
      }
    }
  }
  return { width, height, channels, data };
}

/** Index pixels of `colours` colours; colour 0 is transparent. */
export function paletteImage(width: number, height: number, colours = 256): Image {
  const palette = new Uint8Array(colours * 4);
  for (let i = 0; i < colours; i++) palette.set([i, 255 - i, i >> 1, i === 0 ? 0 : 255], i * 4);
  const source = landscape(width, height, 1);
  return { width, height, channels: 1, palette, data: source.data.map((value) => (value * colours) >> 8) };
}

/** The image's pixels as RGBA, worked out here and not by the code under test. */
export function rgba({ width, height, channels, data, palette }: Image): Uint8Array {
  const out = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const pixel = palette
      ? palette.subarray((data[i] as number) * 4, (data[i] as number) * 4 + 4)
      : channels === 1
        ? [data[i] as number, data[i] as number, data[i] as number, 255]
        : [...data.subarray(i * channels, i * channels + 3), channels === 4 ? (data[i * 4 + 3] as number) : 255];
    out.set(pixel, i * 4);
  }
  return out;
}

/** A file's pixels as RGBA: pngjs for PNG, libvips for the others. */
export async function decode(bytes: Uint8Array, format: "png" | "jpg" | "webp"): Promise<Uint8Array> {
  if (format === "png") return new Uint8Array(PNG.sync.read(Buffer.from(bytes)).data);
  return new Uint8Array(await sharp(bytes).toColourspace("srgb").ensureAlpha().raw().toBuffer());
}

/** The samples of a PNG as libvips reads them, and the number of samples per pixel in the file. */
export async function decodeSamples(
  file: Uint8Array,
  bits: 8 | 16,
): Promise<{ readonly channels: number; readonly samples: number[] }> {
  const image = sharp(file);
  const { channels = 0, depth } = await image.metadata();
  if (depth !== (bits === 16 ? "ushort" : "uchar")) throw new Error(`The file has samples of type ${depth}.`);
  if (bits === 16) {
    const { data } = await image
      .toColourspace(channels < 3 ? "grey16" : "rgb16")
      .raw({ depth: "ushort" })
      .toBuffer({ resolveWithObject: true });
    return { channels, samples: [...new Uint16Array(data.buffer, data.byteOffset, data.length / 2)] };
  }
  // 8-bit grey comes as three equal channels
  const rgba = await image.toColourspace("srgb").ensureAlpha().raw().toBuffer();
  const kept = [[], [0], [0, 3], [0, 1, 2], [0, 1, 2, 3]][channels] ?? [];
  const samples = Array.from({ length: rgba.length / 4 }, (_, i) => kept.map((c) => rgba[4 * i + c]!)).flat();
  return { channels, samples };
}

/** Peak signal-to-noise ratio in dB over the colours of the pixels that `mask` (RGBA) shows. */
export function psnr(expected: Uint8Array, actual: Uint8Array, mask = expected): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < expected.length; i += 4) {
    if (mask[i + 3] === 0) continue;
    for (let c = 0; c < 3; c++, count++) sum += ((expected[i + c] as number) - (actual[i + c] as number)) ** 2;
  }
  return sum === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10((255 * 255 * count) / sum);
}
