import sharp from "sharp";

/** A decoded image: RGBA. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export async function pixelsOf(response: Response): Promise<Pixels> {
  const image = sharp(Buffer.from(await response.arrayBuffer())).ensureAlpha();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** The largest difference of any channel of any pixel. */
export function largestDifference(a: Pixels, b: Pixels): number {
  if (a.width !== b.width || a.height !== b.height) throw new Error("Expected images of one size.");
  let largest = 0;
  for (let i = 0; i < a.data.length; i++) largest = Math.max(largest, Math.abs((a.data[i] ?? 0) - (b.data[i] ?? 0)));
  return largest;
}

/** Counts the pixels that are not transparent. */
export function opaque({ data }: Pixels): number {
  let count = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 0) count += 1;
  return count;
}
