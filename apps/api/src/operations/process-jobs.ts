import {
  findProcessScenes,
  mostBytesOf,
  type ProcessServices,
  planProcess,
  readProcess,
  runProcess,
  unitsOf,
} from "@swath/engine/node";
import { extractionRequest, PROCESS_MEMBERS, ProcessRequest } from "../bodies/process.ts";
import type { JobKind } from "../jobs/kinds.ts";
import type { JobRecord } from "../jobs/queue.ts";
import type { HeldUnits } from "../metering/admission.ts";
import type { Services } from "../services.ts";
import { type FileFacts, fileFacts } from "./file-facts.ts";
import { findJob } from "./jobs.ts";

const KIND = "process";

/** What the queue keeps of a finished job. */
export interface ProcessJobResult {
  readonly files: readonly FileFacts[];
  readonly itemsUsed: readonly string[];
  readonly itemsSkipped: readonly string[];
}

/** What carrying out jobs of files needs: their files are published. */
export type ProcessJobServices = Pick<ProcessServices, Exclude<keyof ProcessServices, "results">> &
  Pick<Services, "results">;

/** Process requests in the background, with the caps of jobs. */
export function processJobs(services: ProcessJobServices): JobKind {
  return {
    name: KIND,
    members: PROCESS_MEMBERS,
    async run(request, options) {
      const done = await runProcess(
        services,
        readProcess(extractionRequest(ProcessRequest.parse(request), "job"), services.registry),
        options,
      );
      await services.results.publish(done.id, done.plan.filename);
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
  {
    catalog,
    angles,
    registry,
    jobs,
    sceneDocuments,
  }: Pick<Services, "catalog" | "angles" | "registry" | "jobs" | "sceneDocuments">,
  { owner, account }: JobSubmitter,
  request: ProcessRequest,
  { signal, hold }: SubmitOptions,
): Promise<JobRecord> {
  const planned = readProcess(extractionRequest(request, "job"), registry);
  const scenes = await findProcessScenes(catalog, planned, { signal });
  const held = await hold(unitsOf(scenes.spec), mostBytesOf(scenes.spec));
  try {
    await planProcess({ angles, sceneDocuments }, scenes, { signal });
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

/** Who submits a job. */
export interface JobSubmitter {
  /** The identity that sees it. */
  readonly owner: string;
  /** The account whose jobs it counts among; undefined for keys of the service's owner. */
  readonly account: string | undefined;
}

/** The owner's process job; `undefined` for an unknown id, an expired job and the job of somebody else. */
export function findProcessJob(services: Pick<Services, "jobs" | "now">, id: string, owner: string) {
  return findJob(services, KIND, id, owner);
}
