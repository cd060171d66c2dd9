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
    this.#signal.throwIfAborted();
    if (performance.now() - this.#since < TURN_MS) return;
    await turn();
    this.#signal.throwIfAborted();
    this.#since = performance.now();
  }
}

/** Ends this turn of the event loop; browsers have no `setImmediate`, and their shortest timer takes some milliseconds. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve);
  });
}
