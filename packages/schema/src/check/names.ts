import { namesOfBand } from "../collection/band-names.ts";
import type { CollectionSchema } from "../collection/collection.ts";
import { COLLECTION_NAMES, collections, defaultRegistry } from "../registry/default-registry.ts";
import { findBand } from "../registry/resolve.ts";
import { suggest } from "../suggest.ts";
import { type Finding, Report } from "./finding.ts";
import { checkBand, checkCollection, LISTS, type Word } from "./words.ts";

/**
 * Checks a plain list: names apart by white space or commas, `#` begins a comment. A name is a collection, band, mask
 * class, unit, harmonization level, index or preset; `COLLECTION:BAND` ties a band to its collection.
 */
export function checkNames(text: string, collection?: CollectionSchema): Finding[] {
  const report = new Report(text);
  for (const line of text.matchAll(/^[^\n]*$/gm)) {
    const content = line[0].replace(/#.*$/, "");
    for (const match of content.matchAll(/[^\s,;]+/g)) {
      checkName(report, { text: match[0], offset: line.index + match.index, length: match[0].length }, collection);
    }
  }
  return report.findings();
}

/** Checks one name of a list; without a collection, the bands of all collections pass. */
export function checkName(report: Report, word: Word, collection?: CollectionSchema): void {
  const colon = word.text.lastIndexOf(":");
  if (colon > 0) {
    const owner = checkCollection(report, { ...word, text: word.text.slice(0, colon), length: colon });
    const rest = { text: word.text.slice(colon + 1), offset: word.offset + colon + 1, length: word.length - colon - 1 };
    if (owner !== undefined) checkBand(report, rest, owner);
    return;
  }
  const owners: readonly CollectionSchema[] = collection === undefined ? Object.values(collections) : [collection];
  if (defaultRegistry.find(word.text) !== undefined) return;
  if (owners.some((owner) => findBand(owner, word.text) !== undefined)) return;
  const words: string[] = [
    ...Object.values(LISTS).flatMap((list): readonly string[] => list.names),
    ...defaultRegistry.presets.map(({ id }) => id),
  ];
  if (words.includes(word.text)) return;
  const candidates = [...owners.flatMap((owner) => owner.bands.flatMap(namesOfBand)), ...words, ...COLLECTION_NAMES];
  report.add(
    word,
    "unknown-name",
    "error",
    `Nothing in the schema is called "${word.text}".`,
    word.text,
    suggest(word.text, candidates)[0],
  );
}
