const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends `perSecond` requests a second, evenly, whether the earlier ones are answered or not. */
export async function drive(seconds: number, perSecond: number, send: (i: number) => Promise<void>): Promise<void> {
  const started = performance.now();
  const running: Promise<void>[] = [];
  for (let i = 0; i < seconds * perSecond; i++) {
    const wait = started + (i * 1000) / perSecond - performance.now();
    if (wait > 1) await pause(wait);
    running.push(send(i));
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
