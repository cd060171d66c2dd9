import { CredentialError, LimitError, StopError } from "../../errors.ts";
import { AccountProblem, type AccountProblemCode } from "../problems.ts";
import { receiptHeaders } from "./receipt-headers.ts";

const LIMITS: Readonly<Record<LimitError["code"], AccountProblemCode>> = {
  rate: "rate-limited",
  quota: "quota-exhausted",
  concurrency: "concurrency-limit",
  cost: "request-too-expensive",
  address: "ip-rate-limited",
};

const CREDENTIALS: Readonly<Record<CredentialError["code"], AccountProblemCode>> = {
  suspended: "key-suspended",
  unverified: "email-unverified",
  "other-origin": "origin-not-allowed",
  "other-map-origin": "origin-not-allowed",
};

const STOPS: Readonly<Record<StopError["code"], AccountProblemCode>> = {
  maintenance: "maintenance",
  spending: "upstream-unavailable",
};

/** The problem of what is not allowed now; with what the payer has left, where units are limited. */
function fromLimit(error: LimitError): AccountProblem {
  const { limits, retryAfter, policy, unitsEstimated, receipt } = error.facts;
  const waits = policy === "concurrent" ? retryAfter : undefined;
  return new AccountProblem(LIMITS[error.code], error.message, {
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

/** The problem of a service that serves nobody for now. */
function fromStop(error: StopError): AccountProblem {
  const { code, message, retryAfter } = error;
  return new AccountProblem(STOPS[code], message, {
    cause: error,
    ...(code === "spending" ? { members: { spendingStop: true } } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/**
 * Turns an error of `@swath/accounts` into a problem: a limit that was hit, a key or token that its holder may not use here or
 * now, a service that is closed or may not spend. Undefined for any other error.
 */
export function accountProblem(error: unknown): AccountProblem | undefined {
  if (error instanceof LimitError) return fromLimit(error);
  if (error instanceof CredentialError) {
    return new AccountProblem(CREDENTIALS[error.code], error.message, { cause: error });
  }
  if (error instanceof StopError) return fromStop(error);
  return undefined;
}
