import type { Samples } from "@swath/raster";
import { CogError } from "./errors.ts";
import type { TiffImage } from "./image.ts";

export function decodeJpegBlock(_image: TiffImage, _bytes: Uint8Array, _rows: number): Samples {
  throw new CogError("unsupported", "JPEG");
}
