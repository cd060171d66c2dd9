/** A name that is not known, and those that are. */
export interface UnknownName {
  readonly given: string;
  readonly known: readonly string[];
}

/** Facts that a `QueryError` may carry besides its message. */
export interface QueryErrorOptions extends ErrorOptions {
  readonly unknown?: UnknownName;
  /** In text of a filter: the character that it is about, from 1. */
  readonly position?: number;
}

/**
 * A part of a search request that does not parse.
 *
 * `pointer` is the parameter's name (`invalid-parameter`) or a JSON Pointer into the body (`invalid-body`);
 * `invalid-filter` carries either form.
 */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly code: "invalid-parameter" | "invalid-body" | "invalid-filter";
  readonly pointer: string;
  /** The name that is not known and the names that are, so that the nearest can be proposed. */
  readonly unknown?: UnknownName;
  /** In text of a filter: the character (UTF-16 code unit) that it is about, from 1; the message names it too. */
  readonly position?: number;

  constructor(code: QueryError["code"], pointer: string, message: string, options: QueryErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.pointer = pointer;
    if (options.unknown !== undefined) this.unknown = options.unknown;
    if (options.position !== undefined) this.position = options.position;
  }
}
