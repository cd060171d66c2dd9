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
 * @example throw new ProblemError("out-of-credit", { status: 403, title: "Out of credit" }, "The balance is 30, but that costs 50.");
 */
export class ProblemError<Code extends string = string> extends Error {
  override readonly name = "ProblemError";
  readonly code: Code;
  /** The short summary of every problem of this code. */
  readonly title: string;
  readonly errors: readonly ProblemPointer[] | undefined;
  readonly limits: Readonly<Record<string, number>> | undefined;
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;
  /** HTTP status: that of the code unless another was given. */
  readonly status: number;

  /** @param kind status and title that problems of this code have */
  constructor(
    code: Code,
    kind: { readonly status: number; readonly title: string },
    detail: string,
    options: ProblemOptions = {},
  ) {
    super(detail, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.title = kind.title;
    this.errors = options.errors;
    this.limits = options.limits;
    this.retryAfter = options.retryAfter === undefined ? undefined : Math.max(0, Math.ceil(options.retryAfter));
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
    this.status = options.status ?? kind.status;
  }

  /** Explanation of this occurrence; the same text as `message`. */
  get detail(): string {
    return this.message;
  }
}
