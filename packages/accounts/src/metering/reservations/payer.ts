import type { Identity } from "../../identity.ts";
import { GUEST_LIMITS, TIERS, type TierLimits } from "./tiers.ts";

/** Who pays for a request: an account, the owner of the service, or one guest token. */
export interface Payer {
  /** Row of the store: `account:` and an id, `owner`, or `guest:` and the id of a token. */
  readonly id: string;
  /** Key that the usage names: the id of a key, or `session`. */
  readonly key: string;
  /** What it may ask for; absent: units are counted and not limited. */
  readonly limits?: TierLimits;
  /** Units are counted by the month, by the day, or for as long as a guest's token lives. */
  readonly period: "month" | "day" | "token";
  /** Whom problems name, where the payer is shared: `All guests of the service`. */
  readonly title?: string;
}

/** All keys of the service's owner. */
export const OWNER = "owner";

/** Period of a guest's units: a token lives for an hour, which may begin in one month and end in the next. */
const TOKEN_LIFE = "token";

/** Who pays for the requests of an identity; undefined for anonymous callers, who pay nothing. */
export function payerOf({ tier, account, payer = account, usedKey, subject }: Identity): Payer | undefined {
  switch (tier) {
    case "anonymous":
      return undefined;
    case "owner":
      return { id: OWNER, key: subject, period: "month" };
    case "guest":
      return { id: `guest:${subject}`, key: subject, limits: GUEST_LIMITS, period: "token" };
    default:
      if (payer === undefined) throw new Error(`An identity of tier "${tier}" has no account.`);
      return { id: `account:${payer}`, key: usedKey ?? subject, limits: TIERS[tier], period: "month" };
  }
}

/** The period that units at a time belong to: `2026-06` or `2026-06-16`, UTC, or one name for all of a token's life. */
export function periodOf({ period }: Payer, time: number): string {
  if (period === "token") return TOKEN_LIFE;
  return period === "day" ? dayOf(time) : dayOf(time).slice(0, 7);
}

const DAY_MS = 86_400_000;
/** The day that was asked for last: nearly always today. */
let known = { number: Number.NaN, day: "" };

/** The UTC day of a time: `2026-06-16`. */
export function dayOf(time: number): string {
  const number = Math.floor(time / DAY_MS);
  if (number !== known.number) known = { number, day: new Date(time).toISOString().slice(0, 10) };
  return known.day;
}

const MINUTE_MS = 60_000;

/** The UTC minute of a time, counted from 1970. */
export function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS);
}

/** Milliseconds until the next UTC day, from 1 to 86,400,000. */
export function untilNextDay(time: number): number {
  return DAY_MS - (time % DAY_MS);
}

/** Milliseconds until the next UTC minute, from 1 to 60,000. */
export function untilNextMinute(time: number): number {
  return MINUTE_MS - (time % MINUTE_MS);
}
