import { type ProblemCode, problemKind } from "./codes.ts";

/** One fault within a request. */
export interface ProblemPointer {
  /** JSON Pointer into the body (RFC 6901; `""` is the whole body), or the name of a query parameter. */
  readonly pointer: string;
  readonly detail: string;
}

/** Members that a problem may carry besides its code and detail. */
export interface ProblemOptions {
  readonly errors?: readonly ProblemPointer[];
  /** The limit that was hit beside the value requested, e.g. `{ maxScenes: 6, matchedScenes: 9 }`. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Seconds until the request can succeed; becomes the `Retry-After` header too. Rounded up. */
  readonly retryAfter?: number;
  /** Response headers that belong to this problem, such as `Allow` and `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Status of the answer where a protocol asks for another than the code has. */
  readonly status?: number;
  /** Additional members of the document, such as `unitsEstimated`. Standard members win. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * A failure that is answered with a problem document.
 *
 * @example throw new ProblemError("zoom-out-of-range", "Zoom 3 is below 7.", { limits: { minzoom: 7, maxzoom: 14, requestedZoom: 3 } });
 */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ProblemCode;
  readonly errors: readonly ProblemPointer[] | undefined;
  readonly limits: Readonly<Record<string, number>> | undefined;
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;
  /** HTTP status: that of the code unless another was given. */
  readonly status: number;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.errors = options.errors;
    this.limits = options.limits;
    this.retryAfter = options.retryAfter === undefined ? undefined : Math.max(0, Math.ceil(options.retryAfter));
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
    this.status = options.status ?? problemKind(code).status;
  }

  /** Explanation of this occurrence; the same text as `message`. */
  get detail(): string {
    return this.message;
  }
}
