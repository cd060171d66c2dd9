import { below, faultAt, type Place, shown } from "./place.ts";

/** The most entries a list of collections or ids may hold. */
const MAX_LIST = 1000;

/**
 * Reads `collections` or `ids`: comma-separated text in a query; in a body an array of strings, or one string alone.
 * An entry that stands twice is kept once.
 *
 * @throws {QueryError} for an empty entry, what is not a string, and more than 1,000 entries.
 */
export function parseList(input: unknown, place: Place): readonly string[] {
  if (place.in === "query" && typeof input !== "string") {
    throw faultAt(place, `Expected names divided by commas, got ${shown(input)}.`);
  }
  if (input === "") return [];
  const entries = typeof input === "string" ? (place.in === "query" ? input.split(",", MAX_LIST + 1) : [input]) : input;
  if (!Array.isArray(entries)) throw faultAt(place, `Expected an array of strings, got ${shown(input)}.`);
  if (entries.length > MAX_LIST) throw faultAt(place, `Expected at most ${MAX_LIST} entries.`);
  const names = entries.map((entry: unknown, i) => {
    const name = typeof entry === "string" ? entry.trim() : "";
    if (name === "") throw faultAt(below(place, i), `Expected a name, got ${shown(entry)}.`);
    return name;
  });
  return [...new Set(names)];
}
