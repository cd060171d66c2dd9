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
    const isProblem = typeof body === "object" && body !== null && "title" in body;
    return isProblem ? { status: response.status, ...(body as Problem) } : fallback;
  } catch {
    return fallback;
  }
}

/**
 * Fetches an address. The body of an answer that is an error is read: while it is not, Chromium keeps the next request for
 * the same address waiting.
 *
 * @throws {ApiError} for every answer that is not 2xx, and where there is none; what `fetch` throws where the request is
 * aborted.
 */
export async function fetchAnswer(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init).catch((cause: unknown) => {
    if (init.signal?.aborted === true) throw cause;
    throw new ApiError({ title: "No answer", detail: "The service could not be reached. Is it running?" }, { cause });
  });
  if (!response.ok) throw new ApiError(await problemOf(response));
  return response;
}
