import { below, faultAt, type InputLocation, shown } from "../input-location.ts";

/** The most entries a list of collections or ids may hold. */
const MAX_LIST = 1000;

/**
 * Reads `collections` or `ids`: comma-separated text in a query; in a body an array of strings, or one string alone.
 * A repeated entry is kept once.
 *
 * @throws {QueryError} for an empty entry, what is not a string, and more than 1,000 entries.
 */
export function parseList(input: unknown, location: InputLocation): readonly string[] {
  if (location.in === "query" && typeof input !== "string") {
    throw faultAt(location, `Expected names divided by commas, got ${shown(input)}.`);
  }
  if (input === "") return [];
  const entries = typeof input === "string" ? (location.in === "query" ? input.split(",") : [input]) : input;
  if (!Array.isArray(entries)) throw faultAt(location, `Expected an array of strings, got ${shown(input)}.`);
  if (entries.length > MAX_LIST)
    throw faultAt(location, `Expected at most ${MAX_LIST} entries, got ${entries.length}.`);
  const names = entries.map((entry: unknown, i) => {
    const name = typeof entry === "string" ? entry.trim() : "";
    if (name === "") throw faultAt(below(location, i), `Expected a name, got ${shown(entry)}.`);
    return name;
  });
  return [...new Set(names)];
}
