import { dayOf } from "../../calendar.ts";
import type { Identity } from "../../identity.ts";
import { GUEST_LIMITS, limitsOfMaps, TIERS, type TierLimits } from "./tiers.ts";

/** The payer of a request: an account, the owner of the service, or one guest token. */
export interface Payer {
  /** Row of the store: `account:` and an id, `owner`, or `guest:` and the id of a token. */
  readonly id: string;
  /** Key that the usage names: the id of a key, or `session`. */
  readonly key: string;
  /** Its limits; absent: units are counted and not limited. */
  readonly limits?: TierLimits;
  /** Units are counted by the month, by the day, or for as long as a guest's token lives. */
  readonly period: "month" | "day" | "token";
  /** Whom problems name, where the payer is shared: `All guests of the service`. */
  readonly title?: string;
}

/** A payer whose units are limited. */
export interface LimitedPayer extends Payer {
  readonly limits: TierLimits;
}

/** All keys of the service's owner. */
export const OWNER = "owner";

/** Period of a guest's units: a token lives for an hour, which may begin in one month and end in the next. */
const TOKEN_LIFE = "token";

/** Returns the payer of an identity's requests; undefined for anonymous callers, who pay nothing. */
export function payerOf({ tier, account, payer = account, usedKey, subject, map }: Identity): Payer | undefined {
  switch (tier) {
    case "anonymous":
      return undefined;
    case "owner":
      return { id: OWNER, key: subject, period: "month" };
    case "guest":
      return { id: `guest:${subject}`, key: subject, limits: GUEST_LIMITS, period: "token" };
    default:
      if (payer === undefined) throw new Error(`An identity of tier "${tier}" has no account.`);
      return {
        id: `account:${payer}`,
        key: usedKey ?? subject,
        limits: map === undefined ? TIERS[tier] : limitsOfMaps(tier),
        period: "month",
      };
  }
}

/** The period that units at a time belong to: `2026-06` or `2026-06-16`, UTC, or one name for all of a token's life. */
export function periodOf({ period }: Payer, time: number): string {
  if (period === "token") return TOKEN_LIFE;
  return period === "day" ? dayOf(time) : dayOf(time).slice(0, 7);
}
