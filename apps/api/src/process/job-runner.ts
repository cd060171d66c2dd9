import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ProblemError } from "@swath/problem";
import { translateError } from "../http/translate.ts";
import { isDownloadJob, placesOf, runDownloadJob } from "../legacy/downloads/jobs.ts";
import type { Services } from "../services.ts";
import type { JobRecord } from "../state/job-queue.ts";
import { type FileFacts, fileFacts } from "./file-facts.ts";
import { JOB_CAPS } from "./output-grid.ts";
import { readProcess } from "./plan.ts";
import { ProcessRequest } from "./request.ts";
import { type RunOptions, runProcess } from "./run.ts";

/** What the queue keeps of a finished job. */
export interface JobResult {
  readonly files: readonly FileFacts[];
  readonly itemsUsed: readonly string[];
  readonly itemsSkipped: readonly string[];
}

/** What the queue keeps of a failed one: a problem without what belongs to a request. */
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
  /** A job whose worker does not report for this long goes to another, milliseconds. */
  readonly leaseMs?: number;
  /** Pause between looks into an empty queue, milliseconds. */
  readonly pollMs?: number;
  /** Pauses before a job that met a passing fault is tried again, milliseconds; after the last it has failed. */
  readonly retryMs?: readonly number[];
}

/** Carries out the jobs of the queue. */
export interface JobRunner {
  /** Takes no further job, hands those under way back to the queue, and resolves when none runs. */
  stop(): Promise<void>;
}

type Parts = Pick<Services, "catalog" | "renderer" | "results" | "jobs" | "log">;

/** Why a job's work was ended: its own signal's reason. */
class JobEnd extends Error {
  override readonly name = "JobEnd";
  readonly why: "timeout" | "lease-lost" | "stopping";
  constructor(why: JobEnd["why"]) {
    super(`The job was ended: ${why}.`);
    this.why = why;
  }
}

export function startJobRunner(parts: Parts, options: JobRunnerOptions = {}): JobRunner {
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

/** Carries one job out. Never rejects: what goes wrong is the job's outcome, or is logged. */
async function carryOut(
  parts: Parts,
  job: JobRecord,
  { worker, jobMs, leaseMs, retryMs, controller }: Run,
): Promise<void> {
  const { jobs, results, log } = parts;
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
    const tryOnce = (): Promise<Outcome> => outcomeOf(parts, job.request, { signal, onProgress });
    const { result, places } = await persistently(tryOnce, retryMs, signal);
    const published = await jobs.finish(job.id, worker, { result });
    if (!published) await Promise.all(places.map((place) => results.remove(place)));
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

/** Longest time to wait, seconds, that a fault may name and still pass while a job goes on: a full disk says a minute. */
const PASSING_SECONDS = 30;

function isPassing(error: unknown): boolean {
  const known = translateError(error);
  if (!(known instanceof ProblemError) || known.code !== "upstream-unavailable") return false;
  return known.retryAfter !== undefined && known.retryAfter <= PASSING_SECONDS;
}

/** Tries work again after each pause while an upstream is away: nobody waits at the other end who could. */
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

interface Outcome {
  /** What the queue keeps. */
  readonly result: unknown;
  /** Where its files lie. */
  readonly places: readonly string[];
}

/** Does the work of a job, of either kind. */
async function outcomeOf(parts: Parts, request: unknown, options: RunOptions): Promise<Outcome> {
  if (isDownloadJob(request)) {
    const facts = await runDownloadJob(parts, request, options);
    return { result: facts, places: placesOf(facts) };
  }
  const done = await runProcess(parts, readProcess(ProcessRequest.parse(request), JOB_CAPS), options);
  await parts.results.publish(done.id, done.plan.filename);
  const result: JobResult = {
    files: [fileFacts(done)],
    itemsUsed: done.extraction.used,
    itemsSkipped: done.skipped,
  };
  return { result, places: [done.id] };
}

async function fail(
  { jobs, log }: Parts,
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
      : translateError(error);
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
