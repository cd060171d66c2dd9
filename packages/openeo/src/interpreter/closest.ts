/** Characters of a given name that are compared. */
const MAX_COMPARED = 64;

/** ` Did you mean "…"?` where a known name is close to the one given; else nothing. */
export function closest(given: string, known: readonly string[]): string {
  const start = given.slice(0, MAX_COMPARED);
  const ranked = known
    .map((name) => ({ name, distance: distanceOf(start.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.max(1, Math.floor(start.length / 3))
    ? ` Did you mean "${best.name}"?`
    : "";
}

/** Levenshtein's distance: insertions, deletions and replacements of characters. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      next.push(Math.min(row[k]! + 1, next[k - 1]! + 1, row[k - 1]! + (a[i - 1] === b[k - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
