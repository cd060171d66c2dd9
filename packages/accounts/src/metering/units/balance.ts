import type { TierLimits } from "./tiers.ts";

/** The units that a payer has spent and reserved, at one moment. Units are steps of 1/10,000. */
export interface Balance {
  /** `2026-06`, or the one period of a guest's token. */
  readonly period: string;
  /** Units charged in the period. */
  readonly spent: number;
  /** Units of the period that open requests and background jobs have reserved. */
  readonly reserved: number;
  /** Open requests that have reserved units. */
  readonly running: number;
  /** UTC minute, counted from 1970. */
  readonly minute: number;
  /** Units that requests of this minute have reserved or were charged. */
  readonly minuteUnits: number;
  /** Requests of this minute; over several nodes, those that nodes have leased. */
  readonly minuteRequests: number;
}

/** The balance of a payer who has asked for nothing yet. */
export const EMPTY: Balance = {
  period: "",
  spent: 0,
  reserved: 0,
  running: 0,
  minute: 0,
  minuteUnits: 0,
  minuteRequests: 0,
};

/** The limits that apply now: the tier's own limits, or the smaller ones once the month's units are spent. */
export interface CurrentLimits {
  readonly isRestricted: boolean;
  readonly unitsPerMinute: number;
  readonly concurrentRequests: number;
  readonly unitsPerRequest: number;
}

/** Part of the minute's units in restricted mode. */
const RESTRICTED_RATE = 0.1;
const RESTRICTED_CONCURRENT = 1;

/** Returns the limits of a payer who has spent and reserved `used` units of its period. */
export function currentLimits(used: number, limits: TierLimits): CurrentLimits {
  const { unitsPerMinute, concurrentRequests, unitsPerRequest } = limits;
  if (used < limits.unitsPerMonth || limits.restrictedUnits === 0) {
    return { isRestricted: false, unitsPerMinute, concurrentRequests, unitsPerRequest };
  }
  const rate = Math.floor(unitsPerMinute * RESTRICTED_RATE);
  return {
    isRestricted: true,
    unitsPerMinute: rate,
    concurrentRequests: Math.min(RESTRICTED_CONCURRENT, concurrentRequests),
    // a request that no minute can hold could never be admitted: it is refused for good, not asked to wait
    unitsPerRequest: Math.min(unitsPerRequest, rate),
  };
}

/** The reason why units are not reserved. */
export type UnitRefusal = "too-expensive" | "period-spent" | "minute-spent" | "concurrency";

/**
 * Whether a payer may reserve units now.
 *
 * @param cost units of the request, above 0.
 * @param takesSlot whether it counts among the open requests; a background job does not.
 * @returns why not; undefined where it may.
 */
export function refusalOf(
  balance: Balance,
  cost: number,
  limits: TierLimits,
  takesSlot: boolean,
): UnitRefusal | undefined {
  const { spent, reserved, running, minuteUnits } = balance;
  const now = currentLimits(spent + reserved, limits);
  if (cost > now.unitsPerRequest) return "too-expensive";
  if (spent + reserved + cost > limits.unitsPerMonth + limits.restrictedUnits) return "period-spent";
  if (minuteUnits + cost > now.unitsPerMinute) return "minute-spent";
  if (takesSlot && running >= now.concurrentRequests) return "concurrency";
  return undefined;
}

/** The balance with units reserved. */
export function reserve(balance: Balance, cost: number, takesSlot: boolean): Balance {
  return {
    ...balance,
    reserved: balance.reserved + cost,
    running: balance.running + (takesSlot ? 1 : 0),
    minuteUnits: balance.minuteUnits + cost,
  };
}

/** The balance in a later minute, whose counts begin at 0; a clock that is behind stays in the minute that is known. */
export function inMinute(balance: Balance, minute: number): Balance {
  const isNewer = minute > balance.minute || balance.minute > minute + MAX_SKEW_MINUTES;
  return isNewer ? { ...balance, minute, minuteUnits: 0, minuteRequests: 0 } : balance;
}

/** Nodes whose clocks differ by more are a fault; the row then follows the node that asks. */
export const MAX_SKEW_MINUTES = 1;

/** Units that can still be spent: of the period, and once those are spent of the allowance. */
export function remainingUnits({ spent }: Pick<Balance, "spent">, limits: TierLimits): number {
  const { unitsPerMonth, restrictedUnits } = limits;
  return spent < unitsPerMonth ? unitsPerMonth - spent : Math.max(0, unitsPerMonth + restrictedUnits - spent);
}
