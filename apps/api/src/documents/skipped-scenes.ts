import { type Problem, ProblemError, toProblem } from "@swath/problem";
import type { SkippedScene } from "../render/reduce-job.ts";

/**
 * The problem of a row that lacks scenes; `undefined` where none is missing. `unknown-band` where all it lacks are bands that
 * the scenes do not have: asked again, it is the same; else `upstream-unavailable`.
 */
export function skippedProblem(skipped: readonly SkippedScene[], baseUrl: string): Problem | undefined {
  if (skipped.length === 0) return undefined;
  const detail = skipped.map(({ id, reason }) => `Scene ${id} was left out: ${reason}.`).join(" ");
  const code = skipped.every(({ lacksBand }) => lacksBand === true) ? "unknown-band" : "upstream-unavailable";
  return toProblem(new ProblemError(code, detail), { baseUrl });
}
