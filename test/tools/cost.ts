/** Work that is measured. */
type Work = () => unknown;

/** The least processor time of one measurement, milliseconds: in a shorter one the clock and collected memory show. */
const LEAST_MS = 2;
/** Measurements of each work. */
const ROUNDS = 4;

/**
 * Returns how many times the processor time of `other` some work takes. Both are measured in turns on the same machine, so
 * that neither its speed nor its other work counts; of each the fastest round, since the engine compiles and collects memory
 * in one or another of them.
 */
export async function costRatio(work: Work, other: Work): Promise<number> {
  const measured = [new Measured(work), new Measured(other)] as const;
  for (let round = 0; round < ROUNDS; round++) for (const each of measured) await each.measure();
  return measured[0].least / measured[1].least;
}

/** Work, and the least processor time that one call of it has taken, milliseconds. */
class Measured {
  readonly #work: Work;
  #calls = 1;
  least = Number.POSITIVE_INFINITY;

  constructor(work: Work) {
    this.#work = work;
  }

  async measure(): Promise<void> {
    for (;;) {
      const start = process.cpuUsage();
      for (let i = 0; i < this.#calls; i++) await this.#work();
      const { user, system } = process.cpuUsage(start);
      const spent = (user + system) / 1000;
      if (spent >= LEAST_MS) {
        this.least = Math.min(this.least, spent / this.#calls);
        return;
      }
      this.#calls *= 4;
    }
  }
}
