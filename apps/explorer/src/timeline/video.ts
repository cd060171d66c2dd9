import {
  BufferTarget,
  Mp4OutputFormat,
  Output,
  Quality,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
} from "mediabunny";
import type { Encoder } from "./encoder.ts";
import type { VideoCodec } from "./video-codec.ts";

const SECOND_MS = 1000;

/**
 * Makes a video of frames, each of which is a key frame: players go to every day, and days have little in common.
 *
 * @param duration - milliseconds of each frame
 */
export async function openVideo({ format, codec, name }: VideoCodec, duration: number): Promise<Encoder> {
  const target = new BufferTarget();
  const output = new Output({ format: format === "mp4" ? new Mp4OutputFormat() : new WebMOutputFormat(), target });
  const source = new VideoSampleSource({ codec, fullCodecString: name, quality: new Quality("very-high") });
  output.addVideoTrack(source);
  await output.start();
  const seconds = duration / SECOND_MS;
  let count = 0;
  return {
    async add(frame) {
      const sample = new VideoSample(frame, { timestamp: count * seconds, duration: seconds });
      count += 1;
      try {
        await source.add(sample, { keyFrame: true });
      } finally {
        sample.close();
      }
    },
    async finish() {
      await output.finalize();
      if (target.buffer === null) throw new Error("The browser has no memory for the video.");
      return new Blob([target.buffer], { type: `video/${format}` });
    },
    cancel: () => output.cancel(),
  };
}
