import type { Admission, Admitted, Identity, Tier, UnitMetrics } from "@swath/accounts";
import { DEFAULT_LIMITS, toUnits, unitAdmission } from "@swath/accounts";
import { openUnitAccounts, type UnitAccounts } from "@swath/accounts/node";
import type { Store } from "@swath/store";
import { DATA } from "../src/access/route-access.ts";

/** The identity of a key of an account. */
export function accountIdentity(account: string, tier: "free" | "pro" = "free", key = `${account}-key`): Identity {
  return { credential: "key", subject: key, account, usedKey: key, scopes: ["data"], tier };
}

export function guestIdentity(token: string): Identity {
  return { credential: "guest", subject: token, scopes: ["tiles"], tier: "guest" satisfies Tier };
}

/** A node's admission of units over a store, and short forms of what tests do with it. */
export interface UnitNode {
  readonly admission: Admission;
  readonly accounts: UnitAccounts;
  /** Arrives and reserves. */
  admit(identity: Identity, units: number, route?: string): Promise<Admitted>;
  /** Arrives, reserves and is charged, as a good answer is; gives its headers. */
  spend(identity: Identity, units: number, route?: string): Promise<Readonly<Record<string, string>>>;
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
      await admission.arrive(identity, DATA, route);
      return admission.admit(identity, { route, cost: toUnits(units) });
    },
    async spend(identity, units, route = "getTile") {
      return (await node.admit(identity, units, route)).charge(toUnits(units));
    },
  };
  return node;
}
