import { type BareItem, serializeList } from "structured-headers";
import { endOfMonth, untilNextDay, untilNextMinute } from "../../calendar.ts";
import type { OwnerReceipt, Receipt, UnitReceipt } from "../../metering/answers/admission.ts";
import { type Balance, type CurrentLimits, currentLimits, remainingUnits } from "../../metering/units/balance.ts";
import type { Payer } from "../../metering/units/payer.ts";
import type { Policy } from "../../metering/units/policies.ts";
import type { TierLimits } from "../../metering/units/tiers.ts";
import { fromUnits, type Units } from "../../metering/units/units.ts";

const MINUTE_S = 60;
/** A month's window, of 30 days: `t` gives the exact time until its end. */
const MONTH_S = 2_592_000;
/** Life of a guest's token. */
const TOKEN_S = 3600;
const DAY_S = 86_400;

/** The policy of the units of a period, and its window. */
const PERIODS = {
  month: ["units-month", MONTH_S],
  day: ["units-day", DAY_S],
  token: ["units-token", TOKEN_S],
} as const satisfies Readonly<Record<Payer["period"], readonly [Policy, number]>>;

type Parameters = Readonly<Record<string, number | string>>;

/** A list of named policies with parameters (RFC 9651 section 3.1). */
function list(policies: readonly (readonly [Policy, Parameters])[]): string {
  return serializeList(
    policies.map(([name, parameters]) => [name, new Map<string, BareItem>(Object.entries(parameters))]),
  );
}

/** Whole units; what is left of one that was begun does not count. */
function whole(units: number): number {
  return Math.max(0, Math.floor(fromUnits(units as Units)));
}

/** Whether a header can hold a limit: some payers have no such limit. */
const isLimit = (value: number): boolean => Number.isFinite(value);

/** Headers by what they say: a tier has two, of normal and of restricted mode. */
const policyHeaders = new Map<TierLimits, { normal?: string; restricted?: string }>();

function policyHeader(limits: TierLimits, used: number, period: Payer["period"]): string {
  const now = currentLimits(used, limits);
  const mode = now.isRestricted ? "restricted" : "normal";
  const known = policyHeaders.get(limits) ?? {};
  policyHeaders.set(limits, known);
  known[mode] ??= writePolicies(limits, now, period);
  return known[mode];
}

function writePolicies(limits: TierLimits, now: CurrentLimits, period: Payer["period"]): string {
  const policies: (readonly [Policy, Parameters])[] = [];
  if (isLimit(now.unitsPerMinute)) policies.push(["units-minute", { q: whole(now.unitsPerMinute), w: MINUTE_S }]);
  const [name, w] = PERIODS[period];
  policies.push([name, { q: whole(limits.unitsPerMonth), w }]);
  if (now.isRestricted) policies.push(["units-restricted", { q: whole(limits.restrictedUnits), w: MONTH_S }]);
  if (isLimit(limits.requestsPerMinute))
    policies.push(["requests-minute", { q: limits.requestsPerMinute, w: MINUTE_S }]);
  if (isLimit(now.concurrentRequests)) {
    policies.push(["concurrent", { q: now.concurrentRequests, qu: "concurrent-requests" }]);
  }
  return list(policies);
}

/** Seconds until a period ends; nobody knows when a token does. */
function untilEnd(period: Payer["period"], time: number): Parameters {
  if (period === "token") return {};
  return { t: Math.ceil((period === "day" ? untilNextDay(time) : endOfMonth(time) - time) / 1000) };
}

/**
 * @param waits what a request that was refused for its concurrency waits, seconds. How many run is exact only then:
 *   other answers do not say.
 */
function stateHeader(
  limits: TierLimits,
  balance: Balance,
  period: Payer["period"],
  time: number,
  waits: number | undefined,
): string {
  const now = currentLimits(balance.spent + balance.reserved, limits);
  const untilMinute = Math.ceil(untilNextMinute(time) / 1000);
  const untilMonth = Math.ceil((endOfMonth(time) - time) / 1000);
  const ofPeriod = whole(limits.unitsPerMonth - balance.spent);
  const states: (readonly [Policy, Parameters])[] = [];
  if (isLimit(now.unitsPerMinute)) {
    states.push(["units-minute", { r: whole(now.unitsPerMinute - balance.minuteUnits), t: untilMinute }]);
  }
  states.push([PERIODS[period][0], { r: ofPeriod, ...untilEnd(period, time) }]);
  if (now.isRestricted) states.push(["units-restricted", { r: whole(remainingUnits(balance, limits)), t: untilMonth }]);
  if (isLimit(limits.requestsPerMinute)) {
    const requests = Math.max(0, limits.requestsPerMinute - balance.minuteRequests);
    states.push(["requests-minute", { r: requests, t: untilMinute }]);
  }
  if (waits !== undefined) states.push(["concurrent", { r: 0, t: waits }]);
  return list(states);
}

/**
 * Headers of a metered answer, or of its 429 (draft-ietf-httpapi-ratelimit-headers-10).
 *
 * @param waits of a request that was refused because others run: seconds until one may have ended.
 */
export function receiptHeaders(receipt: Receipt, waits?: number): Readonly<Record<string, string>> {
  if (receipt === undefined) return {};
  return "rates" in receipt ? ownerHeaders(receipt) : unitHeaders(receipt, waits);
}

function unitHeaders(
  { payer: { limits, period }, spent, balance, time }: UnitReceipt,
  waits: number | undefined,
): Readonly<Record<string, string>> {
  return {
    "X-Units-Spent": String(fromUnits(spent)),
    "X-Units-Remaining": String(fromUnits(remainingUnits(balance, limits) as Units)),
    RateLimit: stateHeader(limits, balance, period, time, waits),
    "RateLimit-Policy": policyHeader(limits, balance.spent + balance.reserved, period),
  };
}

/** Headers for keys of the owner: their units are counted, their requests are limited. */
function ownerHeaders({ spent, rates: { key, keyMonthly } }: OwnerReceipt): Readonly<Record<string, string>> {
  return {
    "X-Units-Spent": String(fromUnits(spent)),
    "RateLimit-Policy": list([
      ["burst", { q: key.perSecond, w: 1 }],
      ["requests-month", { q: keyMonthly, w: MONTH_S }],
    ]),
  };
}
