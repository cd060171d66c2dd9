import { bytesPerSample, type SampleType } from "@swath/raster";

/** A rectangle of pixels of a level. */
export interface PartRectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Bytes of the memory of a shared part. */
export function partBytes(sampleType: SampleType, bandCount: number, width: number, height: number): number {
  return width * height * (bandCount * bytesPerSample(sampleType) + 1);
}
