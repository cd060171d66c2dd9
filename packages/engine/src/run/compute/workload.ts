import { unlessAborted } from "@swath/http";

/** Sums of shares are as exact as this. */
const ROUNDING = 1e-9;

/** The work in progress: shares whose sum is at most 1, or a single one. */
export class Workload {
  #sum = 0;
  #waiting: (() => void)[] = [];

  fits(share: number): boolean {
    return this.#sum < ROUNDING || this.#sum + share < 1 + ROUNDING;
  }

  begin(share: number): void {
    this.#sum += share;
  }

  end(share: number): void {
    this.#sum -= share;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Counts `share` until `work` has ended. */
  async during(share: number, work: Promise<void>): Promise<void> {
    this.begin(share);
    try {
      await work;
    } finally {
      this.end(share);
    }
  }

  /** Resolves when something in progress has ended. @throws the reason of the signal. */
  less(signal: AbortSignal): Promise<void> {
    return unlessAborted(new Promise<void>((resolve) => this.#waiting.push(resolve)), signal);
  }
}
