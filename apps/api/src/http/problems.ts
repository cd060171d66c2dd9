import { PROBLEM_MEDIA_TYPE, ProblemError, problemHeaders, toProblem } from "@swath/problem";
import { HTTPException } from "hono/http-exception";
import { translateError } from "../errors/translate.ts";
import type { AppContext } from "./context.ts";
import { ClientClosedError, DeadlineError } from "./request-scope.ts";

/** Cache rules of errors: that nothing is read at an address may be cached for a minute, nothing else. */
function cacheControl(error: unknown, method: string): string {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && error instanceof ProblemError && error.code === "not-found" ? "max-age=60" : "no-store";
}

/**
 * The path of a request as RFC 3986 writes it: as it was sent (the path of the router is decoded), with the characters
 * encoded that an address may not hold though URLs of browsers do, a stray "%" among them.
 */
function instanceOf(url: string): string {
  const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return new URL(url).pathname.replace(/%(?![0-9A-Fa-f]{2})|["<>[\]\\^`{|}]/g, encoded);
}

/** The answer to a failed request. Unknown errors are logged whole and answered `internal`, without their message. */
export function problemResponse(error: unknown, c: AppContext): Response {
  const reason = c.get("signal")?.aborted === true ? c.get("signal").reason : undefined;
  const isTimeout = error instanceof ProblemError && error.code === "render-timeout";
  const known =
    reason instanceof DeadlineError && !isTimeout
      ? new ProblemError("render-timeout", reason.message, { cause: error })
      : error instanceof HTTPException && error.status === 404
        ? new ProblemError("not-found", "Nothing is served at this address.", { cause: error })
        : translateError(error);
  if (reason instanceof ClientClosedError) {
    // nobody reads this answer; 499 is what the log calls it
    return new Response(null, { status: 499 });
  }
  if (!(known instanceof ProblemError)) c.get("log")?.error({ err: error }, "unexpected error");
  else if (known.status >= 500) c.get("log")?.warn({ err: error, code: known.code }, "request failed");
  const problem = toProblem(known, {
    baseUrl: c.get("baseUrl"),
    instance: instanceOf(c.req.url),
    requestId: c.get("requestId"),
  });
  const text = JSON.stringify(problem);
  return new Response(text, {
    status: problem.status,
    headers: {
      "Cache-Control": cacheControl(known, c.req.method),
      "Content-Type": PROBLEM_MEDIA_TYPE,
      "Content-Length": String(Buffer.byteLength(text)),
      ...problemHeaders(known),
    },
  });
}
