import type { Identity, Tier } from "../../packages/accounts/src/identity.ts";
import type { Admission, Admitted, Receipt } from "../../packages/accounts/src/metering/answers/admission.ts";
import type { UnitMetrics } from "../../packages/accounts/src/metering/answers/admitted.ts";
import { unitAdmission } from "../../packages/accounts/src/metering/answers/unit-admission.ts";
import { DEFAULT_LIMITS } from "../../packages/accounts/src/metering/counters/limit-settings.ts";
import {
  openUnitAccounts,
  type UnitAccounts,
} from "../../packages/accounts/src/metering/reservations/unit-accounts.ts";
import {
  type CurrentLimits,
  currentLimits,
  remainingUnits,
} from "../../packages/accounts/src/metering/units/balance.ts";
import type { Payer } from "../../packages/accounts/src/metering/units/payer.ts";
import { fromUnits, toUnits, type Units } from "../../packages/accounts/src/metering/units/units.ts";
import type { Store } from "../../packages/store/src/store.ts";

/** The identity of a key of an account. */
export function accountIdentity(account: string, tier: "free" | "pro" = "free", key = `${account}-key`): Identity {
  return { credential: "key", subject: key, account, usedKey: key, scopes: ["data"], tier };
}

export function guestIdentity(token: string): Identity {
  return { credential: "guest", subject: token, scopes: ["tiles"], tier: "guest" satisfies Tier };
}

/** The contents of a receipt, in units. */
export interface Told {
  readonly spent: number;
  /** Units left of the period and of its allowance; absent: they are not limited. */
  readonly remaining?: number;
  /** Units left of the minute. */
  readonly minute?: number;
  /** Whether the units are those of a month, a day or a token. */
  readonly period?: Payer["period"];
  /** The limits that apply now. */
  readonly limits?: CurrentLimits;
}

export function told(receipt: Receipt): Told {
  if (receipt === undefined) throw new Error("Nobody has paid.");
  const spent = fromUnits(receipt.spent);
  if ("rates" in receipt) return { spent };
  const { payer, balance } = receipt;
  const limits = currentLimits(balance.spent + balance.reserved, payer.limits);
  return {
    spent,
    remaining: fromUnits(remainingUnits(balance, payer.limits) as Units),
    minute: fromUnits((limits.unitsPerMinute - balance.minuteUnits) as Units),
    period: payer.period,
    limits,
  };
}

/** A node's admission of units over a store, and short forms of what tests do with it. */
export interface UnitNode {
  readonly admission: Admission;
  readonly accounts: UnitAccounts;
  /** Arrives and reserves. */
  admit(identity: Identity, units: number, route?: string): Promise<Admitted>;
  /** Arrives, reserves and is charged, as a good answer is. */
  spend(identity: Identity, units: number, route?: string): Promise<Told>;
}

export interface UnitNodeOptions {
  readonly now?: () => number;
  readonly metrics?: UnitMetrics;
  readonly guestUnitsDay?: number;
  readonly retryMs?: number;
  readonly patienceMs?: number;
}

export function unitNode(
  store: Store,
  { now = Date.now, metrics, guestUnitsDay, ...options }: UnitNodeOptions = {},
): UnitNode {
  const accounts = openUnitAccounts(store, { now, ...options });
  const admission = unitAdmission({
    accounts,
    requests: { admit: async () => {} },
    limits: DEFAULT_LIMITS,
    now,
    ...(metrics === undefined ? {} : { metrics }),
    ...(guestUnitsDay === undefined ? {} : { guestUnitsDay }),
  });
  const node: UnitNode = {
    admission,
    accounts,
    async admit(identity, units, route = "getTile") {
      await admission.arrive(identity, "other", route);
      return admission.admit(identity, { route, cost: toUnits(units) });
    },
    async spend(identity, units, route = "getTile") {
      return told(await (await node.admit(identity, units, route)).charge(toUnits(units)));
    },
  };
  return node;
}
