import type { JobCharge } from "@swath/accounts";

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
  /** What it costs, and who pays when it is done; absent: nobody does. */
  readonly charge?: JobCharge;
}

/** A job to accept. */
export interface SubmittedJob {
  readonly owner: string;
  readonly kind: string;
  readonly request: unknown;
  /** Account whose jobs it counts among, with those of all its keys and sessions; absent: those of the owner's key. */
  readonly account?: string;
  /** Units that are reserved: charged in the step that publishes the result, released in the one that publishes an error. */
  readonly charge?: JobCharge;
}

/** How a job ended: with a result and so many bytes of files (0 by default), or with an error. */
export type FinishedJob = { readonly result: unknown; readonly fileBytes?: number } | { readonly error: unknown };

/**
 * Jobs that outlive the process that took them in. A worker holds a job by a lease that it renews; a job whose lease
 * ran out is given to the next worker that claims one, so every job runs even when workers die.
 */
export interface JobQueue {
  /**
   * Accepts a job: once this resolves, no crash loses it.
   *
   * @throws {ProblemError} `concurrency-limit` when 100 jobs of the service are unfinished, 80 of accounts, or 20 of this
   *   account or key.
   */
  submit(job: SubmittedJob): Promise<JobRecord>;
  /** The owner's job; `undefined` for an unknown id, an expired job and the job of another identity. */
  find(id: string, owner: string): Promise<JobRecord | undefined>;
  /** Claims the oldest job that is queued, or whose lease has ended; `undefined` when there is none or four are running. */
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
