/** Work that is cut into parts. */
export interface PartSet {
  /** The same id always stands for the same work. */
  readonly id: string;
  /** Names the kind that carries its parts out. */
  readonly kind: string;
  /** All that a part has to know besides its number, as text. */
  readonly task: string;
  /** Number of parts, which are 0, 1, ... */
  readonly count: number;
}

/** The outcome of a part whose work threw. */
export interface PartFault {
  /** The error that is kept: a JSON value. */
  readonly error: unknown;
  /** Whether the fault passes: then the part is carried out again after a pause. */
  readonly passes?: boolean;
}

/** A kind of parts: carries them out. */
export interface PartKind {
  /** Stored with each set. */
  readonly name: string;
  /**
   * Carries out part `n` of a set, perhaps while another worker does so too.
   *
   * @param options.trace of whoever queued the part.
   * @returns a JSON value
   */
  run(task: string, n: number, options: { readonly signal: AbortSignal; readonly trace?: string }): Promise<unknown>;
  /** Returns the fault that is kept for an error; for a part that took too long it gets a {@link PartTimeoutError}. */
  faultOf(error: unknown): PartFault;
  /**
   * Removes what a result that is not kept has left behind: another worker was first, or the set is gone. A result that is
   * equal to the one kept is not discarded.
   */
  discard(result: unknown): Promise<void>;
}

/** Options with which parts are carried out. */
export interface PartWorkOptions {
  /** Parts carried out at the same time by this process; default 2. */
  readonly slots?: number;
}

/** Carries out parts. */
export interface PartWorker {
  /** Takes no further part, hands running ones back without counting an attempt, and resolves when none runs. */
  stop(): Promise<void>;
}

/** Parts of large jobs, which all nodes carry out in any order, those of smaller sets first. */
export interface Parts {
  /**
   * Queues the parts of the set that have no outcome yet, and waits until all have one. Called again with the same set,
   * as after a crash, it goes on where it was.
   *
   * @param options.onProgress called with the number of parts that are done when it has changed.
   * @param options.trace that the parts queued by this call belong to, such as a `traceparent` of W3C Trace Context.
   * @returns the results in the order of the parts' numbers.
   * @throws {PartError} of the first part that failed for good; then no further part is begun.
   */
  carryOut(
    set: PartSet,
    options: {
      readonly signal: AbortSignal;
      readonly onProgress?: (done: number) => void;
      readonly trace?: string | undefined;
    },
  ): Promise<readonly unknown[]>;
  /**
   * Forgets a set, done or not. Parts that wait are not begun, and those that run are discarded when they end.
   *
   * @returns the results that were kept, in any order, whose files the caller removes.
   */
  forget(id: string): Promise<readonly unknown[]>;
  /**
   * Forgets the sets that were first carried out before `olderThan`, epoch milliseconds.
   *
   * @returns the results that were kept, whose files the caller removes.
   */
  removeExpired(olderThan: number): Promise<readonly unknown[]>;
  /** Carries out parts of these kinds until it is stopped: those of a set in a row, as long as no other worker has the next one. */
  work(kinds: readonly PartKind[], options?: PartWorkOptions): PartWorker;
  /** Stops all workers. The store stays open. */
  close(): Promise<void>;
}

/** A part has failed for good. */
export class PartError extends Error {
  override readonly name = "PartError";
  readonly code = "part-failed";
  /** The number of the part; undefined where the whole set is gone. */
  readonly part: number | undefined;
  /** The error that was kept: a JSON value, of `faultOf`, or `{ message }` where the parts themselves gave up. */
  readonly error: unknown;

  constructor(message: string, part: number | undefined, error: unknown) {
    super(message);
    this.part = part;
    this.error = error;
  }
}

/** The part was not finished in the time that a part may take. */
export class PartTimeoutError extends Error {
  override readonly name = "PartTimeoutError";
  readonly code = "part-timeout";

  constructor() {
    super("The part was not finished in the time that a part may take.");
  }
}
