/**
 * A catalogue that could not answer. `unavailable`: it does not answer or answers with an error;
 * `timeout`: it took too long; `invalid-token`: a paging token that is malformed, of another
 * catalogue, or of a search with other parameters; `rejected`: the upstream refused the search as wrong;
 * `too-many`: more items match than can be brought into an order that the upstream does not have.
 */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  readonly code: "unavailable" | "timeout" | "invalid-token" | "rejected" | "too-many";
  /** Seconds after which a repetition may succeed, where the upstream says so. */
  readonly retryAfter?: number;
  /** Names of the upstreams that failed, where they have names. */
  readonly upstreams: readonly string[];

  constructor(
    code: CatalogError["code"],
    message: string,
    options: ErrorOptions & { retryAfter?: number | undefined; upstreams?: readonly string[] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.upstreams = options.upstreams ?? [];
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }
}

/** Whether an error says that an upstream does not do what it is there for, and not that the caller asked wrongly. */
export function isUpstreamFault(error: unknown): error is CatalogError {
  return error instanceof CatalogError && ["unavailable", "timeout", "rejected"].includes(error.code);
}
