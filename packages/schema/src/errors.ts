/**
 * A name that the schema does not know, or collection files that do not fit each other.
 *
 * `unknown-collection`: neither an id nor an alias of a live collection. `unknown-band`: no native name,
 * common name or alias of the collection. `unknown-preset`, `unknown-index`: no such id. `duplicate-name`: two
 * collections share an id or alias. `conflicting-fact`: two collections say different things of one queryable property,
 * mask source or bucket. `invalid-file`: a collection file that does not fit its model; see `CollectionFileError`.
 */
export class SchemaError extends Error {
  override readonly name: string = "SchemaError";
  readonly code:
    | "unknown-collection"
    | "unknown-band"
    | "unknown-preset"
    | "unknown-index"
    | "duplicate-name"
    | "conflicting-fact"
    | "invalid-file";
  /** The name as it was given. */
  readonly given: string;
  /** Names that may have been meant, nearest first; at most three. */
  readonly suggestions: readonly string[];

  constructor(code: SchemaError["code"], given: string, message: string, suggestions: readonly string[] = []) {
    super(suggestions[0] === undefined ? message : `${message} Did you mean "${suggestions[0]}"?`);
    this.code = code;
    this.given = given;
    this.suggestions = suggestions;
  }
}
