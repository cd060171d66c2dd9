import * as z from "zod";

/** A regular expression as text. */
export const Pattern = z
  .string()
  .min(1)
  .refine(isPattern, { error: "a regular expression" })
  .meta({ description: "A regular expression (ECMAScript, flag u not set)." });

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

const compiled = new Map<string, RegExp>();

/** The compiled expression; collection files are few, so each is kept. */
export function patternOf(text: string): RegExp {
  let pattern = compiled.get(text);
  if (pattern === undefined) {
    pattern = new RegExp(text);
    compiled.set(text, pattern);
  }
  return pattern;
}

/**
 * Returns the text that a pattern finds: `value` with `$1`, `$2` … replaced by the groups, the first group without a
 * `value`, the whole match without groups. `undefined` where the pattern does not match.
 */
export function findPattern(text: string, pattern: string, value?: string): string | undefined {
  const match = patternOf(pattern).exec(text);
  if (match === null) return undefined;
  return value === undefined
    ? (match[1] ?? match[0])
    : value.replace(/\$(\d)/g, (_, group) => match[Number(group)] ?? "");
}
