import type { Queries } from "../store.ts";

/** The cost of a job, in the words of whoever charges it: a JSON value. */
export interface HeldCharge {
  /** The job has the same id. */
  readonly id: string;
}

/** A background job as the store holds it. `request`, `result` and `error` are JSON values; times are epoch milliseconds. */
export interface JobRecord {
  readonly id: string;
  /** Identity that created the job; only this one sees it. */
  readonly owner: string;
  /** Names the entry of the registry of kinds that carries it out. */
  readonly kind: string;
  readonly request: unknown;
  readonly status: "queued" | "running" | "done" | "failed";
  readonly created: number;
  readonly updated: number;
  /** 0 to 1; starts again at 0 when another worker takes the job over. */
  readonly progress: number;
  readonly result?: unknown;
  readonly error?: unknown;
  /** The cost, and who pays when the job is done; absent: nobody does. */
  readonly charge?: HeldCharge;
  /** The trace of whoever submitted it, as it was given. */
  readonly trace?: string;
}

/** A job to accept. */
export interface SubmittedJob {
  readonly owner: string;
  readonly kind: string;
  readonly request: unknown;
  /** Account whose jobs it counts among, with those of all its keys and sessions; absent: those of the owner's key. */
  readonly account?: string;
  /** Given to `JobCharges` in the transactions that accept and end the job. */
  readonly charge?: HeldCharge;
  /** The trace that the job belongs to, such as a `traceparent` of W3C Trace Context: whoever carries it out gets it. */
  readonly trace?: string;
}

/** The outcome of a job: a result and the bytes of its files (0 by default), or an error. */
export type FinishedJob = { readonly result: unknown; readonly fileBytes?: number } | { readonly error: unknown };

/**
 * Jobs that outlive the process that took them in. A worker holds a job by a lease that it renews; a job whose lease
 * ran out is given to the next worker that claims one, so every job runs even when workers die.
 */
export interface JobQueue {
  /**
   * Accepts a job: once this resolves, no crash loses it.
   *
   * @throws {QueueFullError} when 100 jobs of the service are unfinished, as many of accounts as they may have, or 20 of this account or key.
   */
  submit(job: SubmittedJob): Promise<JobRecord>;
  /** The owner's job; `undefined` for an unknown id, an expired job and the job of another identity. */
  find(id: string, owner: string): Promise<JobRecord | undefined>;
  /** Claims the oldest job that is queued, or whose lease has ended; `undefined` when there is none or no slot is free. */
  claim(worker: string, leaseMs: number): Promise<JobRecord | undefined>;
  /** Extends the lease. False: the job is no longer this worker's, which must stop working on it. */
  renew(id: string, worker: string, progress: number, leaseMs: number): Promise<boolean>;
  /** Publishes the outcome. False: the job is no longer this worker's, and the outcome is not published. */
  finish(id: string, worker: string, outcome: FinishedJob): Promise<boolean>;
  /** Hands the job back unfinished, to be claimed again at once. */
  release(id: string, worker: string): Promise<void>;
  /** Deletes jobs created before `olderThan`, in whatever state, and returns their ids. */
  removeExpired(olderThan: number): Promise<readonly string[]>;
}

/** Charges jobs in the very transactions by which the store accepts and ends them. */
export interface JobCharges {
  /** A job was accepted, which is deleted by `until`, epoch milliseconds. */
  accept(db: Queries, charge: HeldCharge, until: number): Promise<void>;
  /**
   * A job has ended.
   *
   * @param fileBytes of its files; undefined where it failed.
   * @returns what is called once the transaction is committed.
   */
  end(db: Queries, charge: HeldCharge, fileBytes: number | undefined): Promise<() => void>;
}

/** The queue takes no further job of this owner for now. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
  readonly code = "queue-full";
  readonly limits: { readonly maxUnfinishedJobs: number; readonly unfinishedJobs: number };
  /** Seconds after which it may have a place again. */
  readonly retryAfter: number;

  constructor(message: string, limits: QueueFullError["limits"], retryAfter: number) {
    super(message);
    this.limits = limits;
    this.retryAfter = retryAfter;
  }
}
