import { encodePng } from "../../packages/encode/src/image/png.ts";
import { portableEncoder } from "../../packages/encode/src/index.ts";

export interface EncodedImages {
  readonly jpeg: Uint8Array;
  /** 16-bit grey. */
  readonly deep: Uint8Array;
  /** 8-bit grey with alpha. */
  readonly greyAlpha: Uint8Array;
}

const SIDE = 64;

/** Value of channel `c` at a pixel, 0 to 65535. */
export function sampleAt(x: number, y: number, c: number): number {
  return (x * 1021 + y * 257 + c * 9001) % 65_536;
}

/** Images that libraries in JavaScript encode. The same code runs in Node and in a browser. */
export async function encodeImages(): Promise<EncodedImages> {
  const [width, height] = [SIDE, SIDE];
  const samples = (channels: number): Uint16Array =>
    Uint16Array.from({ length: width * height * channels }, (_, i) => {
      const pixel = Math.floor(i / channels);
      return sampleAt(pixel % width, Math.floor(pixel / width), i % channels);
    });
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i % 3) * 60 + (Math.floor(i / 3) % width));
  return {
    jpeg: await portableEncoder.encode({ width, height, channels: 3, data: rgb }, "jpg"),
    deep: await encodePng({ width, height, channels: 1, data: samples(1) }),
    greyAlpha: await encodePng({
      width,
      height,
      channels: 2,
      data: Uint8Array.from(samples(2), (value) => value >> 8),
    }),
  };
}
