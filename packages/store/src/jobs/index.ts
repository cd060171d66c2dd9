export type {} from "../platform-types.ts";
export { findJob, isUnfinished } from "./find-job.ts";
export { type JobKind, JobKinds, type JobOutcome, type JobRunOptions } from "./kinds.ts";
export {
  type FinishedJob,
  type HeldCharge,
  type JobCharges,
  type JobQueue,
  type JobRecord,
  QueueFullError,
  type SubmittedJob,
} from "./queue.ts";
export {
  type JobFault,
  type JobRunner,
  type JobRunnerOptions,
  type JobRunnerParts,
  JobTimeoutError,
  startJobRunner,
} from "./runner.ts";
export { JOB_KEPT_MS, jobCounts, MAX_JOB_SLOTS, type StoredJobsOptions, storedJobs } from "./stored-queue.ts";
export { type WatchedQueue, watchedQueue } from "./watched-queue.ts";
