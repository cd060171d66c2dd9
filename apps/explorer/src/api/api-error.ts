/** RFC 9457 problem document, as the service answers it. */
export interface Problem {
  readonly type?: string;
  readonly title: string;
  readonly status?: number;
  readonly detail?: string;
  readonly code?: string;
  readonly requestId?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly retryAfter?: number;
  readonly limits?: Readonly<Record<string, number>>;
}

/** A response that is an error. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code = "api";
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail ?? problem.title, options);
    this.problem = problem;
  }
}

/** The problem document of an answer; one made of its status where it has none. */
export async function problemOf(response: Response): Promise<Problem> {
  const fallback: Problem = {
    title: response.statusText || "Unexpected answer",
    status: response.status,
    detail: `The service answered ${response.status}.`,
  };
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null && "title" in body ? (body as Problem) : fallback;
  } catch {
    return fallback;
  }
}

/**
 * Fetches an address of the service.
 *
 * @throws {ApiError} where there is no answer; what `fetch` throws where the request is aborted.
 */
export async function fetchAnswer(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    throw new ApiError({ title: "No answer", detail: "The service could not be reached. Is it running?" }, { cause });
  }
}
