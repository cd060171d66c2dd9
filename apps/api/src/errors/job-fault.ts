import type { JobFault, JobKind } from "@swath/store/jobs";
import { isProblem, type ProblemError } from "./problems.ts";
import type { MemberNames } from "./refusals.ts";
import { translateError } from "./translate.ts";

/** A kind of background job of the service. */
export interface ServiceJobKind extends JobKind {
  /** Names of the members of the engine's request in stored requests; absent: faults name no member. */
  readonly members?: MemberNames;
}

/** The fault of a failed job that the queue keeps: a problem without the members of a request. */
export interface JobProblem {
  readonly code: ProblemError["code"];
  readonly detail: string;
  readonly errors?: ProblemError["errors"];
  readonly limits?: ProblemError["limits"];
  readonly retryAfter?: number;
}

/** Longest `retryAfter`, seconds, of a fault that a job waits for: a full disk has a minute. */
const PASSING_SECONDS = 30;

/**
 * Returns the fault that is kept for an error of a job. A job waits for an upstream that does not answer, since no
 * client could.
 */
export function jobFault(error: unknown, kind: ServiceJobKind | undefined): JobFault {
  const known = translateError(error, kind?.members);
  if (!isProblem(known)) {
    const problem: JobProblem = { code: "internal", detail: "The service failed unexpectedly." };
    return { error: problem, unexpected: true };
  }
  const { code, detail, errors, limits, retryAfter } = known;
  const problem: JobProblem = {
    code,
    detail,
    ...(errors === undefined ? {} : { errors }),
    ...(limits === undefined ? {} : { limits }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
  const passes = code === "upstream-unavailable" && retryAfter !== undefined && retryAfter <= PASSING_SECONDS;
  return { error: problem, passes };
}
