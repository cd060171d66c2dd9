import * as z from "zod";
import { ProblemError, type ProblemPointer } from "./error.ts";

/** Media type of problem documents (RFC 9457, 3). */
export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** Model of a problem document (RFC 9457), with the members that this package writes. Additional members pass. */
export const Problem = z
  .looseObject({
    type: z.url().meta({ description: "Address of the page on this kind of problem; stable for the life of /v1." }),
    title: z.string().meta({ description: "Short summary; constant for a kind of problem." }),
    status: z.int().min(400).max(599).meta({ description: "HTTP status repeated." }),
    detail: z.string().meta({ description: "Explanation of this occurrence." }),
    instance: z.string().optional().meta({ description: "Path of the failed request, without its query." }),
    code: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .optional()
      .meta({ description: "Machine code; equals the last path segment of `type`." }),
    requestId: z.string().optional().meta({ description: "Request id; also in the X-Request-Id header." }),
    errors: z
      .array(
        z.looseObject({
          pointer: z.string().meta({ description: "JSON Pointer into the body, or the query parameter name." }),
          detail: z.string(),
        }),
      )
      .optional()
      .meta({ description: "The faults one by one, on 400 and 422." }),
    retryAfter: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "Seconds until the request can succeed; equals the Retry-After header." }),
    limits: z
      .record(z.string(), z.number())
      .optional()
      .meta({ description: "The limit hit and the value requested, e.g. maxOutputWidth and requestedWidth." }),
  })
  .meta({ id: "Problem", description: "Problem document (RFC 9457)." });
export type Problem = z.infer<typeof Problem>;

/** The place where a problem occurred. */
export interface ProblemContext {
  /** Root of the service without a trailing slash, e.g. `https://imagery.example`. */
  readonly baseUrl: string;
  /** Path of the request; a query, if there is one, is cut off. */
  readonly instance?: string;
  readonly requestId?: string;
}

/** Most faults that a document lists: a body of thousands of unknown members is not answered at greater length. */
const MAX_ERRORS = 100;
/** Longest texts of a document, in UTF-16 code units: names that are repeated may be as long as a body. */
const MAX_DETAIL = 4000;
const MAX_POINTER = 1000;

/** The `type` of a code: the address of its page. */
export function problemType(baseUrl: string, code: string): string {
  return `${baseUrl.replace(/\/+$/, "")}/problems/${code}`;
}

/** The answer to a failure that nobody foresaw. */
const UNEXPECTED = ["internal", { status: 500, title: "Internal error" }, "The service failed unexpectedly."] as const;

/**
 * Writes the document of an error. Anything but a {@link ProblemError} becomes `internal`,
 * and its message stays out of the answer, since it may hold what callers should not see. At most 100 faults are
 * listed, texts are cut after 4,000 characters, and a pointer of more than 1,000 points to the nearest member above.
 */
export function toProblem(error: unknown, context: ProblemContext): Problem {
  const known = error instanceof ProblemError ? error : new ProblemError(...UNEXPECTED);
  const { title, status } = known;
  return {
    ...known.members,
    type: problemType(context.baseUrl, known.code),
    title,
    status,
    detail: cut(known.detail),
    ...(context.instance === undefined ? {} : { instance: context.instance.replace(/[?#].*$/s, "") }),
    code: known.code,
    ...(context.requestId === undefined ? {} : { requestId: context.requestId }),
    ...(known.errors === undefined ? {} : { errors: known.errors.slice(0, MAX_ERRORS).map(toEntry) }),
    ...(known.retryAfter === undefined ? {} : { retryAfter: known.retryAfter }),
    ...(known.limits === undefined ? {} : { limits: { ...known.limits } }),
  };
}

function toEntry({ pointer, detail }: ProblemPointer): { pointer: string; detail: string } {
  const parent = pointer.slice(0, MAX_POINTER + 1);
  return {
    pointer: pointer.length <= MAX_POINTER ? pointer : parent.slice(0, Math.max(0, parent.lastIndexOf("/"))),
    detail: cut(detail),
  };
}

function cut(text: string): string {
  if (text.length <= MAX_DETAIL) return text;
  // a character of two code units is left out whole
  return `${text.slice(0, MAX_DETAIL - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Headers of the answer to an error: media type, `Retry-After`, and those that the error brings. */
export function problemHeaders(error: unknown): Record<string, string> {
  const headers: Record<string, string> = { "Content-Type": PROBLEM_MEDIA_TYPE };
  if (!(error instanceof ProblemError)) return headers;
  if (error.retryAfter !== undefined) headers["Retry-After"] = String(error.retryAfter);
  return { ...headers, ...error.headers };
}
