import { CogError, type CogErrorCode } from "@swath/cog";
import { SceneReadError, SceneUnreadableError } from "@swath/mosaic";
import { ExpressionError } from "@swath/raster";
import { StyleError } from "@swath/raster/style";
import { Refusal, type RefusalOptions } from "../refusal.ts";
import { CredentialError, credentialFault } from "./files/access/credentials.ts";
import { TokenServiceError } from "./files/access/signed-urls.ts";

/** Seconds after which to try again when an upstream did not say. */
const RETRY_AFTER = 5;
/** Seconds after which to try again where somebody has to mend something first, and the most that clients are told. */
const RETRY_AFTER_MENDING = 300;

/** An upstream, or a file of it, that does not answer. */
export function unavailable(detail: string, options: RefusalOptions = {}): Refusal {
  return new Refusal("upstream-unavailable", [], detail, { retryAfter: RETRY_AFTER, ...options });
}

/** Messages for clients about a file that cannot be read. The error's own message names its address: that is for the log. */
const FILE_FAULTS: Readonly<Record<CogErrorCode, string>> = {
  "not-found": "a file does not exist",
  "not-a-tiff": "a file is no TIFF",
  "not-a-jp2": "a file is no JPEG 2000",
  unsupported: "a file is of a kind that is not read",
  "codec-unavailable": "this service lacks a decoder for a file",
  corrupt: "a file is damaged",
  "no-georeference": "a file does not say where it lies",
  "too-large": "a file declares more than is read",
  unavailable: "the archive did not send a file",
  unauthorized: "the archive wants a login for a file",
  forbidden: "the archive does not let a file be read",
  "wrong-region": "a file is in another region of S3 than it was asked for in",
  "range-ignored": "the archive does not send parts of a file",
  changed: "a file changed while it was read",
};

/**
 * Describes why a file cannot be read, without its address: the key or token that the service lacks, or the archive's
 * fault.
 */
export function fileFault(error: unknown): string {
  if (error instanceof CredentialError) return credentialFault(error.credential, error.fault);
  if (error instanceof TokenServiceError) return "the archive's token service gave no token for a file";
  return error instanceof CogError ? FILE_FAULTS[error.code] : "a file cannot be read";
}

/** Describes why a scene cannot be read: in words without the address of its file, and in the error's own, which may name it. */
export function readFault({ cause }: Error): { readonly reason: string; readonly error?: string } {
  return { reason: fileFault(cause), ...(cause instanceof Error ? { error: cause.message } : {}) };
}

/**
 * Refuses what needs a file that cannot be read.
 *
 * @param what could not be read, as the beginning of a sentence.
 */
export function unreadable(what: string, error: unknown): Refusal {
  const { retryAfter, code } = error instanceof CogError ? error : {};
  const seconds = retryAfter ?? (code === "unauthorized" || code === "wrong-region" ? RETRY_AFTER_MENDING : undefined);
  return unavailable(`${what}: ${fileFault(error)}.`, {
    cause: error,
    ...(seconds === undefined ? {} : { retryAfter: Math.min(Math.max(1, seconds), RETRY_AFTER_MENDING) }),
  });
}

/** An error of reading, styling or mosaicking scenes as a refusal; an unknown error is returned as it is. */
export function refusalOfRead(error: unknown): unknown {
  if (error instanceof SceneReadError) {
    const cause = refusalOfRead(error.cause);
    if (!(cause instanceof Refusal)) return error.cause;
    if (cause.code !== "upstream-unavailable") return cause;
    return unreadable(`Scene ${error.sceneId} could not be read`, error.cause);
  }
  if (error instanceof SceneUnreadableError) return unreadable(`Scene ${error.sceneId} could not be read`, error.cause);
  if (error instanceof CogError) return unreadable("A scene could not be read", error);
  if (error instanceof StyleError || error instanceof ExpressionError) {
    return new Refusal("invalid", [], error.message, { cause: error });
  }
  return error;
}
