import { CatalogError } from "@swath/catalog";
import { ProblemError } from "@swath/problem";
import { QueryError } from "@swath/query";
import { SchemaError } from "@swath/schema";
import { translateReadError, unavailable } from "../render/errors.ts";
import { StoreError } from "../state/store.ts";

function fromCatalog(error: CatalogError): ProblemError {
  return unavailable(`The upstream catalog did not answer: ${error.message}`, {
    cause: error,
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
  });
}

/**
 * The one table from the libraries' errors to problems. An error that is not in it is returned as it is, and is
 * answered as `internal`.
 */
export function translateError(error: unknown): unknown {
  if (error instanceof ProblemError) return error;
  if (error instanceof QueryError) {
    return new ProblemError(error.code, error.message, {
      cause: error,
      errors: [{ pointer: error.pointer, detail: error.message }],
    });
  }
  if (error instanceof CatalogError) return fromCatalog(error);
  if (error instanceof SchemaError) {
    if (error.code === "unknown-band") return new ProblemError("unknown-band", error.message, { cause: error });
    if (error.code === "unknown-collection")
      return new ProblemError("unknown-collection", error.message, { cause: error });
    return new ProblemError("not-found", error.message, { cause: error });
  }
  if (error instanceof StoreError) {
    return unavailable("The service cannot reach its own records of keys and jobs.", { cause: error });
  }
  return translateReadError(error);
}
