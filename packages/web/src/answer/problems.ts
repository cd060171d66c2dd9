import { PROBLEM_MEDIA_TYPE, type Problem, ProblemError, problemHeaders, toProblem } from "@swath/problem";
import type { Context } from "hono";
import type { WebContext, WebEnv } from "../context.ts";
import { isClosed } from "../request/request-scope.ts";

/** Makes the answers to failures. */
export interface ProblemAnswers<E extends WebEnv = WebEnv> {
  /** The problem document of a failure, which is logged: an unknown error whole, though its document does not have its message. */
  document(error: unknown, c: Context<E>): { readonly known: unknown; readonly problem: Problem };
  /** The answer to a failed request: its problem document, in the form of the route; 499 and nothing where the client has gone. */
  response(error: unknown, c: Context<E>): Response;
}

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

/**
 * Answers failures with problem documents.
 *
 * @param known turns a failure into the `ProblemError` for its client. Any other error becomes `internal`.
 */
export function problemAnswers<E extends WebEnv = WebEnv>(
  known: (error: unknown, c: Context<E>) => unknown,
): ProblemAnswers<E> {
  const document: ProblemAnswers<E>["document"] = (error, context) => {
    const c = context as unknown as WebContext;
    const problem = known(error, context);
    if (!(problem instanceof ProblemError)) c.get("log")?.error({ err: error }, "unexpected error");
    // 501 is what a client asked for, not a failure
    else if (problem.status >= 500 && problem.status !== 501)
      c.get("log")?.warn({ err: error, code: problem.code }, "request failed");
    if (problem instanceof ProblemError) c.set("problemCode", problem.code);
    const shown = c.get("shownPath") ?? ((path: string) => path);
    const place = { baseUrl: c.get("baseUrl"), instance: shown(instanceOf(c.req.url)), requestId: c.get("requestId") };
    return { known: problem, problem: toProblem(problem, place) };
  };
  return {
    document,
    response(error, context) {
      const c = context as unknown as WebContext;
      // nobody reads this answer; 499 is what the log calls it
      if (isClosed(c.get("signal"))) return new Response(null, { status: 499 });
      const { known: fault, problem } = document(error, context);
      const { body, mediaType } = c.get("problemForm")?.(problem) ?? { body: problem, mediaType: PROBLEM_MEDIA_TYPE };
      const text = JSON.stringify(body);
      return new Response(text, {
        status: problem.status,
        headers: {
          "Cache-Control": cacheControl(fault, c.req.method),
          ...problemHeaders(fault),
          // the form may have another media type than problem documents
          "Content-Type": mediaType,
          "Content-Length": String(Buffer.byteLength(text)),
        },
      });
    },
  };
}
