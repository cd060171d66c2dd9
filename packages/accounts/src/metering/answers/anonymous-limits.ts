import { ProblemError } from "@swath/problem";
import type { RouteAccess } from "../../../../../apps/api/src/access/route-access.ts";
import {
  type AddressLimit,
  type AddressLimits,
  ANONYMOUS_IMAGES,
  ANONYMOUS_SEARCH,
  limitsOf,
} from "../counters/address-limits.ts";
import type { Admission, Admitted } from "./admission.ts";

const FREE: Admitted = { charge: async () => ({}), release: async () => {} };

/** Anonymous callers are counted by the network they come from and pay nothing; all others are admitted by `others`. */
export function anonymousLimits(limits: AddressLimits, others: Admission): Admission {
  return {
    async arrive(identity, access, route) {
      if (identity.credential !== "anonymous") return others.arrive(identity, access, route);
      const limit = limitOf(access);
      const wait = await limits.take(limit, identity.network ?? "unknown");
      if (wait === undefined) return;
      const { requests, windowMs } = limit;
      const detail = `Without a credential an address may send ${requests} requests in ${windowMs / 1000} s: wait, or send an API key.`;
      throw new ProblemError("ip-rate-limited", detail, {
        retryAfter: wait / 1000,
        limits: limitsOf(limit),
      });
    },
    admit: (identity, request) =>
      identity.credential === "anonymous" ? Promise.resolve(FREE) : others.admit(identity, request),
    isLikely: (identity, request) =>
      identity.credential !== "anonymous" && (others.isLikely?.(identity, request) ?? false),
    hold: async (identity, request) =>
      identity.credential === "anonymous" ? undefined : others.hold?.(identity, request),
    headersOf: (identity) => (identity.credential === "anonymous" ? {} : (others.headersOf?.(identity) ?? {})),
  };
}

function limitOf({ scopes }: RouteAccess): AddressLimit {
  return scopes.includes("cached-images") ? ANONYMOUS_IMAGES : ANONYMOUS_SEARCH;
}
