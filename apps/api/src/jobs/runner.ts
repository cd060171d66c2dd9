import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ProblemError } from "@swath/problem";
import type { Logger } from "pino";
import { translateError } from "../errors/translate.ts";
import type { ResultStore } from "../results/store.ts";
import type { JobKinds, JobOutcome } from "./kinds.ts";
import type { JobQueue, JobRecord } from "./queue.ts";

/** What the queue keeps of a failed job: a problem without the members of a request. */
export interface JobFault {
  readonly code: ProblemError["code"];
  readonly detail: string;
  readonly errors?: ProblemError["errors"];
  readonly limits?: ProblemError["limits"];
  readonly retryAfter?: number;
}

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

/** What a runner works with. */
export interface JobRunnerParts {
  readonly jobs: JobQueue;
  readonly kinds: JobKinds;
  readonly results: Pick<ResultStore, "remove">;
  readonly log: Logger;
}

/** Why a job's work was ended: its own signal's reason. */
class JobEnd extends Error {
  override readonly name = "JobEnd";
  readonly why: "timeout" | "lease-lost" | "stopping";
  constructor(why: JobEnd["why"]) {
    super(`The job was ended: ${why}.`);
    this.why = why;
  }
}

export function startJobRunner(parts: JobRunnerParts, options: JobRunnerOptions = {}): JobRunner {
  const { slots = 4, jobMs = 300_000, leaseMs = 30_000, pollMs = 1000, retryMs = [5000, 15_000, 30_000] } = options;
  const worker = randomUUID();
  const running = new Map<AbortController, Promise<void>>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

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
  const { jobs, kinds, results, log } = parts;
  let progress = 0;
  const timeout = setTimeout(() => controller.abort(new JobEnd("timeout")), jobMs);
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
    const tryOnce = (): Promise<JobOutcome> => kinds.of(job.kind).run(job.request, { signal, onProgress });
    const { result, resultIds, fileBytes } = await persistently(tryOnce, retryMs, signal);
    const published = await jobs.finish(job.id, worker, { result, fileBytes });
    if (!published) await Promise.all(resultIds.map((id) => results.remove(id)));
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

/** Longest `retryAfter`, seconds, of a fault that a job waits for: a full disk has a minute. */
const PASSING_SECONDS = 30;

function isPassing(error: unknown): boolean {
  const known = translateError(error);
  if (!(known instanceof ProblemError) || known.code !== "upstream-unavailable") return false;
  return known.retryAfter !== undefined && known.retryAfter <= PASSING_SECONDS;
}

/** Tries work again after each pause while an upstream does not answer: no client could do so for a job. */
async function persistently<T>(work: () => Promise<T>, pauses: readonly number[], signal: AbortSignal): Promise<T> {
  for (const ms of pauses) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      await pause(ms, undefined, { signal });
    }
  }
  return work();
}

async function fail(
  { jobs, kinds, log }: JobRunnerParts,
  job: JobRecord,
  worker: string,
  signal: AbortSignal,
  error: unknown,
): Promise<void> {
  const end = signal.reason instanceof JobEnd ? signal.reason.why : undefined;
  if (end === "stopping") return jobs.release(job.id, worker);
  if (end === "lease-lost") return;
  const known =
    end === "timeout"
      ? new ProblemError("render-timeout", "The job was not finished in the time that a job may take.")
      : translateError(error, kinds.of(job.kind).members);
  if (!(known instanceof ProblemError)) log.error({ err: error, job: job.id }, "unexpected error in a job");
  await jobs.finish(job.id, worker, { error: faultOf(known) });
}

function faultOf(error: unknown): JobFault {
  if (!(error instanceof ProblemError)) return { code: "internal", detail: "The service failed unexpectedly." };
  const { code, detail, errors, limits, retryAfter } = error;
  return {
    code,
    detail,
    ...(errors === undefined ? {} : { errors }),
    ...(limits === undefined ? {} : { limits }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
