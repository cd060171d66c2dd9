import { ProblemError } from "@swath/problem";
import type { CollectionRegistry } from "@swath/schema";
import { didYouMean } from "./did-you-mean.ts";

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
