import { isUnfinished, type JobRecord } from "@swath/store/jobs";
import { LINK_SECONDS } from "@swath/store/node";
import { readBounded, type WebContext } from "@swath/web";
import { LegacyError, tilesForm } from "../errors.ts";
import type { LegacyService } from "../service.ts";
import { findDownloadJob, submitDownload } from "./jobs.ts";
import { readDownload, SYNC_DOWNLOAD_CAPS } from "./plan.ts";
import { parseDownload } from "./request.ts";
import { type DownloadFacts, runDownload } from "./run.ts";

const MAX_BYTES = 1_048_576;
const RETRY_AFTER = "2";
const NO_STORE = { "Cache-Control": "no-store" };
const JOB = /^\/downloads\/jobs\/([^/]+)$/;

/** Serves `/downloads` and its jobs; undefined for other paths. */
export async function serveDownloads(
  c: WebContext,
  service: LegacyService,
  { path, root, caller }: { readonly path: string; readonly root: string; readonly caller: string },
): Promise<Response | undefined> {
  if (path === "/downloads" || path === "/downloads/jobs") {
    if (c.req.method !== "POST") throw notAllowed("POST, OPTIONS");
    const request = parseDownload(new TextDecoder().decode(await readBounded(c.req.raw, MAX_BYTES)));
    const signal = c.get("signal");
    if (path === "/downloads") {
      const facts = await runDownload(service, readDownload(request, SYNC_DOWNLOAD_CAPS, service.registry), {
        signal,
      });
      return c.json(answerOf(c, facts, service), 200, NO_STORE);
    }
    const job = await submitDownload(service, caller, request, { signal });
    const url = `${root}/downloads/jobs/${job.id}`;
    const body = { id: job.id, status: job.status, url, links: [{ rel: "self", href: url, type: "application/json" }] };
    return c.json(body, 202, { ...NO_STORE, Location: url, "Retry-After": RETRY_AFTER });
  }
  const id = JOB.exec(path)?.[1];
  if (id === undefined) return undefined;
  if (c.req.method !== "GET" && c.req.method !== "HEAD") throw notAllowed("GET, HEAD, OPTIONS");
  const job = await findDownloadJob(service, id, caller);
  if (job === undefined) throw LegacyError.detail(404, `There is no job "${id}".`);
  return c.json(jobDocument(c, job, service), 200, {
    ...NO_STORE,
    ...(isUnfinished(job) ? { "Retry-After": RETRY_AFTER } : {}),
  });
}

function notAllowed(allow: string): LegacyError {
  return new LegacyError(405, tilesForm(405, "Method Not Allowed"), { headers: { Allow: allow } });
}

function jobDocument(c: WebContext, job: JobRecord, service: LegacyService): Record<string, unknown> {
  const fault = job.status === "failed" ? (job.error as { readonly detail: string }) : undefined;
  return {
    id: job.id,
    status: job.status,
    created: new Date(job.created).toISOString(),
    updated: new Date(job.updated).toISOString(),
    result: job.status === "done" ? answerOf(c, job.result as DownloadFacts, service) : null,
    error: fault === undefined ? null : { detail: fault.detail },
  };
}

/** The answer of a download: what was written, with links that are good for an hour from now. */
function answerOf(c: WebContext, facts: DownloadFacts, service: LegacyService): Record<string, unknown> {
  const urlOf = (result: string, filename: string): string =>
    service.resultLinks.sign(c.get("baseUrl"), result, filename, service.now()).href;
  const files = facts.files.map(({ result, filename, ...rest }) => ({
    url: urlOf(result, filename),
    filename,
    ...rest,
  }));
  const [only] = files;
  const { preview, seconds, ...described } = facts;
  return {
    ...described,
    // a multiband answer repeats its one file
    ...(facts.output === "multiband" ? only : {}),
    files,
    ...(preview === undefined ? {} : { preview: previewOf(preview, urlOf) }),
    seconds,
    expires_in: LINK_SECONDS,
  };
}

function previewOf(
  { result, filename, width, height, valid_fraction }: NonNullable<DownloadFacts["preview"]>,
  urlOf: (result: string, filename: string) => string,
): Record<string, unknown> {
  return { url: urlOf(result, filename), width, height, valid_fraction };
}
