import { vi } from "vitest";

/** Timers of one length, which run out when a test says so. */
export interface HeldTimers {
  /** The number of timers that are set and not cleared. */
  readonly waiting: number;
  /** The number of timers that were set so far. */
  readonly set: number;
  /** Runs those out that wait now. */
  pass(): void;
}

/** Longer than any test: `setTimeout` takes no more. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Holds the timers of some lengths until a test lets them run out: a limit of time is then over when the test has seen what has
 * to be there before, on a machine of any speed. All other timers are real. Choose lengths that nothing else has.
 * `vi.restoreAllMocks()` ends it; until then it is called once.
 *
 * @param lengths milliseconds of the timers that are held, by the names that the test gives them
 */
export function holdTimers<Name extends string>(
  lengths: Readonly<Record<Name, number>>,
): Readonly<Record<Name, HeldTimers>> {
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  const names = new Map<number | undefined, Name>();
  for (const [name, ms] of Object.entries(lengths) as [Name, number][]) names.set(ms, name);
  const held = new Map<unknown, { readonly name: Name; readonly run: () => void }>();
  const counts = new Map<Name, number>();
  const hold = (then: (...given: unknown[]) => void, ms?: number, ...given: unknown[]): NodeJS.Timeout => {
    const name = names.get(ms);
    if (name === undefined) return start(then, ms, ...given);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    // a real timer, since callers unref theirs
    const timer = start(() => {}, NEVER_MS);
    held.set(timer, { name, run: () => then(...given) });
    return timer;
  };
  vi.spyOn(globalThis, "setTimeout").mockImplementation(hold as typeof setTimeout);
  vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
    held.delete(timer);
    clear(timer);
  });
  const timersOf = (name: Name): HeldTimers => ({
    get waiting() {
      return [...held.values()].filter((each) => each.name === name).length;
    },
    get set() {
      return counts.get(name) ?? 0;
    },
    pass() {
      for (const [timer, each] of [...held]) {
        if (each.name !== name || !held.delete(timer)) continue;
        clear(timer as NodeJS.Timeout);
        each.run();
      }
    },
  });
  const all = [...names.values()].map((name) => [name, timersOf(name)] as const);
  return Object.fromEntries(all) as Record<Name, HeldTimers>;
}
