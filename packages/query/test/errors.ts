import { QueryError } from "../src/index.ts";

/** The query error that `read` throws. */
export function queryErrorOf(read: () => unknown): QueryError {
  try {
    read();
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}
