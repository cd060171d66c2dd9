/** How passing faults are retried. */
export interface RetryOptions {
  /** Attempts after the first. Default 3. */
  readonly retries?: number | undefined;
  /** Wait before the second attempt in ms, doubled each time, with half of it random. Default 100. */
  readonly backoffMs?: number | undefined;
}

/**
 * Runs `attempt` until it succeeds, fails for good, or has failed `retries + 1` times.
 *
 * @param isPassing tells whether an error may go away; it may ask for a wait of its own, in ms
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  isPassing: (error: unknown) => boolean | number,
  options: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  const retries = options.retries ?? 3;
  let wait = options.backoffMs ?? 100;
  for (let failed = 0; ; failed++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const passing = isPassing(error);
      if (passing === false || failed >= retries) throw error;
      const asked = typeof passing === "number" ? passing : 0;
      await pause(Math.max(asked, wait * (0.5 + Math.random() / 2)), signal);
      wait *= 2;
    }
  }
}

/** Waits `ms`; ends at once, with the signal's reason, when it is aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, ms);
    signal?.addEventListener("abort", leave, { once: true });
  });
}
