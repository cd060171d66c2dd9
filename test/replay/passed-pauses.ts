/** Longer than pauses that a pace makes or an archive asks for, shorter than limits of time. */
const LONGEST_MS = 2500;

/**
 * Lets the pauses between requests pass at once. `Date.now` goes on by them, so that whoever counts requests by it sees them.
 *
 * @returns what ends it
 */
export function passPauses(): () => void {
  const { setTimeout: start } = globalThis;
  const { now } = Date;
  let passed = 0;
  const sooner = (then: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): NodeJS.Timeout => {
    const isPause = ms <= LONGEST_MS;
    if (isPause) passed += ms;
    return start(then, isPause ? 0 : ms, ...given);
  };
  globalThis.setTimeout = Object.assign(sooner, start) as typeof setTimeout;
  Date.now = () => now() + passed;
  return () => {
    globalThis.setTimeout = start;
    Date.now = now;
  };
}
