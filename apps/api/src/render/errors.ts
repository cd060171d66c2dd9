import { CogError } from "@swath/cog";
import { SceneReadError, SceneUnreadableError } from "@swath/mosaic";
import { ProblemError, type ProblemOptions } from "@swath/problem";
import { ExpressionError, StyleError } from "@swath/raster";

/** Seconds after which to try again when an upstream did not say. */
const RETRY_AFTER = 5;

/** An upstream, or a file of it, that does not answer. */
export function unavailable(detail: string, options: ProblemOptions): ProblemError {
  return new ProblemError("upstream-unavailable", detail, { retryAfter: RETRY_AFTER, ...options });
}

/** The problem of an error of reading, styling or mosaicking scenes; an unknown error is returned as it is. */
export function translateReadError(error: unknown): unknown {
  if (error instanceof SceneReadError) {
    const cause = translateReadError(error.cause);
    if (!(cause instanceof ProblemError)) return error.cause;
    return cause.status < 500 ? cause : unavailable(error.message, { cause: error });
  }
  if (error instanceof SceneUnreadableError) return unavailable(error.message, { cause: error });
  if (error instanceof CogError)
    return unavailable(`A file of the archive could not be read: ${error.message}`, { cause: error });
  if (error instanceof StyleError || error instanceof ExpressionError) {
    return new ProblemError("invalid-parameter", error.message, { cause: error });
  }
  return error;
}
