import { whenAborted } from "./when-aborted.ts";

interface Running<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Shares one running `load` between all callers of a key. A caller whose signal aborts stops waiting; the load is
 * aborted with the last one. Nothing is kept once it settles, so that a failure is not repeated to later callers.
 */
export class InFlight<T> {
  readonly #running = new Map<string, Running<T>>();

  /** Is a load of this key running? */
  has(key: string): boolean {
    return this.#running.has(key);
  }

  /**
   * Joins or starts the load of `key`.
   *
   * @throws the reason of `signal` once it aborts; else what `load` throws.
   */
  share(key: string, load: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const shared = this.#running.get(key) ?? this.#start(key, load);
    shared.waiting += 1;
    return new Promise<T>((resolve, reject) => {
      const abort = (): void => {
        shared.waiting -= 1;
        if (shared.waiting === 0) {
          if (this.#running.get(key) === shared) this.#running.delete(key);
          shared.controller.abort(signal?.reason);
        }
        reject(signal?.reason);
      };
      const settled = shared.promise.then(resolve, reject);
      if (signal !== undefined) void settled.finally(whenAborted(signal, abort));
    });
  }

  #start(key: string, load: (signal: AbortSignal) => Promise<T>): Running<T> {
    const controller = new AbortController();
    const promise = load(controller.signal).finally(() => {
      if (this.#running.get(key) === started) this.#running.delete(key);
    });
    const started: Running<T> = { promise, controller, waiting: 0 };
    this.#running.set(key, started);
    return started;
  }
}
