import { LimitError } from "../../errors.ts";
import type { Identity } from "../../identity.ts";
import { type AddressLimit, type AddressLimits, limitsOf } from "../counters/address-limits.ts";
import type { Admission } from "./admission.ts";

/** Requests about an account itself, whose id stands in place of a network. */
const ACCOUNT_REQUESTS: Omit<AddressLimit, "name"> = { requests: 60, windowMs: 60_000 };

/**
 * Requests about accounts have a count of their own, in the store: whatever is sent to other routes with a key, its
 * account's holder can revoke it. Sessions count apart from keys and their tokens, so that a key cannot use up the
 * requests by which it would be revoked. All other requests are counted by `others`.
 */
export function accountRequests(limits: AddressLimits, others: Admission): Admission {
  return {
    ...others,
    async arrive(identity, kind, route) {
      if (identity.account === undefined || kind !== "account") return others.arrive(identity, kind, route);
      const { requests, windowMs } = ACCOUNT_REQUESTS;
      const wait = await limits.take({ ...ACCOUNT_REQUESTS, name: countOf(identity) }, identity.account);
      if (wait === undefined) return;
      const detail = `More than ${requests} requests about the account in ${windowMs / 1000} s.`;
      throw new LimitError("rate", detail, { retryAfter: wait / 1000, limits: limitsOf(ACCOUNT_REQUESTS) });
    },
  };
}

const countOf = ({ scopes }: Identity): string => (scopes.includes("session") ? "account-session" : "account-key");
