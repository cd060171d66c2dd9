import { TimeLimit } from "./time-limit.ts";
import { whenAborted } from "./when-aborted.ts";

/** Options for retrying passing faults. */
export interface RetryOptions {
  /** Attempts after the first. Default 3. */
  readonly retries?: number | undefined;
  /** Longest wait before the second attempt in ms, doubled each time, with half of it random. Default 100. */
  readonly backoffMs?: number | undefined;
}

/** Retries with a clock: what one run of {@link withRetries} takes. */
export interface RetryRun extends RetryOptions {
  /** Milliseconds for the whole, attempts and waits together. Default: no limit. */
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** A number from 0 to 1, 1 excluded. */
  readonly random?: (() => number) | undefined;
  /** Milliseconds of a clock. */
  readonly now?: (() => number) | undefined;
}

/** Waits double up to this many milliseconds. */
const LONGEST_WAIT_MS = 5000;

/**
 * Calls `attempt` until it succeeds, fails for good, has failed `retries + 1` times, or the next attempt would begin after
 * the deadline. Half of each wait is random, so that callers that failed together do not retry together. A running
 * attempt is ended at the deadline.
 *
 * @param isPassing whether an error may pass: false is final, a number is the least wait in ms that the server asks for
 * @throws the reason of `signal` once it aborts, after which nothing more is tried; {HttpError} `timeout` at the deadline;
 * else the last error.
 */
export async function withRetries<T>(
  attempt: (signal: AbortSignal | undefined) => Promise<T>,
  isPassing: (error: unknown) => boolean | number,
  run: RetryRun,
): Promise<T> {
  const { retries = 3, backoffMs = 100, deadlineMs } = run;
  const { sleep = sleepFor, random = Math.random, now = Date.now } = run;
  run.signal?.throwIfAborted();
  const limit =
    deadlineMs === undefined
      ? undefined
      : new TimeLimit(deadlineMs, `No whole answer within ${deadlineMs} ms.`, run.signal);
  const end = deadlineMs === undefined ? Number.POSITIVE_INFINITY : now() + deadlineMs;
  const signal = limit?.signal ?? run.signal;
  try {
    for (let failed = 0; ; failed++) {
      try {
        return await attempt(signal);
      } catch (error) {
        signal?.throwIfAborted();
        const passing = isPassing(error);
        if (passing === false || failed >= retries) throw error;
        const backoff = Math.min(backoffMs * 2 ** failed, LONGEST_WAIT_MS) * (0.5 + random() / 2);
        const wait = Math.max(backoff, typeof passing === "number" ? passing : 0);
        if (now() + wait >= end) throw error;
        await sleep(wait, signal);
        signal?.throwIfAborted();
      }
    }
  } finally {
    limit?.end();
  }
}

/** Waits, and ends at once with the signal's reason when it aborts. */
export function sleepFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const ended = signal === undefined ? undefined : whenAborted(signal, abort);
    const timer = setTimeout(() => {
      ended?.();
      resolve();
    }, milliseconds);
  });
}

/**
 * `Retry-After` in seconds, rounded up (RFC 9110 section 10.2.3: seconds or a date); `undefined` for anything else.
 *
 * @param now milliseconds since 1970, for dates
 */
export function retryAfterSeconds(header: string | null | undefined, now: number): number | undefined {
  if (header === undefined || header === null) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
