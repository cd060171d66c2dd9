import type { JobKind } from "../jobs/kinds.ts";
import type { JobRecord } from "../jobs/queue.ts";
import { JOB_CAPS } from "../plan/output-grid.ts";
import { ProcessRequest } from "../plan/process-request.ts";
import type { Services } from "../services.ts";
import { type FileFacts, fileFacts } from "./file-facts.ts";
import { findJob } from "./jobs.ts";
import { type ProcessServices, runProcess } from "./process.ts";
import { planProcess, readProcess } from "./process-plan.ts";

const KIND = "process";

/** What the queue keeps of a finished job. */
export interface ProcessJobResult {
  readonly files: readonly FileFacts[];
  readonly itemsUsed: readonly string[];
  readonly itemsSkipped: readonly string[];
}

/** Process requests in the background, with the caps of jobs. */
export function processJobs(services: ProcessServices): JobKind {
  return {
    name: KIND,
    async run(request, options) {
      const done = await runProcess(
        services,
        readProcess(ProcessRequest.parse(request), JOB_CAPS, services.registry),
        options,
      );
      await services.results.publish(done.id, done.plan.filename);
      const result: ProcessJobResult = {
        files: [fileFacts(done)],
        itemsUsed: done.extraction.used,
        itemsSkipped: done.skipped,
      };
      return { result, resultIds: [done.id] };
    },
  };
}

/**
 * Checks a process request, its scenes included, and queues it.
 *
 * @throws {ProblemError} with what is wrong with the request, or `concurrency-limit`.
 */
export async function submitProcess(
  {
    catalog,
    angles,
    registry,
    jobs,
    sceneDocuments,
  }: Pick<Services, "catalog" | "angles" | "registry" | "jobs" | "sceneDocuments">,
  owner: string,
  request: ProcessRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<JobRecord> {
  const planned = readProcess(request, JOB_CAPS, registry);
  await planProcess({ catalog, angles, sceneDocuments }, planned, { signal });
  return jobs.submit({ owner, kind: KIND, request });
}

/** The owner's process job; `undefined` for an unknown id, an expired job and the job of somebody else. */
export function findProcessJob(services: Pick<Services, "jobs" | "now">, id: string, owner: string) {
  return findJob(services, KIND, id, owner);
}
