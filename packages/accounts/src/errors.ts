import type { Receipt } from "./metering/answers/admission.ts";
import type { Policy } from "./metering/units/policies.ts";

/** Facts of a {@link LimitError} besides its code and message. */
export interface LimitFacts {
  /** The limit beside what was asked for or is used up, by names such as `unitsPerMinute`. */
  readonly limits: Readonly<Record<string, number>>;
  /** Seconds after which the same may be allowed; absent: it never is. */
  readonly retryAfter?: number;
  /** The policy that was violated; absent: it has no name. */
  readonly policy?: Policy;
  /** Cost that the request would have had, in units with at most four decimals. */
  readonly unitsEstimated?: number;
  /** The units of the payer, where units are limited. */
  readonly receipt?: Receipt;
}

/**
 * A limit that a request exceeds: a rate, a quota, requests at once, the cost of one request, requests from one address.
 */
export class LimitError extends Error {
  override readonly name = "LimitError";
  readonly code: "rate" | "quota" | "concurrency" | "cost" | "address";
  readonly facts: LimitFacts;

  constructor(code: LimitError["code"], message: string, facts: LimitFacts) {
    super(message);
    this.code = code;
    this.facts = facts;
  }
}

const MESSAGES = {
  suspended: "The account of this credential is suspended.",
  unverified: "The e-mail address of this account is not verified: ask for a link at /account and follow it.",
  "other-origin": "This guest token was made for another website.",
  "other-map-origin": "This map was not made for pages of this website.",
} as const;

/** A known key or token that its holder may not use here or now. */
export class CredentialError extends Error {
  override readonly name = "CredentialError";
  readonly code: keyof typeof MESSAGES;

  constructor(code: CredentialError["code"]) {
    super(MESSAGES[code]);
    this.code = code;
  }
}

/** Nobody is served for now: the owner has closed the service, or what it spends in a month is stopped. */
export class StopError extends Error {
  override readonly name = "StopError";
  readonly code: "maintenance" | "spending";
  /** Seconds until the service opens; absent: nobody knows. */
  readonly retryAfter: number | undefined;

  constructor(code: StopError["code"], message: string, retryAfter?: number) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}
