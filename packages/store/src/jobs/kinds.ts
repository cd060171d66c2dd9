/** Options with which a job is carried out. */
export interface JobRunOptions {
  /** Id of the job. */
  readonly id: string;
  /** Ends the work. Its reason is a {@link JobTimeoutError} where the job has failed, and any other where a worker carries it out again. */
  readonly signal: AbortSignal;
  /** Part of the work done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** The outcome of a finished job. */
export interface JobOutcome {
  /** The result that the queue keeps: a JSON value. */
  readonly result: unknown;
  /** Ids of its files in the result store, and their bytes in all. */
  readonly resultIds: readonly string[];
  readonly fileBytes: number;
}

/** A kind of background job: how a stored request of it is carried out. */
export interface JobKind {
  /** Stored with each job. */
  readonly name: string;
  /** @param request as it was stored */
  run(request: unknown, options: JobRunOptions): Promise<JobOutcome>;
}

/** The kinds of background jobs that a service carries out. */
export class JobKinds {
  readonly #kinds: ReadonlyMap<string, JobKind>;

  constructor(kinds: readonly JobKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
  }

  /** @throws {RangeError} for a kind that this release does not have. */
  of(name: string): JobKind {
    const kind = this.#kinds.get(name);
    if (kind === undefined) throw new RangeError(`No job is of kind "${name}".`);
    return kind;
  }
}
