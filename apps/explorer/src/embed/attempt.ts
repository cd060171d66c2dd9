import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";

/** The value of a function, or the problem that it threw. */
export function attempt<T>(make: () => T): { readonly value?: T; readonly problem?: Problem } {
  try {
    return { value: make() };
  } catch (error) {
    return { problem: problemFrom(error) };
  }
}
