import type { SampleType } from "@swath/raster";
import { colorSamples, type TiffImage } from "./tiff-image.ts";

/** Index of the alpha band: the first extra sample that says so (ExtraSamples 1 or 2). */
export function alphaBand(image: TiffImage): number | undefined {
  const first = image.bandCount - image.extraSamples.length;
  const at = image.extraSamples.findIndex((kind, i) => (kind === 1 || kind === 2) && first + i >= colorSamples(image));
  return at < 0 ? undefined : first + at;
}

const RANGES: Readonly<Record<SampleType, readonly [number, number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  float32: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  float64: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
};

/** Can a sample of this type have this value? A nodata outside the type marks nothing. */
export function holds(type: SampleType, value: number): boolean {
  if (type === "float32" || type === "float64") return true;
  const [low, high] = RANGES[type];
  return Number.isInteger(value) && value >= low && value <= high;
}
