const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The pace of requests. */
export interface Pace {
  readonly seconds: number;
  /** Requests a second, at most. */
  readonly perSecond: number;
  /** Requests that are not answered yet, at most: a machine that is slow is asked less. */
  readonly together: number;
}

/**
 * Sends as many requests as fall into some seconds, evenly. One that could not be sent in time delays those after it: what was
 * held up does not come all at once.
 */
export async function drive({ seconds, perSecond, together }: Pace, send: (i: number) => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  for (let i = 0; i < seconds * perSecond; i++) {
    const sent = performance.now();
    const work = send(i).finally(() => running.delete(work));
    running.add(work);
    const wait = sent + 1000 / perSecond - performance.now();
    if (wait > 1) await pause(wait);
    if (running.size >= together) await Promise.race(running);
  }
  await Promise.all(running);
}

/** Statuses and times of answers. */
export class Tally {
  readonly #answers: { readonly status: number; readonly ms: number }[] = [];

  add(status: number, ms: number): void {
    this.#answers.push({ status, ms });
  }

  count(matches: (status: number) => boolean): number {
    return this.#answers.filter(({ status }) => matches(status)).length;
  }

  get statuses(): Record<number, number> {
    const counts: Record<number, number> = {};
    for (const { status } of this.#answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  /** The time, milliseconds, within which this share of the answers came. */
  percentile(share: number, matches: (status: number) => boolean = () => true): number {
    const sorted = this.#answers
      .filter(({ status }) => matches(status))
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
    return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  }
}
