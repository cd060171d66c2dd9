/** Runs at most `max` tasks at a time; the others wait in their order. */
export class RequestGate {
  #max: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** Lowers the number of tasks at a time, to what the service said it allows. */
  lower(max: number): void {
    this.#max = Math.max(1, Math.min(this.#max, max));
  }

  /** @throws the reason of `signal` where it is aborted while the task waits; what `task` throws. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal | null): Promise<T> {
    await this.#enter(signal);
    try {
      return await task();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  #enter(signal: AbortSignal | null | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#running < this.#max) {
      this.#running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal?.removeEventListener("abort", leave);
        this.#running += 1;
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.push(enter);
    });
  }

  #next(): void {
    if (this.#running < this.#max) this.#waiting.shift()?.();
  }
}
