import { ProblemError } from "@swath/problem";
import type { Identity } from "../../identity.ts";
import { ACCOUNT, type RouteAccess, SESSION } from "../../../../../apps/api/src/access/route-access.ts";
import { type AddressLimit, type AddressLimits, limitsOf } from "../counters/address-limits.ts";
import type { Admission } from "./admission.ts";

/** Requests about an account itself, whose id stands in place of a network. */
const ACCOUNT_REQUESTS: Omit<AddressLimit, "name"> = { requests: 60, windowMs: 60_000 };

/** Whether a route is about the account of its caller, not about data. */
export function isAccountRoute(access: RouteAccess): boolean {
  return access === ACCOUNT || access === SESSION;
}

/**
 * Requests about accounts have a count of their own, in the store: whatever is sent to other routes with a key, its
 * account's person can revoke it. Sessions count apart from keys and their tokens, so that a key cannot use up the
 * requests by which it would be revoked. All other requests are counted by `others`.
 */
export function accountRequests(limits: AddressLimits, others: Admission): Admission {
  return {
    ...others,
    async arrive(identity, access, route) {
      if (identity.account === undefined || !isAccountRoute(access)) return others.arrive(identity, access, route);
      const { requests, windowMs } = ACCOUNT_REQUESTS;
      const wait = await limits.take({ ...ACCOUNT_REQUESTS, name: countOf(identity) }, identity.account);
      if (wait === undefined) return;
      const detail = `More than ${requests} requests about the account in ${windowMs / 1000} s.`;
      throw new ProblemError("rate-limited", detail, { retryAfter: wait / 1000, limits: limitsOf(ACCOUNT_REQUESTS) });
    },
  };
}

const countOf = ({ scopes }: Identity): string => (scopes.includes("session") ? "account-session" : "account-key");
