import { createNodeEncoder, type JpegTurbo } from "@swath/encode/node";

/** JPEG by libjpeg-turbo itself where it is built for this platform, else by libvips as WebP is. */
export const encoder = createNodeEncoder({ jpegTurbo: await loadJpegTurbo() });

async function loadJpegTurbo(): Promise<JpegTurbo | undefined> {
  try {
    return (await import("@julusian/jpeg-turbo")).default;
  } catch {
    return undefined;
  }
}
