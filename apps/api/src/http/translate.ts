import { CatalogError } from "@swath/catalog";
import { CogError } from "@swath/cog";
import { SceneReadError, SceneUnreadableError } from "@swath/mosaic";
import { ProblemError, type ProblemOptions } from "@swath/problem";
import { QueryError } from "@swath/query";
import { ExpressionError, StyleError } from "@swath/raster";
import { SchemaError } from "@swath/schema";
import { HTTPException } from "hono/http-exception";
import { StoreError } from "../state/store.ts";

/** Seconds after which to try again when an upstream did not say. */
const RETRY_AFTER = 5;

function unavailable(detail: string, options: ProblemOptions): ProblemError {
  return new ProblemError("upstream-unavailable", detail, { retryAfter: RETRY_AFTER, ...options });
}

function fromCatalog(error: CatalogError): ProblemError {
  if (error.code === "invalid-token") {
    return new ProblemError("invalid-parameter", error.message, {
      cause: error,
      errors: [{ pointer: "token", detail: error.message }],
    });
  }
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
  if (error instanceof SceneReadError) {
    const cause = translateError(error.cause);
    if (!(cause instanceof ProblemError)) return error.cause;
    return cause.status < 500 ? cause : unavailable(error.message, { cause: error });
  }
  if (error instanceof SceneUnreadableError) return unavailable(error.message, { cause: error });
  if (error instanceof CogError)
    return unavailable(`A file of the archive could not be read: ${error.message}`, { cause: error });
  if (error instanceof SchemaError) {
    if (error.code === "unknown-band") return new ProblemError("unknown-band", error.message, { cause: error });
    if (error.code === "unknown-collection")
      return new ProblemError("unknown-collection", error.message, { cause: error });
    return new ProblemError("not-found", error.message, { cause: error });
  }
  if (error instanceof StyleError || error instanceof ExpressionError) {
    return new ProblemError("invalid-parameter", error.message, { cause: error });
  }
  if (error instanceof StoreError) {
    return unavailable("The service cannot reach its own records of keys and jobs.", { cause: error });
  }
  if (error instanceof HTTPException && error.status === 404) {
    return new ProblemError("not-found", "Nothing is served at this address.", { cause: error });
  }
  return error;
}
