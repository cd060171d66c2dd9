import { accountRequests } from "./metering/answers/account-requests.ts";
import type { Admission } from "./metering/answers/admission.ts";
import type { UnitMetrics } from "./metering/answers/admitted.ts";
import { anonymousLimits } from "./metering/answers/anonymous-limits.ts";
import { requestCounts } from "./metering/answers/request-counts.ts";
import { unitAdmission } from "./metering/answers/unit-admission.ts";
import { DEFAULT_LIMITS } from "./metering/counters/limit-settings.ts";
import type { AccountsParts } from "./open-accounts.ts";

/** Clock and counters of {@link admissionOf}. */
export interface AdmissionOptions {
  /** The time, epoch milliseconds. */
  readonly now?: () => number;
  readonly metrics?: UnitMetrics;
}

/**
 * Decides how much the callers of a service may ask for, by the parts that it has: units and requests, or requests alone
 * where it counts no units; of callers without a key or token requests by their network.
 */
export function admissionOf(
  parts: Pick<AccountsParts, "limits" | "limitSettings" | "guestUnitsDay" | "units" | "accounts" | "addressLimits">,
  options: AdmissionOptions = {},
): Admission {
  const { accounts, addressLimits } = parts;
  const counts = countsOf(parts, options);
  const ofAccounts = accounts === undefined ? counts : accountRequests(accounts.limits, counts);
  return addressLimits === undefined ? ofAccounts : anonymousLimits(addressLimits, ofAccounts);
}

/** Units and requests, or requests alone where the service has no accounts of units. */
function countsOf(
  {
    units,
    limits,
    limitSettings = DEFAULT_LIMITS,
    guestUnitsDay,
  }: Pick<AccountsParts, "limits" | "limitSettings" | "guestUnitsDay" | "units">,
  { now = Date.now, metrics }: AdmissionOptions,
): Admission {
  if (units === undefined) return requestCounts(limits);
  return unitAdmission({
    accounts: units,
    requests: limits,
    limits: limitSettings,
    now,
    ...(metrics === undefined ? {} : { metrics }),
    ...(guestUnitsDay === undefined ? {} : { guestUnitsDay }),
  });
}
