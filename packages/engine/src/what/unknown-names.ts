import { ProblemError } from "@swath/problem";
import { type CollectionRegistry, type IndexSchema, indices, type SchemaError, suggest } from "@swath/schema";

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

/** What is said of a name that no index has: the one that was meant, or all of them. */
export function unknownIndexDetail({ message, given, suggestions }: SchemaError): string {
  if (suggestions.length > 0) return message;
  const all = nearestFirst(given).map(({ id, title }) => `${id} (${title})`);
  return `${message} There are ${all.join(", ")}.`;
}

/** Indices whose titles have words of the name first: "snow index" or "vegetation" may have been meant so. */
function nearestFirst(given: string): readonly IndexSchema[] {
  const words = given
    .slice(0, 64)
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2 && word !== "index");
  const near = ({ title }: IndexSchema): number => {
    const own = title.toLowerCase().split(/[^a-z]+/);
    return words.filter((word) =>
      own.some((each) => each.length > 2 && (each.startsWith(word) || word.startsWith(each))),
    ).length;
  };
  return [...indices].sort((a: IndexSchema, b: IndexSchema) => near(b) - near(a));
}
