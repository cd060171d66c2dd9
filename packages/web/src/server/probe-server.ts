import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { PROBLEM_MEDIA_TYPE, toProblem } from "@swath/problem";
import { ProblemError } from "../../../../apps/api/src/errors/problems.ts";
import type { Readiness } from "../../../../apps/api/src/operations/readiness.ts";
import { JSON_TYPE, NO_STORE } from "../../../../apps/api/src/http/answer/documents.ts";

/** What `/live` says: that the process answers. */
export const LIVE = { status: "live" } as const;

/** Longest request line with its headers, bytes. */
const MAX_HEADER_BYTES = 8192;

async function answerTo(
  method: string,
  path: string,
  readiness: () => Promise<Readiness>,
): Promise<typeof LIVE | Readiness> {
  if (path !== "/live" && path !== "/ready") {
    throw new ProblemError("not-found", "Nothing is served here but /live and /ready.");
  }
  if (method !== "GET" && method !== "HEAD") {
    throw new ProblemError("method-not-allowed", `${path} takes GET, HEAD, not ${method}.`, {
      headers: { Allow: "GET, HEAD" },
    });
  }
  return path === "/live" ? LIVE : readiness();
}

/**
 * A server of `/live` and `/ready` alone, for supervisors of a process that answers no other requests, such as a worker.
 * It does not listen yet.
 *
 * @param baseUrl where the pages on problems are.
 */
export function createProbeServer(readiness: () => Promise<Readiness>, baseUrl: string): Server {
  return createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    const { method = "GET", url = "" } = request;
    const path = url.split("?")[0] ?? "";
    const send = (status: number, type: string, body: object, headers: Readonly<Record<string, string>> = {}): void => {
      const text = JSON.stringify(body);
      response.writeHead(status, {
        ...headers,
        "Content-Type": type,
        "Content-Length": Buffer.byteLength(text),
        "Cache-Control": NO_STORE,
      });
      response.end(method === "HEAD" ? undefined : text);
    };
    answerTo(method, path, readiness).then(
      (body) => send(200, JSON_TYPE, body),
      (error: unknown) => {
        const problem = toProblem(error, { baseUrl, instance: path, requestId: randomUUID() });
        send(problem.status, PROBLEM_MEDIA_TYPE, problem, {
          ...(error instanceof ProblemError ? error.headers : {}),
          ...(problem.retryAfter === undefined ? {} : { "Retry-After": String(problem.retryAfter) }),
        });
      },
    );
  });
}
