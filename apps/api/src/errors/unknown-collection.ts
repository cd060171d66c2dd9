import { ProblemError } from "@swath/problem";
import { COLLECTION_NAMES } from "@swath/schema";
import { didYouMean } from "./did-you-mean.ts";

/** What is said of a name that is neither a collection nor an alias of one. */
export function unknownCollectionDetail(name: string): string {
  const hint = didYouMean(name, COLLECTION_NAMES) || " The collections are listed at /v1/collections.";
  return `No collection is called "${name}".${hint}`;
}

/** The error for such a name inside a request; `pointer` is where it stands. */
export function unknownCollection(name: string, pointer: string): ProblemError {
  const detail = unknownCollectionDetail(name);
  return new ProblemError("unknown-collection", detail, { errors: [{ pointer, detail }] });
}
