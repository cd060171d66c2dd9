/**
 * A request to an upstream STAC API that got no usable answer.
 *
 * - `unavailable`: no connection, a connection cut, 5xx, 408, 425 or 429, after all retries
 * - `timeout`: no byte, or no complete response, within the time limits, after all retries
 * - `bad-answer`: an answer that is not JSON, or not a document of the requested kind
 * - `too-large`: an answer over the bound
 * - `not-found`: 404 or 410 for what must be there
 * - `rejected`: any other 4xx: the upstream does not take the request
 */
export class StacClientError extends Error {
  override readonly name = "StacClientError";
  readonly code: "unavailable" | "timeout" | "bad-answer" | "too-large" | "not-found" | "rejected";
  /** HTTP status of the last answer, where there was one. */
  readonly status?: number;
  /** Seconds after which the upstream allows a retry. */
  readonly retryAfter?: number;

  constructor(
    code: StacClientError["code"],
    message: string,
    options: ErrorOptions & { readonly status?: number | undefined; readonly retryAfter?: number | undefined } = {},
  ) {
    super(message, options);
    this.code = code;
    if (options.status !== undefined) this.status = options.status;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }
}
