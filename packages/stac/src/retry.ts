import { StacClientError } from "./errors.ts";

export interface RetryOptions {
  /** Tries after the first. */
  readonly retries: number;
  /** Milliseconds for the whole, tries and pauses together. */
  readonly deadlineMs: number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** A number from 0 to 1, 1 excluded. */
  readonly random: () => number;
  /** Milliseconds of a clock. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** The first pause lies between half of this and this; each next one is twice as long. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;

/**
 * Calls `attempt` until it succeeds, with pauses that double and have half of their length left to chance (so that
 * callers that failed together do not come back together). `Retry-After` of the upstream makes a pause longer. An
 * error is final when `isPassing` says so, when the tries are used up, or when the next try would begin after the
 * deadline; a running attempt is ended at the deadline.
 *
 * @throws the reason of `options.signal` once it aborts, after which nothing more is tried; else the last error.
 */
export async function withRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  isPassing: (error: StacClientError) => boolean,
  options: RetryOptions,
): Promise<T> {
  const { retries, deadlineMs, sleep, random, now, signal } = options;
  signal?.throwIfAborted();
  const end = now() + deadlineMs;
  const deadline = new AbortController();
  const late = new StacClientError("timeout", `No whole answer within ${deadlineMs} ms.`);
  const timer = setTimeout(() => deadline.abort(late), deadlineMs);
  const both = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
  try {
    for (let tries = 0; ; tries++) {
      try {
        return await attempt(both);
      } catch (error) {
        both.throwIfAborted();
        if (!(error instanceof StacClientError) || tries >= retries || !isPassing(error)) throw error;
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS) * (0.5 + random() / 2);
        const wait = Math.max(pause, (error.retryAfter ?? 0) * 1000);
        if (now() + wait >= end) throw error;
        await sleep(wait, both);
        both.throwIfAborted();
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Waits, and ends at once with the signal's reason when it aborts. */
export function sleepFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", leave);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", leave, { once: true });
  });
}

/** `Retry-After` in seconds (RFC 9110 §10.2.3: seconds or a date), rounded up; `undefined` for anything else. */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
