import { MAX_EDGE } from "./frames.ts";

/** A way in which browsers encode videos, and the file that it goes into. */
export interface VideoCodec {
  readonly format: "mp4" | "webm";
  readonly codec: "avc" | "vp9" | "av1" | "vp8";
  /** Its name for WebCodecs, with a level that has room for the largest frame. */
  readonly name: string;
}

/** The best first: what plays H.264 is nearly everything. */
const CODECS: readonly VideoCodec[] = [
  { format: "mp4", codec: "avc", name: "avc1.640028" },
  { format: "webm", codec: "vp9", name: "vp09.00.40.08" },
  { format: "webm", codec: "av1", name: "av01.0.08M.08" },
  { format: "webm", codec: "vp8", name: "vp8" },
];

async function canEncode({ name }: VideoCodec): Promise<boolean> {
  try {
    const config = { codec: name, width: MAX_EDGE, height: MAX_EDGE };
    return (await VideoEncoder.isConfigSupported(config)).supported === true;
  } catch {
    return false;
  }
}

/** Returns the best codec that the browser has; undefined where it encodes no video, as at an address without TLS. */
export async function findVideoCodec(): Promise<VideoCodec | undefined> {
  if (typeof VideoEncoder === "undefined") return undefined;
  for (const each of CODECS) if (await canEncode(each)) return each;
  return undefined;
}
