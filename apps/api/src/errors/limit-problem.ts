import type { CredentialError, LimitError } from "@swath/accounts";
import type { QueueFullError } from "@swath/store";
import { type ProblemCode, ProblemError } from "./problems.ts";
import { receiptHeaders } from "./unit-headers.ts";

const LIMITS: Readonly<Record<LimitError["code"], ProblemCode>> = {
  rate: "rate-limited",
  quota: "quota-exhausted",
  concurrency: "concurrency-limit",
  cost: "request-too-expensive",
  address: "ip-rate-limited",
};

/** The problem of what is not allowed now; with what the payer has left, where units are limited. */
export function fromLimit(error: LimitError): ProblemError {
  const { limits, retryAfter, policy, unitsEstimated, receipt } = error.facts;
  const waits = policy === "concurrent" ? retryAfter : undefined;
  return new ProblemError(LIMITS[error.code], error.message, {
    cause: error,
    limits,
    headers: receiptHeaders(receipt, waits),
    members: {
      ...(policy === undefined ? {} : { "violated-policies": [policy] }),
      ...(unitsEstimated === undefined ? {} : { unitsEstimated }),
    },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

const CREDENTIALS: Readonly<Record<CredentialError["code"], ProblemCode>> = {
  suspended: "key-suspended",
  unverified: "email-unverified",
  "other-origin": "origin-not-allowed",
};

/** The problem of a key or token that its holder may not use here or now. */
export function fromCredential(error: CredentialError): ProblemError {
  return new ProblemError(CREDENTIALS[error.code], error.message, { cause: error });
}

/** The problem of a job that the queue does not take now. */
export function fromFullQueue(error: QueueFullError): ProblemError {
  const { message, limits, retryAfter } = error;
  return new ProblemError("concurrency-limit", message, { cause: error, limits, retryAfter });
}
