/** Codes whose fault is in the object itself: asking again gives the same answer. */
const LASTING = {
  "not-a-tiff": true,
  "not-a-jp2": true,
  unsupported: true,
  corrupt: true,
  "no-georeference": true,
  "not-found": true,
  "too-large": true,
  "codec-unavailable": false,
  unavailable: false,
  forbidden: false,
  "range-ignored": false,
  changed: false,
} as const;

/** Why a file could not be read. */
export type CogErrorCode = keyof typeof LASTING;

/**
 * Why a raster file could not be read: a GeoTIFF, or a file of another format by its own package.
 *
 * - `not-a-tiff` no TIFF header · `not-a-jp2` no JPEG 2000 · `corrupt` damaged or truncated · `unsupported` of a kind that is not read
 * - `too-large` declares blocks above the memory bound · `no-georeference` asked to warp without CRS or affine transform
 * - `codec-unavailable` the decoder of a compression could not be loaded: the file is not at fault
 * - `not-found` 404, 410 or no such file
 * - `unavailable` time-out, 5xx, 429, throttling 403, broken connection: passing, and already retried
 * - `forbidden` 401 or 403 · `range-ignored` the server sends whole files · `changed` the object changed while it was read
 *
 * `lasting` is true when the object itself is at fault, so that retrying cannot help and a mosaic may do without it.
 */
export class CogError extends Error {
  override readonly name = "CogError";
  readonly code: CogErrorCode;
  readonly lasting: boolean;

  constructor(code: CogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.lasting = LASTING[code];
  }
}
