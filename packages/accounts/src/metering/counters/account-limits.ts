import { LimitError } from "../../errors.ts";
import type { WrongCredentials } from "../../secrets/guess-limit.ts";
import { type AddressLimit, type AddressLimits, limitsOf } from "./address-limits.ts";

/** Sign-ups and new keys together. */
export const SIGN_UPS: AddressLimit = { name: "sign-up", requests: 20, windowMs: 600_000 };
/** Guest tokens. */
export const GUESTS: AddressLimit = { name: "guest", requests: 10, windowMs: 3_600_000 };
/** OAuth tokens of one client, whose id stands in place of a network. */
export const CLIENT_TOKENS: AddressLimit = { name: "token", requests: 10, windowMs: 60_000 };
/**
 * Wrong keys or tokens of one kind: one per second. A client that repeats one wrong key is counted every five seconds and
 * never gets there; whoever guesses would need 10⁶⁴ years.
 */
const WRONG: Omit<AddressLimit, "name"> = { requests: 300, windowMs: 300_000 };

/**
 * Counts a request by its network.
 *
 * @throws {LimitError} `address` over the limit.
 */
export async function takeFrom(limits: AddressLimits, limit: AddressLimit, network: string): Promise<void> {
  const wait = await limits.take(limit, network);
  if (wait === undefined) return;
  const detail = `An address may send ${limit.requests} of these requests in ${limit.windowMs / 1000} s: wait.`;
  throw new LimitError("address", detail, { retryAfter: wait / 1000, limits: limitsOf(limit) });
}

/** Counts in the store, which is not asked about networks that are over the limit. */
export function wrongCredentials(limits: AddressLimits): WrongCredentials {
  return {
    limits: limitsOf(WRONG),
    count: (kind, network) => limits.take({ ...WRONG, name: `wrong ${kind}` }, network),
  };
}
