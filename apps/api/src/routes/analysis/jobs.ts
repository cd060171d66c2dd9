import { z } from "@hono/zod-openapi";
import { fromUnits, type HeldUnits, toUnits } from "@swath/accounts";
import { DATA } from "@swath/accounts/hono";
import { Problem, toProblem } from "@swath/problem";
import { Link } from "@swath/stac";
import type { JobRecord } from "@swath/store/jobs";
import { isUnfinished } from "@swath/store/jobs";
import { MAX_PROCESS_BYTES, PROCESS_MEMBERS, type ProcessMath, processRequestModel } from "../../bodies/process.ts";
import { JSON_TYPE } from "../../documents/media-types.ts";
import type { JobProblem } from "../../errors/job-fault.ts";
import { ProblemError } from "../../errors/problems.ts";
import { NO_STORE } from "../../http/answer/documents.ts";
import type { AppContext } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { findProcessJob, type ProcessJobResult, submitProcess } from "../../operations/process-jobs.ts";
import type { JobParts } from "../../operations/services.ts";

/** Seconds between polls that a client is asked for. */
const RETRY_AFTER = "2";

const nullableNumbers = z.array(z.number().nullable());
export const ProcessFile = z
  .object({
    url: z.string().openapi({ format: "uri", description: "Signed link of one hour, made anew with every poll." }),
    expires: z.string().openapi({ format: "date-time" }),
    filename: z.string(),
    bytes: z.int(),
    bands: z.array(z.string()),
    dtype: z.string(),
    scales: nullableNumbers.openapi({ description: "value = scale × sample + offset; null where scenes differ." }),
    offsets: nullableNumbers,
    nodata: z
      .union([z.number(), z.literal("nan")])
      .nullable()
      .openapi({ description: "`null`: the mask of the file says which pixels are data; without a mask all are." }),
    width: z.int(),
    height: z.int(),
    crs: z.string(),
    bounds: z.array(z.number()),
    transform: z.array(z.number()),
    attribution: z.string(),
  })
  .meta({ id: "ProcessFile" });

export const ProcessJob = z
  .object({
    id: z.string(),
    status: z.enum(["queued", "running", "done", "failed"]),
    created: z.string().openapi({ format: "date-time" }),
    updated: z.string().openapi({ format: "date-time" }),
    progress: z.number().min(0).max(1),
    files: z.array(ProcessFile).optional(),
    items_used: z.array(z.string()).optional().openapi({ description: "Scenes that gave pixels." }),
    items_skipped: z.array(z.string()).optional().openapi({ description: "Scenes that can't be read, left out." }),
    error: Problem.optional(),
    links: z.array(Link),
  })
  .meta({ id: "ProcessJob", description: "A background job." });

const MeteredJob = ProcessJob.extend({
  units: z
    .number()
    .optional()
    .openapi({ description: "Units that the job costs when it is done; 0 where it has failed." }),
}).meta({ id: "ProcessJob", description: "A background job." });

function jobDocument(c: AppContext, job: JobRecord, services: JobParts): z.infer<typeof MeteredJob> {
  const baseUrl = c.get("baseUrl");
  const self = `${baseUrl}/v1/process/jobs/${job.id}`;
  const result = job.status === "done" ? (job.result as ProcessJobResult) : undefined;
  const fault = job.status === "failed" ? (job.error as JobProblem) : undefined;
  const files = result?.files.map(({ result: id, ...facts }) => {
    const { href, expires } = services.resultLinks.sign(baseUrl, id, facts.filename, services.now());
    return {
      url: href,
      ...facts,
      bands: [...facts.bands],
      scales: [...facts.scales],
      offsets: [...facts.offsets],
      bounds: [...facts.bounds],
      transform: [...facts.transform],
      expires: new Date(expires).toISOString(),
    };
  });
  const skipped = result?.itemsSkipped ?? [];
  return {
    id: job.id,
    status: job.status,
    created: new Date(job.created).toISOString(),
    updated: new Date(job.updated).toISOString(),
    progress: job.status === "done" ? 1 : job.progress,
    ...(job.charge === undefined
      ? {}
      : { units: job.status === "failed" ? 0 : fromUnits((job.charge as HeldUnits["charge"]).units) }),
    ...(files === undefined ? {} : { files }),
    ...(result === undefined ? {} : { items_used: [...result.itemsUsed] }),
    ...(skipped.length === 0 ? {} : { items_skipped: [...skipped] }),
    ...(fault === undefined ? {} : { error: toProblem(problemOf(fault), { baseUrl }) }),
    links: [
      { rel: "self", href: self, type: JSON_TYPE, title: "This job" },
      ...(files ?? []).map(({ url, filename }) => ({ rel: "result", href: url, type: "image/tiff", title: filename })),
    ],
  };
}

