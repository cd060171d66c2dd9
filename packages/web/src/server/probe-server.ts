import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { problemHeaders, toProblem } from "@swath/problem";
import { JSON_TYPE } from "../media-types.ts";
import { RequestProblem } from "../problems.ts";

/** The answer of `/live`: that the process answers. */
export const LIVE = { status: "live" } as const;

/** Longest request line with its headers, bytes. */
const MAX_HEADER_BYTES = 8192;

async function answerTo(method: string, path: string, readiness: () => Promise<object>): Promise<object> {
  if (path !== "/live" && path !== "/ready") {
    throw new RequestProblem("not-found", "Nothing is served here but /live and /ready.");
  }
  if (method !== "GET" && method !== "HEAD") {
    throw new RequestProblem("method-not-allowed", `${path} takes GET, HEAD, not ${method}.`, {
      headers: { Allow: "GET, HEAD" },
    });
  }
  return path === "/live" ? LIVE : readiness();
}

/**
 * A server of `/live` and `/ready` alone, for supervisors of a process that answers no other requests, such as a worker.
 * It does not listen yet.
 *
 * @param readiness gives the answer of `/ready`; an error of it is answered as a problem
 * @param baseUrl address below which the pages on problems are.
 */
export function createProbeServer(readiness: () => Promise<object>, baseUrl: string): Server {
  return createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    const { method = "GET", url = "" } = request;
    const path = url.split("?")[0] ?? "";
    const send = (status: number, headers: Readonly<Record<string, string>>, body: object): void => {
      const text = JSON.stringify(body);
      const length = Buffer.byteLength(text);
      response.writeHead(status, { ...headers, "Content-Length": length, "Cache-Control": "no-store" });
      response.end(method === "HEAD" ? undefined : text);
    };
    answerTo(method, path, readiness).then(
      (body) => send(200, { "Content-Type": JSON_TYPE }, body),
      (error: unknown) => {
        const problem = toProblem(error, { baseUrl, instance: path, requestId: randomUUID() });
        send(problem.status, problemHeaders(error), problem);
      },
    );
  });
}
