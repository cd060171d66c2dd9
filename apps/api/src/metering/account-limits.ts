import { ProblemError } from "@swath/problem";
import type { WrongCredentials } from "../access/limit-guesses.ts";
import { type AddressLimit, type AddressLimits, limitsOf } from "./address-limits.ts";

/** Sign-ups and new keys together. */
export const SIGN_UPS: AddressLimit = { name: "sign-up", requests: 20, windowMs: 600_000 };
/** Guest tokens. */
export const GUESTS: AddressLimit = { name: "guest", requests: 10, windowMs: 3_600_000 };
/** OAuth tokens of one client, whose id stands in place of a network. */
export const CLIENT_TOKENS: AddressLimit = { name: "token", requests: 10, windowMs: 60_000 };
/**
 * Wrong credentials: one a second. A client that repeats one wrong key is counted every five seconds and never gets
 * there; whoever guesses would need 10⁶⁴ years.
 */
const WRONG: AddressLimit = { name: "wrong", requests: 300, windowMs: 300_000 };
const MAX_REMEMBERED = 100_000;

/**
 * Counts a request by its network.
 *
 * @throws {ProblemError} `ip-rate-limited` over the limit.
 */
export async function takeFrom(limits: AddressLimits, limit: AddressLimit, network: string): Promise<void> {
  const wait = await limits.take(limit, network);
  if (wait === undefined) return;
  const detail = `An address may send ${limit.requests} of these requests in ${limit.windowMs / 1000} s: wait.`;
  throw new ProblemError("ip-rate-limited", detail, { retryAfter: wait / 1000, limits: limitsOf(limit) });
}

/** Counts in the store; networks over the limit are remembered here, so that what they send costs the store nothing. */
export function wrongCredentials(limits: AddressLimits, now: () => number = Date.now): WrongCredentials {
  const refusedUntil = new Map<string, number>();
  return {
    limits: limitsOf(WRONG),
    refusedFor(network) {
      const until = refusedUntil.get(network);
      if (until === undefined) return undefined;
      const left = until - now();
      if (left > 0 && left <= WRONG.windowMs) return left;
      refusedUntil.delete(network);
      return undefined;
    },
    async count(network) {
      const wait = await limits.take(WRONG, network);
      if (wait === undefined) return undefined;
      if (refusedUntil.size >= MAX_REMEMBERED) refusedUntil.clear();
      refusedUntil.set(network, now() + wait);
      return wait;
    },
  };
}
