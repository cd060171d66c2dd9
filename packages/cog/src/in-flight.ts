/** Shares one running `load` between all callers of a key; keeps nothing once it settles. */
export class InFlight<T> {
  readonly #running = new Map<string, { promise: Promise<T>; controller: AbortController; waiting: number }>();

  has(key: string): boolean {
    return this.#running.has(key);
  }

  /** Joins or starts the load of `key`. It is aborted when its last caller has left. */
  share(key: string, load: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    let entry = this.#running.get(key);
    if (entry === undefined) {
      const controller = new AbortController();
      const promise = load(controller.signal).finally(() => {
        if (this.#running.get(key)?.controller === controller) this.#running.delete(key);
      });
      entry = { promise, controller, waiting: 0 };
      this.#running.set(key, entry);
    }
    const shared = entry;
    shared.waiting += 1;
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        shared.waiting -= 1;
        if (shared.waiting === 0) {
          if (this.#running.get(key) === shared) this.#running.delete(key);
          shared.controller.abort(signal?.reason);
        }
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      shared.promise.then(resolve, reject).finally(() => signal?.removeEventListener("abort", leave));
    });
  }
}
