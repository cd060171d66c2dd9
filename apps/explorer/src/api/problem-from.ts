import { ApiError, type Problem } from "./api-error.ts";

/** Turns whatever was thrown into a problem document. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  return { title: "Something failed in this page", detail: error instanceof Error ? error.message : String(error) };
}
