import { type Identity, type Tier } from "../../packages/accounts/src/identity.ts";
import { type Admission, type Admitted } from "../../packages/accounts/src/metering/answers/admission.ts";
import { type UnitMetrics } from "../../packages/accounts/src/metering/answers/admitted.ts";
import { unitAdmission } from "../../packages/accounts/src/metering/answers/unit-admission.ts";
import { DEFAULT_LIMITS } from "../../packages/accounts/src/metering/counters/limit-settings.ts";
import { toUnits } from "../../packages/accounts/src/metering/reservations/units.ts";
import { openUnitAccounts, type UnitAccounts } from "../../packages/accounts/src/metering/reservations/unit-accounts.ts";
import { type Store } from "../../packages/store/src/store.ts";
import { DATA } from "../../apps/api/src/access/route-access.ts";

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
