import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROBLEM_MEDIA_TYPE, toProblem } from "@swath/problem";
import { RequestProblem } from "@swath/web";
import { Hono } from "hono";
import { getConnInfo, handle } from "hono/aws-lambda";
import { ProblemError } from "./errors/problems.ts";
import { openRegistry } from "./open/collection-files.ts";
import { type Environment, EnvironmentError, parseEnvironment } from "./open/environment/environment.ts";
import { openRenderer } from "./open/open-renderer.ts";
import type { Services } from "./operations/services.ts";
import { createApp } from "./service/app.ts";
import { openOutput } from "./service/log.ts";
import { openParts } from "./service/parts.ts";
import { PROFILES } from "./service/profiles/profiles.ts";

/** Settings where the owner sets none: the one folder that a function may write to, and caches that fit into 1769 MB. */
const DEFAULTS = {
  SWATH_DATA_DIR: join(tmpdir(), "swath"),
  SWATH_BLOCK_CACHE_MB: "256",
  SWATH_TILE_CACHE_MB: "64",
  SWATH_LOG_FORMAT: "json",
};
/** Settings of each function: it answers everybody, one request at a time. */
const FIXED = { HOST: "0.0.0.0", SWATH_ROLE: "api", SWATH_WORKERS: "0" };

/** Most bytes of an answer: the interface takes 6 MiB, in which bytes are written as Base64. */
const MAX_ANSWER_BYTES = 4_500_000;

const JOBS_DETAIL = "Background jobs are carried out by workers, of which this service has none.";

/** @throws {EnvironmentError} for a service that an instance which may end at any time cannot be. */
function readEnvironment(): Environment {
  const environment = parseEnvironment({ ...DEFAULTS, ...process.env, ...FIXED });
  if (environment.upstreamUrl === undefined || environment.archive !== undefined) {
    throw new EnvironmentError("A function serves no folder: set SWATH_UPSTREAM_URL, and no SWATH_ARCHIVE");
  }
  return environment;
}

/** Refuses jobs where no worker finds them: state in a folder of the instance is nobody else's. */
function jobsOf({ databaseUrl }: Environment, jobs: Services["jobs"]): Services["jobs"] {
  if (databaseUrl !== undefined) return jobs;
  const refused = new RequestProblem("method-not-allowed", JOBS_DETAIL, { headers: { Allow: "GET, HEAD" } });
  return { ...jobs, submit: () => Promise.reject(refused) };
}

/** The same answer, or a problem in place of one that the interface would refuse. */
async function bounded(answer: Response, { url }: Request): Promise<Response> {
  const body = await answer.arrayBuffer();
  if (body.byteLength <= MAX_ANSWER_BYTES) return new Response(body.byteLength === 0 ? null : body, answer);
  const detail = `This service sends at most ${MAX_ANSWER_BYTES} bytes at once: ask for less, or for parts of a file by Range.`;
  const error = new ProblemError("output-too-large", detail, { limits: { maxBytes: MAX_ANSWER_BYTES } });
  const requestId = answer.headers.get("X-Request-Id") ?? randomUUID();
  const { origin, pathname } = new URL(url);
  const problem = toProblem(error, { baseUrl: origin, instance: pathname, requestId });
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Disposition", "Content-Encoding", "Content-Length", "ETag"]) headers.delete(name);
  headers.set("Content-Type", PROBLEM_MEDIA_TYPE);
  headers.set("Cache-Control", "no-store");
  return Response.json(problem, { status: problem.status, headers });
}

const environment = readEnvironment();
const renderer = openRenderer(environment, openRegistry(environment));
const parts = await openParts(environment, { renderer, ...(await openOutput(environment)) });
for (const line of parts.unreadable) parts.services.log.warn(`no files of ${line}`);
const services: Services = { ...parts.services, jobs: jobsOf(environment, parts.services.jobs) };
const app = createApp(services, PROFILES[environment.profile](services));

/** Answers requests of a function URL or an HTTP API of AWS Lambda. */
export const handler = handle(
  new Hono().all("*", async (c) => {
    const { address } = getConnInfo(c).remote;
    const incoming = { socket: address === undefined ? {} : { remoteAddress: address } };
    const answer = await bounded(await app.fetch(c.req.raw, { incoming }), c.req.raw);
    // between two requests the instance is frozen, and may end without a word
    await parts.flush();
    return answer;
  }),
);
