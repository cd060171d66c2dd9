import type { SkippedScene } from "@swath/engine";
import { type Problem, toProblem } from "@swath/problem";
import { ProblemError } from "../errors/problems.ts";

/** Scenes that a problem names; of the others it says how many there are. */
const MAX_NAMED = 20;

/** Which scenes were left out, and why, in words; `undefined` where none was. */
export function skippedDetail(skipped: readonly SkippedScene[]): string | undefined {
  if (skipped.length === 0) return undefined;
  const named = skipped.slice(0, MAX_NAMED).map(({ id, reason }) => `Scene ${id} was left out: ${reason}.`);
  const more = skipped.length - MAX_NAMED;
  return [...named, ...(more > 0 ? [`${more} more scenes were left out.`] : [])].join(" ");
}

/**
 * The problem of a row that lacks scenes; `undefined` where none is missing. `unknown-band` where all it lacks are bands that
 * the scenes do not have: asked again, it is the same; else `upstream-unavailable`.
 */
export function skippedProblem(skipped: readonly SkippedScene[], baseUrl: string): Problem | undefined {
  const detail = skippedDetail(skipped);
  if (detail === undefined) return undefined;
  const code = skipped.every(({ lacksBand }) => lacksBand === true) ? "unknown-band" : "upstream-unavailable";
  return toProblem(new ProblemError(code, detail), { baseUrl });
}
