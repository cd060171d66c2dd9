import { HttpError } from "./errors.ts";
import { sleepFor } from "./retry.ts";
import { whenAborted } from "./when-aborted.ts";

/** Limits of the rate of requests to one server. */
export interface PaceLimits {
  /** Requests that may start within any second, a whole number of at least 1. Default: no limit. */
  readonly perSecond?: number | undefined;
  /** Requests that may run at once, in each thread. Default: no limit. */
  readonly atOnce?: number | undefined;
}

/** Options of a {@link Pace}. */
export interface PaceOptions {
  /**
   * Times of requests, as `paceState` makes them. Threads that are given the same shared memory space their requests
   * together, and keep each other's pauses. Default: memory of its own.
   */
  readonly state?: BigInt64Array | undefined;
  /** Milliseconds since 1970: threads have to agree on them. Default the clock. */
  readonly now?: (() => number) | undefined;
  readonly sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/** Options of the wait of one request. */
export interface PaceWait {
  readonly signal?: AbortSignal | undefined;
  /** The longest wait before the request begins, milliseconds. Default: no limit. */
  readonly withinMs?: number | undefined;
}

/** Requests that wait for their turn at most: more callers than these have no use for a late answer. */
const MAX_WAITING = 1000;
const SECOND_MS = 1000;
/** The longest pause: a server that asks for more is asked again then. Starts beyond it come from a clock that was set back. */
const LONGEST_MS = 300_000;
/** Cells before those of starts: the end of the pause, and how many starts were given out. */
const [UNTIL, GIVEN, FIRST] = [0, 1, 2];

/** Memory for the times of requests to one server, which threads can share. */
export function paceState({ perSecond = 0 }: PaceLimits): BigInt64Array<SharedArrayBuffer> {
  return new BigInt64Array(new SharedArrayBuffer((FIRST + perSecond) * BigInt64Array.BYTES_PER_ELEMENT));
}

/**
 * Spaces requests to one server: `perSecond` within any second, `atOnce` at the same time, and none before the time
 * that a `Retry-After` has named, whoever received it.
 *
 * The start of each request is written into one of `perSecond` cells in turn, at least a second after the start that
 * the cell held before: so each cell has at most one start within any second.
 */
export class Pace {
  readonly #perSecond: number;
  readonly #atOnce: number;
  readonly #state: BigInt64Array;
  readonly #now: () => number;
  readonly #sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly #queue: (() => void)[] = [];
  #running = 0;
  #waiting = 0;

