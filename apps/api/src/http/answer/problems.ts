import { Refusal } from "@swath/engine";
import { DeadlineError, problemAnswers } from "@swath/web";
import { HTTPException } from "hono/http-exception";
import { isProblem, ProblemError } from "../../errors/problems.ts";
import { translateError } from "../../errors/translate.ts";
import type { AppContext } from "../request/context.ts";

/** Turns a failure into the error for its client; unknown errors stay as they are. */
function knownError(error: unknown, c: AppContext): unknown {
  const reason = c.get("signal")?.aborted === true ? c.get("signal").reason : undefined;
  const isTimeout = (isProblem(error) || error instanceof Refusal) && error.code === "render-timeout";
  if (reason instanceof DeadlineError && !isTimeout) {
    return new ProblemError("render-timeout", reason.message, { cause: error });
  }
  if (error instanceof HTTPException && error.status === 404) {
    return new ProblemError("not-found", "Nothing is served at this address.", { cause: error });
  }
  return translateError(error, c.get("members"));
}

/** The problem document of a failure, and the answer with it. */
export const { document: problemDocument, response: problemResponse } = problemAnswers(knownError);
