import { type CollectionMatch, type CollectionRegistry, SchemaError, suggest } from "@swath/schema";
import { commonIndices, type IndexSchema, indices, type Preset, resolveIndex } from "@swath/schema/presets";
import { type Path, Refusal } from "./refusal.ts";

/** The end of a message about an unknown name: ` Did you mean "red"?`; empty where no known name is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const [near] = suggest(given, known, 1);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

/** Writes the message for a name that is neither a collection nor an alias of one. */
export function unknownCollection(name: string, { names }: CollectionRegistry): string {
  const hint = didYouMean(name, names) || " The collections are listed at /v1/collections.";
  return `No collection is called "${name}".${hint}`;
}

/**
 * The collection of an id or alias.
 *
 * @param path where the request names it
 * @throws {Refusal} `unknown-collection`.
 */
export function collectionNamed(name: string, registry: CollectionRegistry, path: Path): CollectionMatch {
  const match = registry.find(name);
  if (match !== undefined) return match;
  throw new Refusal("unknown-collection", path, unknownCollection(name, registry));
}

/** @throws {Refusal} `not-found` for an unknown id: says which was meant, and which are listed first. */
export function presetNamed(
  id: string,
  registry: Pick<CollectionRegistry, "presets" | "furtherPresets" | "findPreset">,
): Preset {
  const preset = registry.findPreset(id);
  if (preset !== undefined) return preset;
  const known = registry.presets.map((each) => each.id);
  const more = registry.furtherPresets.map((each) => each.id);
  const rest = more.length === 0 ? "" : `, and ${more.length} further ones such as ${more[0]}`;
  const hint = didYouMean(id, [...known, ...more]);
  const detail = `No preset is called "${id}"; there are ${known.join(", ")}${rest}.${hint}`;
  throw new Refusal("not-found", ["what", "preset"], detail);
}

/** @throws {Refusal} `invalid` for an unknown id: says which was meant, or which there are. */
export function indexNamed(id: string, path: Path): IndexSchema {
  try {
    return resolveIndex(id);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new Refusal("invalid", path, unknownIndex(error), { cause: error });
  }
}

/** Indices that a message names. */
const NAMED_INDICES = 12;

function unknownIndex({ message, given, suggestions }: SchemaError): string {
  if (suggestions.length > 0) return message;
  const named = nearestFirst(given)
    .slice(0, NAMED_INDICES)
    .map(({ id, title }) => `${id} (${title})`);
  return `${message} There are ${named.join(", ")}, and ${indices.length - named.length} others of the schema.`;
}

const common: ReadonlySet<IndexSchema> = new Set(commonIndices);

/** Indices whose titles have words of the name first: "snow index" or "vegetation" may have been meant so. */
function nearestFirst(given: string): readonly IndexSchema[] {
  const words = given
    .slice(0, 64)
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2 && word !== "index");
  const near = (index: IndexSchema): number => {
    const own = index.title.toLowerCase().split(/[^a-z]+/);
    const shared = words.filter((word) =>
      own.some((each) => each.length > 2 && (each.startsWith(word) || word.startsWith(each))),
    ).length;
    // a common one is meant more often than its namesakes
    return shared > 0 && common.has(index) ? shared + 1 : shared;
  };
  return [...indices].sort((a, b) => near(b) - near(a));
}