  /** @throws {RangeError} for limits that are no whole numbers of at least 1, and for a state made for other limits. */
  constructor({ perSecond, atOnce }: PaceLimits, { state, now = Date.now, sleep = sleepFor }: PaceOptions = {}) {
    for (const limit of [perSecond, atOnce]) {
      if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1)) {
        throw new RangeError(`Expected a whole number of at least 1, got ${limit}.`);
      }
    }
    this.#perSecond = perSecond ?? 0;
    this.#atOnce = atOnce ?? Number.POSITIVE_INFINITY;
    this.#state = state ?? new BigInt64Array(FIRST + this.#perSecond);
    if (this.#state.length !== FIRST + this.#perSecond) {
      throw new RangeError(`Expected a state of ${FIRST + this.#perSecond} cells, got ${this.#state.length}.`);
    }
    this.#now = now;
    this.#sleep = sleep;
  }

  /** Milliseconds until the server may be asked again; 0 where no pause holds. */
  get pausedMs(): number {
    return Math.max(0, this.#until() - this.#now());
  }

  /** Lets no request begin for these seconds, as `Retry-After` says, at most 300; a longer pause that holds already stays. */
  pause(seconds: number): void {
    const until = BigInt(Math.ceil(this.#now() + Math.min(LONGEST_MS, Math.max(0, seconds) * 1000)));
    for (;;) {
      const known = Atomics.load(this.#state, UNTIL);
      if (known >= until || Atomics.compareExchange(this.#state, UNTIL, known, until) === known) return;
    }
  }

  /**
   * Runs a request when it is its turn.
   *
   * @throws {HttpError} `paused` where its turn comes later than `withinMs`, with the seconds to wait, and where too many
   *   requests wait already; the signal's reason once it aborts; else what `request` throws.
   */
  async run<T>(request: () => Promise<T>, { signal, withinMs }: PaceWait = {}): Promise<T> {
    signal?.throwIfAborted();
    if (this.#waiting >= MAX_WAITING) throw pausedError(Math.max(SECOND_MS, this.pausedMs));
    const end = withinMs === undefined ? Number.POSITIVE_INFINITY : this.#now() + withinMs;
    this.#waiting += 1;
    try {
      await this.#enter(end, signal);
      try {
        await this.#start(end, signal);
      } catch (error) {
        this.#leave();
        throw error;
      }
    } finally {
      this.#waiting -= 1;
    }
    try {
      return await request();
    } finally {
      this.#leave();
    }
  }

  /** Waits for a place among those that run at once, in the order of arrival. */
  #enter(end: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const stop = (error: unknown): void => {
        const at = this.#queue.indexOf(enter);
        if (at >= 0) this.#queue.splice(at, 1);
        settle();
        reject(error);
      };
      const abort = (): void => stop(signal?.reason);
      const wait = end - this.#now();
      const timer = Number.isFinite(wait)
        ? setTimeout(() => stop(pausedError(Math.max(SECOND_MS, this.pausedMs))), Math.max(0, wait))
        : undefined;
      const settle = (): void => {
        clearTimeout(timer);
        ended?.();
      };
      const enter = (): void => {
        settle();
        resolve();
      };
      const ended = signal === undefined ? undefined : whenAborted(signal, abort);
      this.#queue.push(enter);
    });
  }

  /** Gives the place to the next one, or frees it. */
  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }

  /** Waits for a start, and again where a pause has begun meanwhile. */
  async #start(end: number, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      if (this.#earliest() > end) throw pausedError(this.#earliest() - this.#now());
      const wait = this.#reserve() - this.#now();
      if (wait > 0) await this.#sleep(wait, signal);
      signal?.throwIfAborted();
      if (this.pausedMs === 0) return;
    }
  }

  /** The time from which the next request can start, which nobody is promised. */
  #earliest(): number {
    if (this.#perSecond === 0) return Math.max(this.#now(), this.#until());
    const cell = FIRST + Number(Atomics.load(this.#state, GIVEN) % BigInt(this.#perSecond));
    return this.#after(Atomics.load(this.#state, cell));
  }

  /** Takes the next start. */
  #reserve(): number {
    if (this.#perSecond === 0) return Math.max(this.#now(), this.#until());
    const cell = FIRST + Number(Atomics.add(this.#state, GIVEN, 1n) % BigInt(this.#perSecond));
    for (;;) {
      const before = Atomics.load(this.#state, cell);
      const start = this.#after(before);
      if (Atomics.compareExchange(this.#state, cell, before, BigInt(start)) === before) return start;
    }
  }

  /** The first time for a start after that of a cell. */
  #after(before: bigint): number {
    const now = Math.ceil(this.#now());
    const start = Math.max(now, this.#until(), Number(before) + SECOND_MS);
    return start > now + LONGEST_MS ? now : start;
  }

  /** The end of the pause. */
  #until(): number {
    const [until, now] = [Number(Atomics.load(this.#state, UNTIL)), this.#now()];
    return until > now + LONGEST_MS ? now : until;
  }
}

function pausedError(milliseconds: number): HttpError {
  const retryAfter = Math.max(1, Math.ceil(milliseconds / 1000));
  return new HttpError("paused", `The server may be asked again in ${retryAfter} s.`, { retryAfter });
}

const shared = new Map<string, Pace>();

/**
 * The pace of a server for all callers of this thread: those that name the same server get the same one.
 *
 * @param name of the server, such as its host.
 * @param limits of the first caller that names it; later ones are not looked at.
 */
export function sharedPace(name: string, limits: PaceLimits, options: PaceOptions = {}): Pace {
  const known = shared.get(name);
  if (known !== undefined) return known;
  const pace = new Pace(limits, options);
  shared.set(name, pace);
  return pace;
}
