import { distance } from "fastest-levenshtein";

/**
 * The candidates nearest to `given`, nearest first, at most `limit`. Case, `-`, `_` and leading zeros of numbers
 * do not count; otherwise at most a third of the letters may differ.
 */
export function suggest(given: string, candidates: Iterable<string>, limit = 3): string[] {
  const target = fold(given);
  const allowed = Math.floor(Math.max(target.length, 3) / 3);
  const ranked = [...new Set(candidates)]
    .map((name, order) => ({ name, order, far: distance(target, fold(name)), exact: distance(given, name) }))
    .filter(({ far }) => far <= allowed);
  ranked.sort((a, b) => a.far - b.far || a.exact - b.exact || a.order - b.order);
  return ranked.slice(0, limit).map(({ name }) => name);
}

function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/[-_\s]/g, "")
    .replace(/0+(?=\d)/g, "");
}
