import { setImmediate as turn } from "node:timers/promises";

/** Milliseconds of work after which others get their turn. */
const TURN_MS = 8;

/** Breaks between the parts of long work on the main thread, in which it answers other requests. */
export class WorkBreaks {
  readonly #signal: AbortSignal;
  #since = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Waits for the others where this has worked for some milliseconds. @throws the reason of the signal. */
  async take(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return;
    await turn();
    this.#signal.throwIfAborted();
    this.#since = performance.now();
  }
}