function problemOf({ code, detail, errors, limits, retryAfter }: JobProblem): ProblemError {
  return new ProblemError(code, detail, {
    ...(errors === undefined ? {} : { errors }),
    ...(limits === undefined ? {} : { limits }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** @param options.units whether documents have the units that a job costs. */
export function registerJobs(
  router: Router,
  services: JobParts,
  { units, ...math }: ProcessMath & { readonly units: "reported" | "none" },
): void {
  const content = { [JSON_TYPE]: { schema: units === "reported" ? MeteredJob : ProcessJob } };
  addRoute(
    router,
    {
      method: "post",
      path: "/v1/process/jobs",
      operationId: "createProcessJob",
      tag: "Rendering",
      summary: "An area as a GeoTIFF, in the background",
      description:
        "Takes the body of POST /v1/process, up to 20,000 pixels a side. The request is checked at once; poll the job until it is `done` or `failed`.",
      access: DATA,
      body: { json: processRequestModel(services.registry, math), maxBytes: MAX_PROCESS_BYTES },
      members: PROCESS_MEMBERS,
      problems: [404, 422, 504],
      responses: {
        202: {
          description: "The job waits.",
          headers: {
            Location: { description: "Address of the job.", schema: { type: "string", format: "uri" } },
            "Retry-After": { description: "Seconds until a poll makes sense.", schema: { type: "integer" } },
          },
          content,
        },
      },
    },
    async (c, { body }) => {
      const identity = c.get("identity");
      const submitter = { owner: identity.subject, account: identity.payer ?? identity.account };
      const job = await submitProcess(services, submitter, body, {
        signal: c.get("signal"),
        hold: (units, fileBytes) => c.get("meter").hold(toUnits(units), fileBytes),
      });
      const document = jobDocument(c, job, services);
      return Response.json(document, {
        status: 202,
        headers: {
          "Cache-Control": NO_STORE,
          Location: `${c.get("baseUrl")}/v1/process/jobs/${job.id}`,
          "Retry-After": RETRY_AFTER,
        },
      });
    },
  );
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/process/jobs/{jobId}",
      operationId: "getProcessJob",
      tag: "Rendering",
      summary: "State of a background job",
      description: "Only the key that made a job sees it. A job is kept for a day.",
      access: DATA,
      params: z.object({ jobId: z.string().openapi({ description: "Id of the job." }) }),
      responses: {
        200: {
          description: "The job.",
          headers: { "Retry-After": { description: "While the job goes on.", schema: { type: "integer" } } },
          content,
        },
      },
    },
    async (c, { params: { jobId } }) => {
      const job = await findProcessJob(services, jobId, c.get("identity").subject);
      if (job === undefined) {
        throw new ProblemError("not-found", `There is no job "${jobId}", or it has expired.`, {
          headers: { "Cache-Control": NO_STORE },
        });
      }
      return Response.json(jobDocument(c, job, services), {
        headers: { "Cache-Control": NO_STORE, ...(isUnfinished(job) ? { "Retry-After": RETRY_AFTER } : {}) },
      });
    },
  );
}
