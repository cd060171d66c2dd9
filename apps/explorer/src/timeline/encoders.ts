import { applyPalette, GIFEncoder, quantize } from "gifenc";
import type { Encoder } from "./encoder.ts";
import { findVideoCodec, type VideoCodec } from "./video-codec.ts";
import { animatedWebp } from "./webp.ts";

/** Formats of saved animations. */
export type Format = "webp" | "gif" | VideoCodec["format"];

/** Quality of WebP frames, 0 to 1. */
const QUALITY = 0.85;
/** Colours of a frame of a GIF. */
const COLORS = 256;

/** @param duration - milliseconds of each frame */
type MakeEncoder = (size: { readonly width: number; readonly height: number }, duration: number) => Promise<Encoder>;

const gif: MakeEncoder = async ({ width, height }, duration) => {
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
    async finish() {
      encoder.finish();
      return new Blob([encoder.bytes() as Uint8Array<ArrayBuffer>], { type: "image/gif" });
    },
  };
};

const webp: MakeEncoder = async ({ width, height }, duration) => {
  const images: Uint8Array[] = [];
  return {
    async add(frame) {
      const blob = await new Promise<Blob | null>((resolve) => frame.toBlob(resolve, "image/webp", QUALITY));
      // browsers answer with PNG where they do not write a format
      if (blob?.type !== "image/webp") throw new Error("This browser does not write WebP. Choose GIF.");
      images.push(new Uint8Array(await blob.arrayBuffer()));
    },
    finish: async () => new Blob([animatedWebp(images, { width, height, duration })], { type: "image/webp" }),
  };
};

const video: MakeEncoder = async (_, duration) => {
  const [codec, { openVideo }] = await Promise.all([findVideoCodec(), import("./video.ts")]);
  if (codec === undefined) throw new Error("This browser does not encode videos. Choose WebP or GIF.");
  return openVideo(codec, duration);
};

export const ENCODERS: Readonly<Record<Format, MakeEncoder>> = { webp, gif, mp4: video, webm: video };
