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

  constructor(code: QueryError["code"], pointer: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.pointer = pointer;
  }
}
