import { LRUCache } from "lru-cache";
import { InFlight } from "./in-flight.ts";

/** Limits of size and time of what is remembered. */
export interface RememberedOptions<T> {
  /** Sum of the sizes of what is kept; the least recently used is dropped. */
  readonly max: number;
  /** Size of a value, 1 or more. Default: 1, so that `max` counts values. */
  readonly sizeOf?: (value: T) => number;
  /** Milliseconds for which a value is kept; 0 and less: not at all; infinite: as without this. Default: until it is dropped for others. */
  readonly ttlMs?: (value: T) => number;
  /** Milliseconds of the clock that `ttlMs` is measured by. Default: the monotonic clock. */
  readonly now?: () => number;
}

/**
 * Keeps the values of loads, by key: callers of a key at the same time share one load, later ones get its value. A load
 * that fails is not remembered, and one that all callers have left is aborted.
 */
export class Remembered<T> {
  readonly #kept: LRUCache<string, { readonly value: T }>;
  readonly #running = new InFlight<T>();
  readonly #ttlMs: ((value: T) => number) | undefined;

  constructor({ max, sizeOf = () => 1, ttlMs, now }: RememberedOptions<T>) {
    this.#ttlMs = ttlMs;
    this.#kept = new LRUCache({
      maxSize: max,
      sizeCalculation: ({ value }) => sizeOf(value),
      ...(now === undefined ? {} : { perf: { now }, ttlResolution: 0 }),
    });
  }

  /** Returns the value kept for a key; `undefined` is also a value that can be kept. */
  get(key: string): T | undefined {
    return this.#kept.get(key)?.value;
  }

  set(key: string, value: T): void {
    const ttl = this.#ttlMs?.(value);
    if (ttl === undefined) this.#kept.set(key, { value });
    else if (ttl > 0) this.#kept.set(key, { value }, Number.isFinite(ttl) ? { ttl } : {});
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }

  /**
   * Returns the value kept for a key, else keeps and returns that of `load`.
   *
   * @throws the reason of `signal` once it aborts; else what `load` throws.
   */
  async of(key: string, load: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const known = this.#kept.get(key);
    if (known !== undefined) return known.value;
    const loadAndKeep = async (shared: AbortSignal): Promise<T> => {
      const value = await load(shared);
      this.set(key, value);
      return value;
    };
    return this.#running.share(key, loadAndKeep, signal);
  }
}
