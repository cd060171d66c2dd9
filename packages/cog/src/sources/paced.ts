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
 * Runs a request in its turn.
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
    throw error;
  }
}

/**
 * Seconds for which a server should not be asked that answered with this status, of which the error was made; 0: it may be
 * asked at once. Nobody else's answer may go in here: what a token service or a host behind a redirect says is their own.
 */
export function pauseAfter(status: number, error: CogError): number {
  if (error.code !== "unavailable") return 0;
  return error.retryAfter ?? (status === 429 || status === 503 ? SHORT_PAUSE : 0);
}
