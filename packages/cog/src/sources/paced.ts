import { HttpError, type Pace } from "@swath/http";
import { CogError } from "../errors.ts";

/**
 * Longest wait that a server may ask for before an attempt is repeated, seconds; a server that asks for more is not
 * asked again.
 */
export const LONGEST_ASKED = 5;
/** Longest wait for a turn, ms. */
const LONGEST_TURN_MS = 15_000;
/** Pause after an answer that says that the server is asked too much, and not for how long, seconds. */
const SHORT_PAUSE = 0.5;

/**
 * Runs a request in its turn. An answer that says that the server is asked too much pauses all that share the pace.
 *
 * @throws {CogError} `unavailable` where its turn does not come in time; else what `request` throws.
 */
export async function paced<T>(
  pace: Pace,
  request: () => Promise<T>,
  key: string,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    const isLong = pace.pausedMs > LONGEST_ASKED * 1000;
    return await pace.run(request, { signal, withinMs: isLong ? 0 : LONGEST_TURN_MS });
  } catch (error) {
    if (error instanceof HttpError && error.code === "paused") {
      const { retryAfter = 1 } = error;
      const message = `${key}: the server has asked for a pause, or has as many requests as it takes.`;
      // the turn has been waited for: the attempt is not repeated
      throw new CogError("unavailable", message, { cause: error, retryAfter: Math.max(retryAfter, LONGEST_ASKED + 1) });
    }
    const pause = pauseAfter(error);
    if (pause > 0) pace.pause(pause);
    throw error;
  }
}

/** Seconds that the server should not be asked for after a failure. */
function pauseAfter(error: unknown): number {
  if (!(error instanceof CogError) || error.code !== "unavailable") return 0;
  if (error.retryAfter !== undefined) return error.retryAfter;
  const status = error.cause instanceof Error && "status" in error.cause ? error.cause.status : undefined;
  return status === 429 || status === 503 ? SHORT_PAUSE : 0;
}
