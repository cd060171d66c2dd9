import { endOfMonth, untilNextDay, untilNextMinute } from "../../calendar.ts";
import { counted } from "../../counted.ts";
import { LimitError } from "../../errors.ts";
import { type Balance, currentLimits, type UnitRefusal } from "./balance.ts";
import type { Payer } from "./payer.ts";
import type { Policy } from "./policies.ts";
import type { TierLimits } from "./tiers.ts";
import { fromUnits, NO_UNITS, type Units } from "./units.ts";

const RETRY_CONCURRENT_S = 1;
/** Until jobs that run have ended, perhaps. */
const RETRY_FILES_S = 60;
/** Longest life of a guest's token, after which there is a new one in any case. */
const TOKEN_S = 3600;

/** The facts of a refusal. */
interface Facts {
  readonly payer: Payer;
  readonly limits: TierLimits;
  readonly balance: Balance;
  /** Epoch milliseconds. */
  readonly time: number;
}

const outside = (units: number): number => fromUnits(units as Units);

/** Units that are neither spent nor reserved. */
function leftOf({ limits, balance }: Facts): number {
  const { unitsPerMonth, restrictedUnits } = limits;
  return outside(Math.max(0, unitsPerMonth + restrictedUnits - balance.spent - balance.reserved));
}

/** The error of a request whose units are not reserved. */
export function unitRefusal(refusal: UnitRefusal, cost: Units, facts: Facts): LimitError {
  const { limits, balance, time } = facts;
  const now = currentLimits(balance.spent + balance.reserved, limits);
  const mode = now.isRestricted ? " in restricted mode" : "";
  const unitsEstimated = fromUnits(cost);
  switch (refusal) {
    case "too-expensive": {
      const maxUnits = outside(now.unitsPerRequest);
      return new LimitError(
        "cost",
        `The request costs ${counted(unitsEstimated, "unit")}; one request may cost ${maxUnits}${mode}.`,
        { limits: { maxUnits, requestedUnits: unitsEstimated }, unitsEstimated },
      );
    }
    case "minute-spent": {
      const unitsPerMinute = outside(now.unitsPerMinute);
      return refused("rate", "units-minute", facts, {
        detail: `The request costs ${counted(unitsEstimated, "unit")}; ${unitsPerMinute} may be spent in a minute (UTC)${mode}.`,
        retryAfter: untilNextMinute(time) / 1000,
        limits: {
          unitsPerMinute,
          unitsSpentThisMinute: outside(balance.minuteUnits),
          requestedUnits: unitsEstimated,
        },
        unitsEstimated,
      });
    }
    case "concurrency": {
      const { concurrentRequests } = now;
      return refused("concurrency", "concurrent", facts, {
        detail: `${counted(concurrentRequests, "request")} may run at the same time${mode}.`,
        retryAfter: RETRY_CONCURRENT_S,
        limits: { concurrentRequests, runningRequests: balance.running },
        unitsEstimated,
      });
    }
    case "period-spent":
      return periodSpent(facts, unitsEstimated);
  }
}

function periodSpent(facts: Facts, unitsEstimated: number): LimitError {
  const { period, id } = facts.payer;
  if (period === "token") return tokenSpent(facts, unitsEstimated);
  if (period === "month") return monthSpent(facts, unitsEstimated);
  return id.startsWith("files:") ? filesSpent(facts) : daySpent(facts, unitsEstimated);
}

/** The units of a day, of guests that share it. */
function daySpent(facts: Facts, unitsEstimated: number): LimitError {
  const unitsPerDay = outside(facts.limits.unitsPerMonth);
  return refused("quota", "units-day", facts, {
    detail: `${facts.payer.title} may spend ${counted(unitsPerDay, "unit")} a day (UTC), and ${leftOf(facts)} are left; the request costs ${unitsEstimated}: ${facts.payer.id.startsWith("map:") ? "" : "sign up, or "}come back tomorrow.`,
    retryAfter: untilNextDay(facts.time) / 1000,
    limits: { unitsPerDay, unitsSpentToday: outside(facts.balance.spent) },
    unitsEstimated,
  });
}

/** The bytes of files of a day. What others have reserved for files that are smaller in the end comes back earlier. */
function filesSpent({ limits, balance, time }: Facts): LimitError {
  const { unitsPerMonth: fileBytesPerDay } = limits;
  const { spent: fileBytesToday, reserved: fileBytesReserved } = balance;
  return new LimitError(
    "quota",
    `Result files of an account may have ${fileBytesPerDay} bytes a day (UTC): ${fileBytesToday} are written, and up to ${fileBytesReserved} will be.`,
    {
      retryAfter: fileBytesReserved > 0 ? RETRY_FILES_S : untilNextDay(time) / 1000,
      limits: { fileBytesPerDay, fileBytesToday, fileBytesReserved },
    },
  );
}

function monthSpent(facts: Facts, unitsEstimated: number): LimitError {
  const { limits, balance, time } = facts;
  const [unitsPerMonth, restrictedUnits] = [outside(limits.unitsPerMonth), outside(limits.restrictedUnits)];
  return refused("quota", "units-restricted", facts, {
    detail: `The request costs ${counted(unitsEstimated, "unit")}; of the ${unitsPerMonth} of this month (UTC) and the ${restrictedUnits} of restricted mode ${leftOf(facts)} are left.`,
    retryAfter: (endOfMonth(time) - time) / 1000,
    limits: { unitsPerMonth, restrictedUnits, unitsSpentThisMonth: outside(balance.spent) },
    unitsEstimated,
  });
}

function tokenSpent(facts: Facts, unitsEstimated: number): LimitError {
  const maxUnits = outside(facts.limits.unitsPerMonth);
  return refused("quota", "units-token", facts, {
    detail: `The request costs ${counted(unitsEstimated, "unit")}; of the ${maxUnits} of this guest token ${leftOf(facts)} are left: ask for a new one, or sign up.`,
    retryAfter: TOKEN_S,
    limits: { maxUnits, unitsSpent: outside(facts.balance.spent) },
    unitsEstimated,
  });
}

/** The error of a request over the minute's number. */
export function requestRefusal(facts: Facts): LimitError {
  const { requestsPerMinute } = facts.limits;
  return refused("rate", "requests-minute", facts, {
    detail: `More than ${counted(requestsPerMinute, "request")} in a minute (UTC).`,
    retryAfter: untilNextMinute(facts.time) / 1000,
    limits: { requestsPerMinute, requestsThisMinute: Math.min(requestsPerMinute, facts.balance.minuteRequests) },
  });
}

interface Refused {
  readonly detail: string;
  readonly retryAfter: number;
  readonly limits: Readonly<Record<string, number>>;
  readonly unitsEstimated?: number;
}

function refused(
  code: LimitError["code"],
  policy: Policy,
  { payer, limits: ofTier, balance, time }: Facts,
  { detail, ...told }: Refused,
): LimitError {
  const receipt = { payer: { ...payer, limits: ofTier }, spent: NO_UNITS, balance, time };
  return new LimitError(code, detail, { ...told, policy, receipt });
}
