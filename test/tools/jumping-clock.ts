import { setImmediate as turn } from "node:timers/promises";
import { vi } from "vitest";

/** The outcome of work, and the time that it took by the clock of {@link onJumpingClock}. */
export interface Timed<T> {
  readonly result: T;
  /** Milliseconds. */
  readonly ms: number;
}

/** Turns of the event loop without anything to do after which the clock goes on. */
const QUIET = 50;

/**
 * Does work by a clock that stands still while there is something to do and then jumps to the next timer: the time that work takes
 * is that of its waits, on a machine of any speed, and long waits take no time. The work has to be done in this process,
 * beside what `isBusy` tells of. What has taken `Date.now` before goes by the real clock.
 *
 * @param isBusy whether something is under way that the event loop does not show
 */
export async function onJumpingClock<T>(
  work: () => Promise<T>,
  isBusy: () => boolean = () => false,
): Promise<Timed<T>> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("The time is over.", "TimeoutError")), ms);
    return controller.signal;
  });
  try {
    const started = Date.now();
    let ms: number | undefined;
    const running = work().finally(() => {
      ms = Date.now() - started;
    });
    // it is awaited below
    running.catch(() => {});
    while (ms === undefined) {
      let quiet = 0;
      while (quiet < QUIET && ms === undefined) {
        await turn();
        quiet = isBusy() ? 0 : quiet + 1;
      }
      if (ms === undefined) await vi.advanceTimersToNextTimerAsync();
    }
    return { result: await running, ms };
  } finally {
    timeout.mockRestore();
    vi.useRealTimers();
  }
}
