import { ProblemError } from "@swath/problem";
import { type CollectionMatch, type CollectionRegistry, PATH_ID } from "@swath/schema";
import { unknownCollectionDetail } from "../what/unknown-names.ts";

/**
 * A collection by its id or an alias, as it is named in a path: without a slash.
 *
 * @throws {ProblemError} `not-found` for an unknown name, and for an alias with a slash.
 */
export function collectionOf(registry: CollectionRegistry, name: string): CollectionMatch {
  const match = registry.find(name);
  if (match === undefined) throw new ProblemError("not-found", unknownCollectionDetail(name, registry));
  if (PATH_ID.test(name)) return match;
  const { id } = match.collection;
  throw new ProblemError(
    "not-found",
    `Searches know "${name}" as another name of "${id}"; a path names the collection "${id}".`,
  );
}
