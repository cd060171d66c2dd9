import { ProblemError } from "@swath/problem";

/**
 * Does something with what an argument names. Operations name what is unknown as a path does; here a 404 says which
 * argument it was.
 *
 * @param pointer JSON Pointer of the argument.
 */
export async function namedBy<T>(pointer: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 404) throw error;
    const { code, detail, members, headers } = error;
    throw new ProblemError(code, detail, { errors: [{ pointer, detail }], members, headers, cause: error });
  }
}
