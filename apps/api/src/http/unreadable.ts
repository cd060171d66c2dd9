import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { PROBLEM_MEDIA_TYPE, ProblemError, toProblem } from "@swath/problem";

/** Room for a request line and its headers, bytes: a polygon of some hundred vertices fits into a GET. */
export const MAX_HEADER_BYTES = 65_536;

/**
 * Answers what is no HTTP request, or one whose head is too long, as a problem document: Node's own answer has no body
 * and no CORS headers. Listens to `clientError` of a server.
 *
 * @param baseUrl where the pages on problems are; the request's own host could not be read.
 */
export function refuseUnreadable(baseUrl: string): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const detail =
      error.code === "HPE_HEADER_OVERFLOW"
        ? `The address and headers of a request may have ${MAX_HEADER_BYTES} bytes; send long parameters in the body of a POST.`
        : "This is no HTTP request that can be read.";
    const requestId = randomUUID();
    const problem = toProblem(new ProblemError("invalid-parameter", detail), { baseUrl, requestId });
    const text = JSON.stringify(problem);
    const head = [
      `HTTP/1.1 ${problem.status} Bad Request`,
      `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      "Cache-Control: no-store",
      "Access-Control-Allow-Origin: *",
      "Access-Control-Expose-Headers: X-Request-Id",
      `X-Request-Id: ${requestId}`,
      "Connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
  };
}
