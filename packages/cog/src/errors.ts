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
  unauthorized: false,
  forbidden: false,
  "wrong-region": false,
  "range-ignored": false,
  changed: false,
} as const;

/** The reason why a file could not be read. */
export type CogErrorCode = keyof typeof LASTING;

/** Facts about a fault besides its code. */
export interface CogErrorOptions extends ErrorOptions {
  readonly retryAfter?: number;
  readonly region?: string;
}

/**
 * Thrown where a raster file could not be read: a GeoTIFF, or a file of another format by its own package.
 *
 * - `not-a-tiff` no TIFF header · `not-a-jp2` no JPEG 2000 · `corrupt` damaged or truncated · `unsupported` of a kind that is not read
 * - `too-large` declares blocks above the memory bound · `no-georeference` asked to warp without CRS or affine transform
 * - `codec-unavailable` the decoder of a compression could not be loaded: the file is not at fault
 * - `not-found` 404, 410 or no such file
 * - `unavailable` time-out, 5xx, 429, throttling 403, broken connection: passing, and already retried
 * - `unauthorized` the server wants a key, token or signature, or refuses the one it got as wrong or over: 401, a page to
 *   log in, the codes of S3 and Azure for these · `forbidden` any other refusal, such as 403 or a redirect that is not followed
 * - `wrong-region` a bucket is in another region of S3 than it was asked in
 * - `range-ignored` the server sends whole files · `changed` the object changed while it was read
 *
 * `lasting` is true when the object itself is at fault, so that retrying cannot help and a mosaic may do without it.
 */
export class CogError extends Error {
  override readonly name: string = "CogError";
  readonly code: CogErrorCode;
  readonly lasting: boolean;
  /** Seconds after which the server wants to be asked again, where it says so, with `unavailable`. */
  readonly retryAfter?: number;
  /** The region of the bucket, with `wrong-region`. */
  readonly region?: string;

  constructor(code: CogErrorCode, message: string, options: CogErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.lasting = LASTING[code];
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
    if (options.region !== undefined) this.region = options.region;
  }
}
