import { decodePng, type RgbaImage } from "@swath/encode/node";
import type { ParentJob, RenderedImage } from "../job.ts";
import { encoder } from "./encoder.ts";

/** Pixels of a part's edge. */
const PART = 256;

/**
 * Draws a tile of those below it. Colours are means of the pixels that show something, weighted by their opacity; the opacity is
 * the mean of all four.
 */
export async function renderParent({ parts, size, format: asked }: ParentJob): Promise<RenderedImage> {
  const present = parts.filter((part) => part !== undefined);
  const [own] = parts;
  const facts = {
    used: [...new Set(present.flatMap(({ used }) => used))],
    skipped: [],
    truncated: present.some(({ truncated }) => truncated),
  };
  if (parts.length === 1 && own !== undefined && size === PART && asked === "png") {
    return { ...facts, bytes: own.bytes, format: "png" };
  }
  const images = await Promise.all(parts.map((part) => part && decodePng(part.bytes)));
  const data = parts.length === 1 ? resized(images[0], size) : size === PART ? halved(pasted(images)) : pasted(images);
  const image = { width: size, height: size, channels: 4 as const, data };
  const format = asked !== "auto" ? asked : isOpaque(data) ? "jpg" : "png";
  return { ...facts, bytes: (await encoder.encode(image, format)) as Uint8Array<ArrayBuffer>, format };
}

/** Four parts side by side. */
function pasted(images: readonly (RgbaImage | undefined)[]): Uint8Array {
  const out = new Uint8Array(4 * PART * PART * 4);
  images.forEach((image, i) => {
    if (image === undefined) return;
    const [left, top] = [(i % 2) * PART, Math.floor(i / 2) * PART];
    for (let row = 0; row < PART; row++) {
      const from = row * PART * 4;
      out.set(image.data.subarray(from, from + PART * 4), ((top + row) * 2 * PART + left) * 4);
    }
  });
  return out;
}

/** Each pixel the mean of four of an image of 512 × 512. */
function halved(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(PART * PART * 4);
  const below = 2 * PART * 4;
  for (let row = 0; row < PART; row++) {
    for (let column = 0; column < PART; column++) {
      const a = 2 * row * below + 8 * column;
      const [b, c, d] = [a + 4, a + below, a + below + 4];
      const [wa, wb, wc, wd] = [data[a + 3]!, data[b + 3]!, data[c + 3]!, data[d + 3]!];
      const opacity = wa + wb + wc + wd;
      if (opacity === 0) continue;
      const to = (row * PART + column) * 4;
      for (let i = 0; i < 3; i++) {
        const sum = wa * data[a + i]! + wb * data[b + i]! + wc * data[c + i]! + wd * data[d + i]!;
        out[to + i] = Math.round(sum / opacity);
      }
      out[to + 3] = Math.round(opacity / 4);
    }
  }
  return out;
}

/** A part as it is, or each of its pixels as four. */
function resized(image: RgbaImage | undefined, size: 256 | 512): Uint8Array {
  if (image === undefined) return new Uint8Array(size * size * 4);
  if (size === PART) return image.data;
  const from = new Uint32Array(image.data.slice().buffer);
  const to = new Uint32Array(size * size);
  for (let at = 0; at < to.length; at++) to[at] = from[(Math.floor(at / size) >> 1) * PART + ((at % size) >> 1)]!;
  return new Uint8Array(to.buffer);
}

function isOpaque(data: Uint8Array): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}
