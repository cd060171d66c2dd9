import { HttpError } from "./errors.ts";

/**
 * A time limit for a request. Over a whole exchange it limits its duration; restarted with each piece of the answer it
 * limits silence; ended when the response begins, it limits the wait for that alone.
 */
export class TimeLimit {
  /** Aborts with the caller's signal, or with an `HttpError` `timeout` when the time is over. */
  readonly signal: AbortSignal;
  readonly #ms: number;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout>;

  /**
   * Starts the limit.
   *
   * @param ms milliseconds, above 0
   * @param message of the error
   * @param signal of the caller
   */
  constructor(ms: number, message: string, signal?: AbortSignal) {
    this.#ms = ms;
    this.#expire = () => this.#controller.abort(new HttpError("timeout", message));
    this.#timer = setTimeout(this.#expire, ms);
    this.signal = signal === undefined ? this.#controller.signal : AbortSignal.any([signal, this.#controller.signal]);
  }

  readonly #expire: () => void;

  /** Is the time over? */
  get isOver(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Gives the whole time again, unless it is over. */
  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#expire, this.#ms);
  }

  /** Stops the clock. Has to be called, since a running timer keeps a process alive. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
