import { JOB_CAPS } from "@swath/engine";
import type { JobRecord } from "@swath/store";
import type { ServiceJobKind } from "../../../../apps/api/src/errors/job-fault.ts";
import { type ProblemCode, ProblemError } from "../../../../apps/api/src/errors/problems.ts";
import { findJob } from "../../../../apps/api/src/operations/jobs.ts";
import type { ProcessJobServices } from "../../../../apps/api/src/operations/process-jobs.ts";
import type { Services } from "../../../../apps/api/src/operations/services.ts";
import { LegacyError } from "../errors.ts";
import { planDownload, readDownload } from "./plan.ts";
import { DownloadRequest } from "./request.ts";
import { type DownloadFacts, runDownload } from "./run.ts";

const KIND = "download";

/** A queued download as the queue keeps it. Nodes of an earlier release recognize the kind by this one member. */
interface StoredDownload {
  readonly download: DownloadRequest;
}

const CODES: Readonly<Record<number, ProblemCode>> = { 404: "not-found", 502: "upstream-unavailable" };

/** Downloads in the background, with the caps of jobs. */
export function downloadJobs(services: ProcessJobServices): ServiceJobKind {
  return {
    name: KIND,
    async run(request, options) {
      const download = DownloadRequest.parse((request as StoredDownload).download);
      try {
        const facts = await runDownload(services, readDownload(download, JOB_CAPS, services.registry), options);
        return { result: facts, resultIds: resultIdsOf(facts), fileBytes: bytesOf(facts) };
      } catch (error) {
        if (!(error instanceof LegacyError)) throw error;
        // the catalog has changed since the request was checked
        throw new ProblemError(CODES[error.status] ?? "invalid-body", error.message, { cause: error });
      }
    },
  };
}

/**
 * Checks a download, its scenes included, and queues it.
 *
 * @throws {LegacyError} or {ProblemError} with what is wrong with the request.
 */
export async function submitDownload(
  { catalog, registry, jobs }: Pick<Services, "catalog" | "registry" | "jobs">,
  owner: string,
  download: DownloadRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<JobRecord> {
  await planDownload(catalog, readDownload(download, JOB_CAPS, registry), { signal });
  return jobs.submit({ owner, kind: KIND, request: { download } satisfies StoredDownload });
}

/** The owner's download; `undefined` for an unknown id, an expired job and the job of another identity. */
export function findDownloadJob(services: Pick<Services, "jobs" | "now">, id: string, owner: string) {
  return findJob(services, KIND, id, owner);
}

function bytesOf({ files }: DownloadFacts): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function resultIdsOf({ files, preview }: DownloadFacts): readonly string[] {
  return [...files.map(({ result }) => result), ...(preview === undefined ? [] : [preview.result])];
}
