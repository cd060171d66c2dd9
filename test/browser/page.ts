import { httpSource } from "../../packages/cog/src/index.ts";
import { drawTile } from "./draw-tile.ts";
import { encodeImages } from "./encode-images.ts";

declare global {
  interface Window {
    drawTile(url: string, z: number, x: number, y: number): Promise<{ pixels: number[]; png: number[] }>;
    encodeImages(): Promise<{ jpeg: number[]; deep: number[]; greyAlpha: number[]; hasBuffer: boolean }>;
  }
}

/** The function that the test calls: it returns plain arrays, because nothing else leaves a page. */
window.drawTile = async (url, z, x, y) => {
  const { pixels, png } = await drawTile(httpSource(url), z, x, y);
  return { pixels: [...pixels], png: [...png] };
};

window.encodeImages = async () => {
  const { jpeg, deep, greyAlpha } = await encodeImages();
  return { jpeg: [...jpeg], deep: [...deep], greyAlpha: [...greyAlpha], hasBuffer: "Buffer" in globalThis };
};
