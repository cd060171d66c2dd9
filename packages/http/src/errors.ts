/**
 * Why a request has no usable answer.
 *
 * - `timeout` a time limit ended it
 * - `too-large` a body above the bound
 * - `redirect-refused` a redirect that may not be followed
 * - `too-many-redirects` more redirects than are followed
 */
export type HttpErrorCode = "timeout" | "too-large" | "redirect-refused" | "too-many-redirects";

/** A request without a usable answer. An error status is an answer too: the caller decides what it means. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;

  constructor(code: HttpErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
