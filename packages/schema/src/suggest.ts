/**
 * The candidates nearest to `given`, nearest first, at most `limit`. Case, `-`, `_` and leading zeros of numbers do not
 * count. Otherwise at most a third of the letters may differ, two neighbours in the wrong order counting once; or
 * `given` (three letters or more) is how the candidate begins.
 */
export function suggest(given: string, candidates: Iterable<string>, limit = 3): string[] {
  // beyond any name of the schema, and the table grows with the square
  if (given.length > 64) return [];
  const target = fold(given);
  const allowed = Math.floor(Math.max(target.length, 3) / 3);
  const ranked = [...new Set(candidates)]
    .map((name, order) => {
      const folded = fold(name);
      const begins = target.length >= 3 && folded.startsWith(target);
      const far = Math.min(editDistance(target, folded), begins ? allowed : Number.POSITIVE_INFINITY);
      return { name, order, far, exact: editDistance(given, name) };
    })
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

/** Optimal string alignment: insert, delete, replace, and swap of two neighbours each cost one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(replace, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
