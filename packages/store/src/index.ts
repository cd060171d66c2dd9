export { findJob, isUnfinished } from "./jobs/find-job.ts";
export { type JobKind, JobKinds, type JobOutcome, type JobRunOptions } from "./jobs/kinds.ts";
export {
  type FinishedJob,
  type HeldCharge,
  type JobCharges,
  type JobQueue,
  type JobRecord,
  QueueFullError,
  type SubmittedJob,
} from "./jobs/queue.ts";
export {
  type JobFault,
  type JobRunner,
  type JobRunnerOptions,
  type JobRunnerParts,
  JobTimeoutError,
  startJobRunner,
} from "./jobs/runner.ts";
export { JOB_KEPT_MS, jobCounts, MAX_JOB_SLOTS, type StoredJobsOptions, storedJobs } from "./jobs/stored-queue.ts";
export { type WatchedQueue, watchedQueue } from "./jobs/watched-queue.ts";
export type { Log } from "./log.ts";
export { type Migration, migrate, STORE_TABLES, type TablesOf } from "./migrations.ts";
export { type ObjectAge, type ObjectBounds, type ObjectStore, sweepObjects } from "./objects.ts";
export type {} from "./platform-types.ts";
export {
  type FileRange,
  type ResultPlace,
  type ResultStore,
  ResultStoreError,
  type StoredFile,
} from "./results.ts";
export { claimTurn, keepSetting, readSetting, writeSetting } from "./settings.ts";
export {
  type Queries,
  type Store,
  StoreError,
  type StoreRow,
  type StoreValue,
  type Survives,
} from "./store.ts";
