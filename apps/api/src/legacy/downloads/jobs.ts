import { type ProblemCode, ProblemError } from "@swath/problem";
import { JOB_CAPS } from "../../process/output-grid.ts";
import { LegacyError } from "../errors.ts";
import { readDownload } from "./plan.ts";
import { DownloadRequest } from "./request.ts";
import { type DownloadFacts, type Parts, type RunOptions, runDownload } from "./run.ts";

/** What the queue keeps of a download that waits: told from requests of the other kind by its one member. */
export interface DownloadJobRequest {
  readonly download: DownloadRequest;
}

export function isDownloadJob(request: unknown): request is DownloadJobRequest {
  return typeof request === "object" && request !== null && "download" in request;
}

const CODES: Readonly<Record<number, ProblemCode>> = { 404: "not-found", 502: "upstream-unavailable" };

/**
 * Carries a download out in the background, with the caps of jobs.
 *
 * @throws {ProblemError}
 */
export async function runDownloadJob(
  parts: Parts,
  { download }: DownloadJobRequest,
  options: RunOptions,
): Promise<DownloadFacts> {
  try {
    return await runDownload(parts, readDownload(DownloadRequest.parse(download), JOB_CAPS), options);
  } catch (error) {
    if (!(error instanceof LegacyError)) throw error;
    // the catalog has changed since the request was checked
    throw new ProblemError(CODES[error.status] ?? "invalid-body", error.message, { cause: error });
  }
}

/** Places of its files, for a job that turns out not to be this worker's any more. */
export function placesOf({ files, preview }: DownloadFacts): readonly string[] {
  return [...files.map(({ result }) => result), ...(preview === undefined ? [] : [preview.result])];
}
