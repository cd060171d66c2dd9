import type { Refusal } from "@swath/engine";
import { type SkippedScene, skippedDetail } from "@swath/engine/results";
import { type Problem, toProblem } from "@swath/problem";
import { ProblemError } from "../../errors/problems.ts";
import { refusalProblem } from "../../errors/refusals.ts";

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

/** The problem of one of several features. */
export const featureProblem = (refusal: Refusal, baseUrl: string): Problem =>
  toProblem(refusalProblem(refusal, { in: "body", names: {} }), { baseUrl });
