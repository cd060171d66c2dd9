import { LimitError } from "../../errors.ts";
import { type AddressLimits, ANONYMOUS_IMAGES, ANONYMOUS_SEARCH, limitsOf } from "../counters/address-limits.ts";
import type { Admission, Admitted } from "./admission.ts";

const FREE: Admitted = { charge: async () => undefined, release: async () => {} };

/** Anonymous callers are counted by the network they come from and pay nothing; all others are admitted by `others`. */
export function anonymousLimits(limits: AddressLimits, others: Admission): Admission {
  return {
    async arrive(identity, kind, route) {
      if (identity.credential !== "anonymous") return others.arrive(identity, kind, route);
      const limit = kind === "image" ? ANONYMOUS_IMAGES : ANONYMOUS_SEARCH;
      const wait = await limits.take(limit, identity.network ?? "unknown");
      if (wait === undefined) return;
      const { requests, windowMs } = limit;
      const detail = `Without a credential an address may send ${requests} requests in ${windowMs / 1000} s: wait, or send an API key.`;
      throw new LimitError("address", detail, { retryAfter: wait / 1000, limits: limitsOf(limit) });
    },
    admit: (identity, request) =>
      identity.credential === "anonymous" ? Promise.resolve(FREE) : others.admit(identity, request),
    isLikely: (identity, request) =>
      identity.credential !== "anonymous" && (others.isLikely?.(identity, request) ?? false),
    hold: async (identity, request) =>
      identity.credential === "anonymous" ? undefined : others.hold?.(identity, request),
    receiptFor: (identity) => (identity.credential === "anonymous" ? undefined : others.receiptFor?.(identity)),
  };
}
