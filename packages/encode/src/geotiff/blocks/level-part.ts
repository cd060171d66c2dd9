import { bytesPerSample, type Samples, type SampleType, viewSamples } from "@swath/raster";
import type { PartRectangle } from "../levels/rectangle.ts";

/** Pixels of a rectangle of a level. Sample `row * stride + column` of each array is that of pixel (`x + column`, `y + row`). */
export interface LevelPart {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly bands: readonly Samples[];
  readonly valid: Uint8Array;
}

/** Copies the pixels in both parts of a level. */
export function copyPart(source: LevelPart, target: LevelPart): void {
  const left = Math.max(source.x, target.x);
  const right = Math.min(source.x + source.width, target.x + target.width);
  const top = Math.max(source.y, target.y);
  const bottom = Math.min(source.y + source.height, target.y + target.height);
  if (left >= right) return;
  for (let y = top; y < bottom; y++) {
    const from = (y - source.y) * source.stride + left - source.x;
    const to = (y - target.y) * target.stride + left - target.x;
    const end = from + right - left;
    source.bands.forEach((band, b) => {
      (target.bands[b] as Samples).set(band.subarray(from, end), to);
    });
    target.valid.set(source.valid.subarray(from, end), to);
  }
}

/** A part of a level in memory that threads share: band after band, then `valid`, each `width × height` samples. Plain data. */
export interface SharedPart extends PartRectangle {
  readonly memory: ArrayBufferLike;
}

/** The arrays of a shared part. */
export function viewPart(sampleType: SampleType, bandCount: number, part: SharedPart): LevelPart {
  const { memory, x, y, width, height } = part;
  const count = width * height;
  const size = count * bytesPerSample(sampleType);
  const bands = Array.from({ length: bandCount }, (_, band) => viewSamples(sampleType, memory, count, band * size));
  const valid = new Uint8Array(memory, bandCount * size, count);
  return { x, y, width, height, stride: width, bands, valid };
}
