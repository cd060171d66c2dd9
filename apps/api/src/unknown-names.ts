import { ProblemError } from "@swath/problem";
import { type CollectionRegistry, type SchemaError, suggest } from "@swath/schema";

/** The end of a message about an unknown name: ` Did you mean "red"?`; empty where no known name is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const [near] = suggest(given, known, 1);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

/** What is said of a name that is neither a collection nor an alias of one. */
export function unknownCollectionDetail(name: string, { names }: CollectionRegistry): string {
  const hint = didYouMean(name, names) || " The collections are listed at /v1/collections.";
  return `No collection is called "${name}".${hint}`;
}

/** The error for such a name inside a request; `pointer` is where it stands. */
export function unknownCollection(name: string, pointer: string, registry: CollectionRegistry): ProblemError {
  const detail = unknownCollectionDetail(name, registry);
  return new ProblemError("unknown-collection", detail, { errors: [{ pointer, detail }] });
}

/** What is said of a name that no index has. */
export function unknownIndexDetail({ message, suggestions }: SchemaError): string {
  return suggestions.length > 0 ? message : `${message} The indices are listed at /v1/schema.`;
}
