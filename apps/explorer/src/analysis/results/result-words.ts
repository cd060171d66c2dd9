import type { Question } from "../ask.ts";

/** Name of a table's file: `series_NDVI_2022-07-31_2024-07-31.csv`. */
export const fileName = ({ kind, from, to }: Question, what: string): string =>
  `${kind}_${what.replace(/[^A-Za-z0-9-]+/g, "-").slice(0, 40)}_${from}_${to}.csv`;

/** Classes that were to be dropped and that the masks of some sensors cannot detect, in words. */
export function undetectableText(
  of: readonly { readonly undetectable: Readonly<Record<string, readonly string[]>> }[],
): string {
  const classes = new Map<string, Set<string>>();
  for (const [collection, names] of of.flatMap(({ undetectable }) => Object.entries(undetectable))) {
    for (const name of names) classes.set(name, new Set([...(classes.get(name) ?? []), collection]));
  }
  const parts = [...classes].map(([name, all]) => `${name.replaceAll("_", " ")} (${[...all].sort().join(", ")})`);
  return parts.length === 0 ? "" : `Not left out, since masks do not mark it: ${parts.join("; ")}.`;
}
