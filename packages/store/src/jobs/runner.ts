import { sleepFor } from "@swath/http";
import type { Log } from "../log.ts";
import type { JobKinds, JobOutcome } from "./kinds.ts";
import type { JobQueue, JobRecord } from "./queue.ts";

/** The outcome of a job whose work threw. */
export interface JobFault {
  /** The result that the queue keeps: a JSON value. */
  readonly error: unknown;
  /** Whether the fault passes: then the job is tried again after a pause. */
  readonly passes?: boolean;
  /** Whether nobody expected it: then it is logged. */
  readonly unexpected?: boolean;
}

/** Options of the runner of jobs. */
export interface JobRunnerOptions {
  /** Jobs carried out at the same time by this process. */
  readonly slots?: number;
  /** Time a job may take, milliseconds. */
  readonly jobMs?: number;
  /** A job whose worker does not renew its lease for this long is claimed by another, milliseconds. */
  readonly leaseMs?: number;
  /** Pause between looks into an empty queue, milliseconds. */
  readonly pollMs?: number;
  /** Pauses before a job that met a passing fault is tried again, milliseconds; after the last it has failed. */
  readonly retryMs?: readonly number[];
}

/** Carries out the jobs of the queue. */
export interface JobRunner {
  /** Claims no further job, hands running ones back to the queue, and resolves when none runs. */
  stop(): Promise<void>;
}

/** The parts of a runner. */
export interface JobRunnerParts {
  readonly jobs: JobQueue;
  readonly kinds: JobKinds;
  /** Returns the fault that is kept for an error of a job; for one that took too long it gets a {@link JobTimeoutError}. */
  readonly faultOf: (error: unknown, job: JobRecord) => JobFault;
  /** Carries one attempt at a job out, within whatever belongs around it, such as its trace; by default it is only begun. */
  readonly around?: <T>(job: JobRecord, work: () => Promise<T>) => Promise<T>;
  /** Removes files of a job whose outcome another worker publishes. */
  readonly discard: (resultId: string) => Promise<unknown>;
  readonly log: Log;
}

/** The job was not finished in the time that a job may take. */
export class JobTimeoutError extends Error {
  override readonly name = "JobTimeoutError";
  readonly code = "job-timeout";

  constructor() {
    super("The job was not finished in the time that a job may take.");
  }
}

/** The reason of the signal that ends the work at a job that another worker may carry out. */
class JobEnd extends Error {
  override readonly name = "JobEnd";
  readonly why: "lease-lost" | "stopping";
  constructor(why: JobEnd["why"]) {
    super(`The job was ended: ${why}.`);
    this.why = why;
  }
}

/** Claims jobs and carries them out, by their kinds, until it is stopped. */
export function startJobRunner(parts: JobRunnerParts, options: JobRunnerOptions = {}): JobRunner {
  const { slots = 4, jobMs = 300_000, leaseMs = 30_000, pollMs = 1000, retryMs = [5000, 15_000, 30_000] } = options;
  const worker = crypto.randomUUID();
  const running = new Map<AbortController, Promise<void>>();
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = async (): Promise<void> => {
    try {
      while (!stopped && running.size < slots) {
        const job = await parts.jobs.claim(worker, leaseMs);
        if (job === undefined) break;
        if (stopped) {
          await parts.jobs.release(job.id, worker);
          break;
        }
        start(job);
      }
    } catch (error) {
      parts.log.error({ err: error }, "the job queue does not answer");
    }
    if (stopped) return;
    timer = setTimeout(() => {
      looking = look();
    }, pollMs);
  };

  const start = (job: JobRecord): void => {
    const controller = new AbortController();
    const work = carryOut(parts, job, { worker, jobMs, leaseMs, retryMs, controller }).finally(() =>
      running.delete(controller),
    );
    running.set(controller, work);
  };

  let looking = look();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
      for (const controller of running.keys()) controller.abort(new JobEnd("stopping"));
      await Promise.all(running.values());
    },
  };
}

interface Run {
  readonly worker: string;
  readonly jobMs: number;
  readonly leaseMs: number;
  readonly retryMs: readonly number[];
  readonly controller: AbortController;
}

/** Carries one job out. Never rejects: an error is the job's outcome, or is logged. */
async function carryOut(
  parts: JobRunnerParts,
  job: JobRecord,
  { worker, jobMs, leaseMs, retryMs, controller }: Run,
): Promise<void> {
  const { jobs, kinds, discard, log } = parts;
  let progress = 0;
  const timeout = setTimeout(() => controller.abort(new JobTimeoutError()), jobMs);
  const renewal = setInterval(() => {
    jobs.renew(job.id, worker, progress, leaseMs).then(
      (kept) => kept || controller.abort(new JobEnd("lease-lost")),
      (error: unknown) => log.warn({ err: error, job: job.id }, "a job's lease could not be renewed"),
    );
  }, leaseMs / 3);
  // progress is shown to pollers long before the lease needs renewing
  let shown = 0;
  const report = setInterval(() => {
    if (progress === shown) return;
    shown = progress;
    jobs.renew(job.id, worker, progress, leaseMs).catch(() => {});
  }, 1000);
  try {
    const { signal } = controller;
    const onProgress = (done: number): void => {
      progress = done;
    };
    const work = (): Promise<JobOutcome> => kinds.of(job.kind).run(job.request, { id: job.id, signal, onProgress });
    const tryOnce = (): Promise<JobOutcome> => (parts.around === undefined ? work() : parts.around(job, work));
    const passes = (error: unknown): boolean => parts.faultOf(error, job).passes === true;
    const { result, resultIds, fileBytes } = await persistently(tryOnce, passes, retryMs, signal);
    const published = await jobs.finish(job.id, worker, { result, fileBytes });
    if (!published) await Promise.all(resultIds.map((id) => discard(id)));
  } catch (error) {
    await fail(parts, job, worker, controller.signal, error).catch((failure: unknown) => {
      // the lease runs out, and the job is carried out again
      log.error({ err: failure, job: job.id }, "a job's outcome could not be kept");
    });
  } finally {
    clearTimeout(timeout);
    clearInterval(renewal);
    clearInterval(report);
  }
}

/** Tries work again after each pause while its faults pass: no client could do so for a job. */
async function persistently<T>(
  work: () => Promise<T>,
  passes: (error: unknown) => boolean,
  pauses: readonly number[],
  signal: AbortSignal,
): Promise<T> {
  for (const ms of pauses) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !passes(error)) throw error;
      await sleepFor(ms, signal);
    }
  }
  return work();
}

async function fail(
  { jobs, faultOf, log }: JobRunnerParts,
  job: JobRecord,
  worker: string,
  signal: AbortSignal,
  error: unknown,
): Promise<void> {
  const end = signal.reason instanceof JobEnd ? signal.reason.why : undefined;
  if (end === "stopping") return jobs.release(job.id, worker);
  if (end === "lease-lost") return;
  const fault = faultOf(signal.reason instanceof JobTimeoutError ? signal.reason : error, job);
  if (fault.unexpected === true) log.error({ err: error, job: job.id }, "unexpected error in a job");
  await jobs.finish(job.id, worker, { error: fault.error });
}
