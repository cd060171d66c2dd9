import type { WebpDecode } from "./webp-node.ts";

/** One pixel, lossless (RFC 9649 section 3). */
const SMALLEST_WEBP = [
  0x52, 0x49, 0x46, 0x46, 0x1a, 0, 0, 0, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x4c, 0x0d, 0, 0, 0, 0x2f, 0, 0, 0,
  0x10, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xfe, 0x07, 0,
];

/**
 * The decoder of WebP, which fetches its WebAssembly by URL: `#webp-module` stands for it everywhere except in Node.
 */
export async function loadWebp(): Promise<WebpDecode> {
  const module = await import("@jsquash/webp/decode.js");
  await module.init();
  // only decoding waits for the WebAssembly
  await module.default(Uint8Array.from(SMALLEST_WEBP).buffer);
  return module.default;
}
