import { applyPalette, GIFEncoder, quantize } from "gifenc";
import { animatedWebp } from "./webp.ts";

/** Formats of saved animations. */
export type Format = "webp" | "gif";

/** Quality of WebP frames, 0 to 1. */
const QUALITY = 0.85;
/** Colours of a frame of a GIF. */
const COLORS = 256;

export interface Encoder {
  add(frame: HTMLCanvasElement): Promise<void>;
  finish(): Blob;
}

/** @param duration - milliseconds of each frame */
type MakeEncoder = (size: { readonly width: number; readonly height: number }, duration: number) => Encoder;

const gif: MakeEncoder = ({ width, height }, duration) => {
  const encoder = GIFEncoder();
  return {
    async add(frame) {
      const pixels = frame.getContext("2d")?.getImageData(0, 0, width, height).data;
      if (pixels === undefined) throw new Error("The browser has no memory for the frame.");
      const palette = quantize(pixels, COLORS);
      encoder.writeFrame(applyPalette(pixels, palette), width, height, { palette, delay: duration });
      // the page answers between frames
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    finish() {
      encoder.finish();
      return new Blob([encoder.bytes() as Uint8Array<ArrayBuffer>], { type: "image/gif" });
    },
  };
};

const webp: MakeEncoder = ({ width, height }, duration) => {
  const images: Uint8Array[] = [];
  return {
    async add(frame) {
      const blob = await new Promise<Blob | null>((resolve) => frame.toBlob(resolve, "image/webp", QUALITY));
      // browsers answer with PNG where they do not write a format
      if (blob?.type !== "image/webp") throw new Error("This browser does not write WebP. Choose GIF.");
      images.push(new Uint8Array(await blob.arrayBuffer()));
    },
    finish: () => new Blob([animatedWebp(images, { width, height, duration })], { type: "image/webp" }),
  };
};

export const ENCODERS: Readonly<Record<Format, MakeEncoder>> = { webp, gif };
