import { ProblemError } from "@swath/problem";
import { DeadlineError, isClosed, type WebContext } from "@swath/web";
import type { LegacyService } from "./service.ts";

/** An error response of the legacy hosts: a status with the JSON body that their clients know. */
export class LegacyError extends Error {
  override readonly name = "LegacyError";
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    body: Readonly<Record<string, unknown>>,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(
      typeof body.detail === "string" ? body.detail : JSON.stringify(body.detail ?? body),
      "cause" in options ? { cause: options.cause } : undefined,
    );
    this.status = status;
    this.body = body;
    this.headers = options.headers ?? {};
  }

  /** `{"detail": text}` as FastAPI answers, with further members beside it. */
  static detail(status: number, detail: string, members: Readonly<Record<string, unknown>> = {}): LegacyError {
    return new LegacyError(status, { detail, ...members });
  }
}

/** One fault of a parameter or a body member, in FastAPI's format. */
export interface ValidationFault {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

/** 422 in FastAPI's shape. */
export function validationError(faults: readonly ValidationFault[]): LegacyError {
  return new LegacyError(422, { detail: faults });
}

/** The error format of a host: FastAPI's for the tiles host, the upstream's for the STAC host. */
export type ErrorForm = (status: number, detail: string) => Readonly<Record<string, unknown>>;

const CODES: Readonly<Record<number, string>> = {
  400: "BadRequest",
  404: "NotFound",
  405: "MethodNotAllowed",
  413: "PayloadTooLarge",
  429: "TooManyRequests",
  502: "BadGateway",
  503: "ServiceUnavailable",
  504: "GatewayTimeout",
};

export const tilesForm: ErrorForm = (_status, detail) => ({ detail });
export const stacForm: ErrorForm = (status, description) => ({ code: CODES[status] ?? "Error", description });

/** Statuses that the legacy hosts have for the service's own codes; the rest keep theirs. */
const STATUSES: Readonly<Record<string, number>> = {
  "unknown-band": 400,
  "unknown-collection": 404,
  "units-unavailable": 400,
  "harmonize-unavailable": 400,
  "zoom-out-of-range": 404,
  "too-many-scenes": 413,
  "unsupported-media-type": 422,
  "upstream-unavailable": 502,
  internal: 502,
};

function statusOf(error: ProblemError): number {
  // the spending stop is no fault of the renderer, and the message says that it lasts
  if (error.code === "upstream-unavailable" && error.members.spendingStop === true) return 503;
  return STATUSES[error.code] ?? error.status;
}

function fromProblem(error: ProblemError, form: ErrorForm): LegacyError {
  const { cause, retryAfter } = error;
  const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  // the two that the gateway in front of the hosts gave
  if (error.status === 401 || error.status === 403) return new LegacyError(403, { message: "Forbidden" }, { cause });
  if (error.status === 429) return new LegacyError(429, { message: "Too Many Requests" }, { headers, cause });
  const status = statusOf(error);
  // the service's own pointers mean nothing to a body of these hosts
  const detail = error.errors?.map((each) => each.detail).join(" ") || error.detail;
  const limits = error.limits === undefined ? {} : { limits: error.limits };
  return new LegacyError(status, { ...form(status, detail), ...limits }, { headers, cause });
}

/** The legacy answer to any error. Unknown ones are logged whole and answered 502, without their message. */
export function legacyErrorResponse(
  error: unknown,
  c: WebContext,
  form: ErrorForm,
  problemOf: LegacyService["problemOf"],
): Response {
  const reason = c.get("signal").aborted ? c.get("signal").reason : undefined;
  if (isClosed(c.get("signal"))) return new Response(null, { status: 499 });
  const known = reason instanceof DeadlineError ? reason : problemOf(error);
  let answer: LegacyError;
  if (known instanceof LegacyError) answer = known;
  else if (known instanceof DeadlineError) answer = new LegacyError(504, form(504, known.message));
  else if (known instanceof ProblemError) answer = fromProblem(known, form);
  else answer = new LegacyError(502, form(502, "The service failed on this request."));
  if (!(known instanceof LegacyError || known instanceof ProblemError || known instanceof DeadlineError)) {
    c.get("log").error({ err: error }, "unexpected error");
  } else if (answer.status >= 500) c.get("log").warn({ err: error }, "request failed");
  const text = JSON.stringify(answer.body);
  return new Response(text, {
    status: answer.status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "Content-Length": String(Buffer.byteLength(text)),
      ...answer.headers,
    },
  });
}
