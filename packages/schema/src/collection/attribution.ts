import type { CollectionSchema } from "./collection.ts";

/**
 * The credit line with acquisition years in place of `{years}`: `2024`, `2022, 2024`, three or more in a row as
 * `2021-2024`. Without years `{years}` goes, with the comma before it.
 */
export function attributionFor(collection: Pick<CollectionSchema, "attribution">, years: Iterable<number>): string {
  const sorted = [...new Set(years)].sort((a, b) => a - b);
  if (sorted.length === 0) return collection.attribution.replaceAll(/,?\s*\{years\}/g, "");
  return collection.attribution.replaceAll("{years}", writeYears(sorted));
}

function writeYears(years: readonly number[]): string {
  const runs: number[][] = [];
  for (const year of years) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1) === year - 1) run.push(year);
    else runs.push([year]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(", "))).join(", ");
}
