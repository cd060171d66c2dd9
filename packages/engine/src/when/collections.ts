import { type CollectionMatch, type CollectionRegistry, PATH_ID } from "@swath/schema";
import { collectionNamed, unknownCollection } from "../names.ts";
import { type Path, Refusal } from "../refusal.ts";
import type { When } from "../request.ts";

const ALL: Path = ["when", "collections"];
const ONE: Path = [...ALL, 0];

/**
 * A collection by its id or an alias, as it is named in a path: without a slash.
 *
 * @throws {Refusal} `not-found` for an unknown name, and for an alias with a slash.
 */
export function collectionOf(registry: CollectionRegistry, name: string): CollectionMatch {
  const match = registry.find(name);
  if (match === undefined) throw new Refusal("not-found", ONE, unknownCollection(name, registry));
  if (PATH_ID.test(name)) return match;
  const detail = `Searches know "${name}" as another name of "${match.collection.id}"; a path names the collection "${match.collection.id}".`;
  throw new Refusal("not-found", ONE, detail);
}

/**
 * The collections that a request names.
 *
 * @param otherwise what is meant where it names none
 * @throws {Refusal} `unknown-collection`: where it names none, with what was meant
 */
export function collectionsOf(
  { collections }: Pick<When, "collections">,
  registry: CollectionRegistry,
  otherwise: readonly string[],
): readonly CollectionMatch[] {
  if (collections?.length) return collections.map((name, i) => collectionNamed(name, registry, [...ALL, i]));
  return otherwise.map((name) => {
    const match = registry.find(name);
    if (match !== undefined) return match;
    const detail = `Expected names of collections: without them "${name}" is meant, which is not served here. The collections are listed at /v1/collections.`;
    throw new Refusal("unknown-collection", ALL, detail);
  });
}

/**
 * The one collection that a request names.
 *
 * @throws {Refusal} `unknown-collection`, or `invalid` for none and for several.
 */
export function onlyCollection(when: Pick<When, "collections">, registry: CollectionRegistry): CollectionMatch {
  const matches = collectionsOf(when, registry, []);
  if (matches[0] !== undefined && matches.length === 1) return matches[0];
  throw new Refusal("invalid", ["when", "collections"], `Expected one collection, got ${matches.length}.`);
}
