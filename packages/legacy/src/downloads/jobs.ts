import { Refusal, type RefusalCode } from "@swath/engine";
import { FILE_CAPS } from "@swath/engine/node/jobs";
import { findJob, type JobKind, type JobRecord } from "@swath/store/jobs";
import { LegacyError } from "../errors.ts";
import type { DownloadParts, LegacyService } from "../service.ts";
import { prepareDownload, readDownload } from "./plan.ts";
import { DownloadRequest } from "./request.ts";
import { type DownloadFacts, runDownload } from "./run.ts";

const KIND = "download";

/** A queued download as the queue keeps it. Nodes of an earlier release recognize the kind by this one member. */
interface StoredDownload {
  readonly download: DownloadRequest;
}

const CODES: Readonly<Record<number, RefusalCode>> = { 404: "not-found", 502: "upstream-unavailable" };

/** Downloads in the background, with the caps of jobs. */
export function downloadJobs(parts: DownloadParts): JobKind {
  return {
    name: KIND,
    async run(request, options) {
      const download = DownloadRequest.parse((request as StoredDownload).download);
      try {
        const facts = await runDownload(parts, readDownload(download, FILE_CAPS, parts.registry), options);
        return { result: facts, resultIds: resultIdsOf(facts), fileBytes: bytesOf(facts) };
      } catch (error) {
        if (!(error instanceof LegacyError)) throw error;
        // the catalog has changed since the request was checked
        throw new Refusal(CODES[error.status] ?? "invalid", [], error.message, { cause: error });
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
  service: LegacyService,
  owner: string,
  download: DownloadRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<JobRecord> {
  await prepareDownload(service, readDownload(download, FILE_CAPS, service.registry), { signal });
  return service.jobs.submit({ owner, kind: KIND, request: { download } satisfies StoredDownload });
}

/** The owner's download; `undefined` for an unknown id, an expired job and the job of another identity. */
export function findDownloadJob(services: Pick<LegacyService, "jobs" | "now">, id: string, owner: string) {
  return findJob(services, KIND, id, owner);
}

function bytesOf({ files }: DownloadFacts): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function resultIdsOf({ files, preview }: DownloadFacts): readonly string[] {
  return [...files.map(({ result }) => result), ...(preview === undefined ? [] : [preview.result])];
}
