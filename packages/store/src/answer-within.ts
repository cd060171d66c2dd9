import { unlessAborted } from "@swath/http";

/**
 * Waits for an answer no longer than the signal allows; the question goes on.
 *
 * @throws the signal's reason once it aborts.
 */
export async function answerWithin<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return unlessAborted(ask(), signal);
}
