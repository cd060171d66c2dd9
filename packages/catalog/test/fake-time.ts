import { setImmediate as turn } from "node:timers/promises";
import { vi } from "vitest";

/** Turns of the event loop without a request after which upstreams in this process have nothing more to do. */
const QUIET_TURNS = 30;

/**
 * The outcome of work on upstreams in this process while timers are faked: they go on to the next one each time when nothing
 * but time is left to wait for, however fast the machine is.
 *
 * @param requests the number of requests so far.
 */
export async function whileTimePasses<T>(work: Promise<T>, requests: () => number): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  work.then(over, over);
  for (let [quiet, before] = [0, requests()]; !isOver; quiet++) {
    await turn();
    if (requests() !== before) [quiet, before] = [0, requests()];
    if (quiet < QUIET_TURNS || isOver) continue;
    vi.advanceTimersToNextTimer();
    quiet = 0;
  }
  return work;
}
