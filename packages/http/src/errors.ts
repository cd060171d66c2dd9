/**
 * The reason why a request has no usable answer.
 *
 * - `timeout` a time limit ended it
 * - `too-large` a body above the bound
 * - `redirect-refused` a redirect that may not be followed
 * - `too-many-redirects` more redirects than are followed
 * - `paused` the server asked for a pause, or has as many requests as it takes
 */
export type HttpErrorCode = "timeout" | "too-large" | "redirect-refused" | "too-many-redirects" | "paused";

/** A request without a usable answer. An error status is an answer too: the caller decides what it means. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;
  /** Seconds after which another try may succeed, with `paused`. */
  readonly retryAfter?: number;

  constructor(
    code: HttpErrorCode,
    message: string,
    options: ErrorOptions & { readonly retryAfter?: number | undefined } = {},
  ) {
    super(message, options);
    this.code = code;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }
}
