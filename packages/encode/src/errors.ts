/**
 * Input that cannot be encoded, or an encoder that failed.
 *
 * - `invalid-option`: an option outside its range, or at odds with the sample type; a part of another GeoTIFF.
 * - `invalid-raster`: arrays whose lengths, types or number do not fit the grid or image.
 * - `unsupported-crs`: a coordinate system that GeoKeys cannot express.
 * - `incomplete`: a GeoTIFF finished before its last row, or written past it; parts of one that lack rows.
 * - `codec`: a codec could not be loaded or refused the pixels.
 */
export class EncodeError extends Error {
  override readonly name = "EncodeError";
  readonly code: "invalid-option" | "invalid-raster" | "unsupported-crs" | "incomplete" | "codec";

  constructor(code: EncodeError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
