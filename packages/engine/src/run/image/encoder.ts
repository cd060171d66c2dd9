import { createNodeEncoder, type JpegTurbo } from "@swath/encode/node";

/** Version of Node-API that the module is built for; with an older one, as Node 20 has, loading it ends the process. */
const NODE_API = 10;

/** JPEG by libjpeg-turbo itself where it is built for this platform, else by libvips as WebP is. */
export const encoder = createNodeEncoder({ jpegTurbo: await loadJpegTurbo() });

async function loadJpegTurbo(): Promise<JpegTurbo | undefined> {
  if (Number(process.versions.napi) < NODE_API) return undefined;
  try {
    return (await import("@julusian/jpeg-turbo")).default;
  } catch {
    return undefined;
  }
}
