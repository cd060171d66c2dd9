/** Faults in a row after which something is left alone, and the time for which it is, milliseconds. */
const FAULTS = 3;
const REST_MS = 30_000;

/** Leaves something that keeps failing alone for a while; then one attempt decides whether that goes on. */
export class RestAfterFaults {
  readonly #now: () => number;
  #faults = 0;
  #until = 0;

  /** @param now a clock, milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether nothing is to be asked of it now. */
  rests(): boolean {
    if (this.#faults < FAULTS) return false;
    if (this.#now() < this.#until) return true;
    // one caller tries it, and the others wait for its outcome
    this.#until = this.#now() + REST_MS;
    return false;
  }

  succeeded(): void {
    this.#faults = 0;
  }

  failed(): void {
    this.#faults += 1;
    if (this.#faults >= FAULTS) this.#until = this.#now() + REST_MS;
  }
}
