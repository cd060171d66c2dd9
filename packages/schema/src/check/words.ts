import { namesOfBand } from "../collection/band-names.ts";
import type { CollectionSchema } from "../collection/collection.ts";
import { indices } from "../preset/indices.ts";
import { COLLECTION_NAMES, collections, defaultRegistry } from "../registry/default-registry.ts";
import { findBand, hasPhysicalUnits } from "../registry/resolve.ts";
import { suggest } from "../suggest.ts";
import { HARMONIZE_LEVELS, MASK_CLASSES, PSEUDO_BANDS, UNIT_IDS } from "../vocabulary.ts";
import type { Report, Rule, Span } from "./finding.ts";

const MASK_SOURCES: readonly string[] = [...Object.values(collections).flatMap(({ maskSource }) => maskSource), "none"];

/** A name in the text, with its position. */
export interface Word extends Span {
  readonly text: string;
}

/** Closed lists of the schema, each with the rule that an unknown word breaks. */
export const LISTS = {
  maskClass: { rule: "unknown-mask-class", what: "mask class", names: MASK_CLASSES },
  unit: { rule: "unknown-unit", what: "unit", names: UNIT_IDS },
  harmonize: { rule: "unknown-harmonize-level", what: "harmonization level", names: HARMONIZE_LEVELS },
  maskSource: { rule: "unknown-mask-source", what: "mask source", names: MASK_SOURCES },
  pseudoBand: { rule: "unknown-pseudo-band", what: "pseudo band", names: PSEUDO_BANDS },
  index: {
    rule: "unknown-index",
    what: "index",
    names: indices.flatMap((index): string[] => [index.id, ...index.aliases]),
  },
} as const satisfies Record<string, { rule: Rule; what: string; names: readonly string[] }>;

/** Checks a word against a closed list; true when it is in it. */
export function checkListed(report: Report, word: Word, list: keyof typeof LISTS): boolean {
  const { rule, what } = LISTS[list];
  const names: readonly string[] = LISTS[list].names;
  if (names.includes(word.text)) return true;
  report.add(word, rule, "error", `No ${what} is called "${word.text}".`, word.text, suggest(word.text, names)[0]);
  return false;
}

/** Checks a collection id or alias; gives the collection when it is a live one. */
export function checkCollection(report: Report, word: Word): CollectionSchema | undefined {
  const match = defaultRegistry.find(word.text);
  if (match !== undefined) return match.collection;
  const said = `No collection or alias is called "${word.text}".`;
  report.add(word, "unknown-collection", "error", said, word.text, suggest(word.text, COLLECTION_NAMES)[0]);
  return undefined;
}

/** Checks a band name of a collection; pseudo bands of the collection pass too. True when it resolves. */
export function checkBand(report: Report, word: Word, collection: CollectionSchema): boolean {
  if (findBand(collection, word.text) !== undefined) return true;
  if ((collection.pseudoBands as readonly string[]).includes(word.text)) return true;
  const names = [...collection.bands.flatMap(namesOfBand), ...collection.pseudoBands];
  report.add(
    word,
    "unknown-band",
    "error",
    `${collection.id} has no band called "${word.text}".`,
    word.text,
    suggest(word.text, names)[0],
  );
  return false;
}

/** Checks that a band can be given in physical units, which is what a process request asks for by default. */
export function checkPhysical(report: Report, word: Word, collection: CollectionSchema): void {
  const band = findBand(collection, word.text);
  if (band === undefined || hasPhysicalUnits(band)) return;
  report.add(
    word,
    "units-unavailable",
    "error",
    `${band.name} holds no reflectance: request it with "units": "DN", apart from bands that do.`,
    word.text,
  );
}
