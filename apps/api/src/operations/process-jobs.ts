import type { HeldUnits } from "@swath/accounts";
import { prepare } from "@swath/engine/node";
import { type FileFacts, fileFacts } from "@swath/engine/node/jobs";
import type { JobRecord } from "@swath/store/jobs";
import { findJob } from "@swath/store/jobs";
import { extractionRequest, PROCESS_MEMBERS, ProcessRequest } from "../bodies/process.ts";
import type { ServiceJobKind } from "../errors/job-fault.ts";
import type { PartMakers } from "../open/open-part-makers.ts";
import type { ExtractionParts, JobParts } from "./services.ts";

const KIND = "process";

/** The result of a finished job that the queue keeps. */
export interface ProcessJobResult {
  readonly files: readonly FileFacts[];
  readonly itemsUsed: readonly string[];
  readonly itemsSkipped: readonly string[];
}

/** The services that carry out jobs of files: their files are published. */
export interface ProcessJobServices extends Omit<ExtractionParts, "resultLinks"> {
  /** Make large files in parts, on all nodes; absent: this node makes the whole. */
  readonly partMakers?: Pick<PartMakers, "of">;
}

/** Process requests in the background, with the caps of jobs. */
export function processJobs(services: ProcessJobServices): ServiceJobKind {
  return {
    name: KIND,
    members: PROCESS_MEMBERS,
    async run(request, options) {
      const fileParts = services.partMakers?.of(options.id);
      const prepared = await prepare(
        { ...services, ...(fileParts === undefined ? {} : { fileParts }) },
        extractionRequest(ProcessRequest.parse(request)),
        options,
      );
      const done = await prepared.run(options);
      if (done.isPublished !== true) await services.results.publish(done.id, done.plan.filename);
      const result: ProcessJobResult = {
        files: [fileFacts(done)],
        itemsUsed: done.extraction.used,
        itemsSkipped: done.skipped,
      };
      return { result, resultIds: [done.id], fileBytes: done.extraction.bytes };
    },
  };
}

/**
 * Checks a process request, its scenes included, and queues it. Units are reserved before anything of a scene is read.
 *
 * @throws {ProblemError} with what is wrong with the request, what `hold` throws, or `concurrency-limit`.
 */
export async function submitProcess(
  services: ProcessJobServices & Pick<JobParts, "jobs">,
  { owner, account }: JobSubmitter,
  request: ProcessRequest,
  { signal, hold }: SubmitOptions,
): Promise<JobRecord> {
  const { jobs } = services;
  const prepared = await prepare(services, extractionRequest(request), { signal });
  const held = await hold(prepared.units, prepared.fileBytes);
  try {
    await prepared.check({ signal });
    signal.throwIfAborted();
    return await jobs.submit({
      owner,
      kind: KIND,
      request,
      ...(account === undefined ? {} : { account }),
      ...(held === undefined ? {} : { charge: held.charge }),
    });
  } catch (error) {
    // a job that was accepted all the same, though the connection broke, is the answer; its units stay reserved
    const accepted = held === undefined ? undefined : await jobs.find(held.charge.id, owner);
    if (accepted !== undefined && !signal.aborted) return accepted;
    if (accepted === undefined) await held?.release();
    throw error;
  }
}

interface SubmitOptions {
  readonly signal: AbortSignal;
  /** Reserves the units that the job costs, and the bytes of its file; undefined where jobs are not charged. */
  readonly hold: (units: number, fileBytes: number) => Promise<HeldUnits | undefined>;
}

/** The caller who submits a job. */
export interface JobSubmitter {
  /** The identity that sees it. */
  readonly owner: string;
  /** The account whose jobs it counts among; undefined for keys of the service's owner. */
  readonly account: string | undefined;
}

/** The owner's process job; `undefined` for an unknown id, an expired job and the job of somebody else. */
export function findProcessJob(services: Pick<JobParts, "jobs" | "now">, id: string, owner: string) {
  return findJob(services, KIND, id, owner);
}
