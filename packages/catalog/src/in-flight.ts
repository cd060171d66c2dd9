interface Running<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Shares one running `load` between all callers of a key; it is aborted when its last caller leaves. Keeps nothing once it settles. */
export class InFlight<T> {
  readonly #running = new Map<string, Running<T>>();

  share(key: string, load: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const shared = this.#running.get(key) ?? this.#start(key, load);
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
      const settled = (): void => signal?.removeEventListener("abort", leave);
      shared.promise.then(
        (value) => {
          settled();
          resolve(value);
        },
        (error: unknown) => {
          settled();
          reject(error);
        },
      );
    });
  }

  #start(key: string, load: (signal: AbortSignal) => Promise<T>): Running<T> {
    const controller = new AbortController();
    const promise = load(controller.signal).finally(() => {
      if (this.#running.get(key)?.controller === controller) this.#running.delete(key);
    });
    const started: Running<T> = { promise, controller, waiting: 0 };
    this.#running.set(key, started);
    return started;
  }
}
