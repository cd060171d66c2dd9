import { Refusal } from "@swath/engine";
import { PROBLEM_MEDIA_TYPE, type Problem, problemHeaders, toProblem } from "@swath/problem";
import { HTTPException } from "hono/http-exception";
import { ProblemError } from "../../errors/problems.ts";
import { translateError } from "../../errors/translate.ts";
import type { AppContext } from "../request/context.ts";
import { ClientClosedError, DeadlineError } from "../../../../../packages/web/src/request/request-scope.ts";

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

/** What a failure is to its client; unknown errors stay as they are. */
function knownError(error: unknown, c: AppContext): unknown {
  const reason = c.get("signal")?.aborted === true ? c.get("signal").reason : undefined;
  const isTimeout = (error instanceof ProblemError || error instanceof Refusal) && error.code === "render-timeout";
  if (reason instanceof DeadlineError && !isTimeout) {
    return new ProblemError("render-timeout", reason.message, { cause: error });
  }
  if (error instanceof HTTPException && error.status === 404) {
    return new ProblemError("not-found", "Nothing is served at this address.", { cause: error });
  }
  return translateError(error, c.get("members"));
}

/** The problem document of a failure, which is logged; unknown errors whole, and `internal` without their message. */
export function problemDocument(error: unknown, c: AppContext): { readonly known: unknown; readonly problem: Problem } {
  const known = knownError(error, c);
  if (!(known instanceof ProblemError)) c.get("log")?.error({ err: error }, "unexpected error");
  // 501 is what a client asked for, not a failure
  else if (known.status >= 500 && known.status !== 501)
    c.get("log")?.warn({ err: error, code: known.code }, "request failed");
  if (known instanceof ProblemError) c.set("problemCode", known.code);
  const problem = toProblem(known, {
    baseUrl: c.get("baseUrl"),
    instance: instanceOf(c.req.url),
    requestId: c.get("requestId"),
  });
  return { known, problem };
}

/** The answer to a failed request. */
export function problemResponse(error: unknown, c: AppContext): Response {
  if (c.get("signal")?.aborted === true && c.get("signal").reason instanceof ClientClosedError) {
    // nobody reads this answer; 499 is what the log calls it
    return new Response(null, { status: 499 });
  }
  const { known, problem } = problemDocument(error, c);
  const { body, mediaType } = c.get("problemForm")?.(problem) ?? { body: problem, mediaType: PROBLEM_MEDIA_TYPE };
  const text = JSON.stringify(body);
  return new Response(text, {
    status: problem.status,
    headers: {
      "Cache-Control": cacheControl(known, c.req.method),
      ...problemHeaders(known),
      // the form may have another media type than problem documents
      "Content-Type": mediaType,
      "Content-Length": String(Buffer.byteLength(text)),
    },
  });
}
