import type { Tier } from "../../identity.ts";
import { NO_UNITS, toUnits, type Units } from "./units.ts";

/** The limits of an account of a tier. */
export interface TierLimits {
  readonly unitsPerMonth: Units;
  readonly unitsPerMinute: Units;
  readonly requestsPerMinute: number;
  readonly concurrentRequests: number;
  /** Most that one request may cost. */
  readonly unitsPerRequest: Units;
  /** Units more in the month once `unitsPerMonth` are spent, one request at a time and at a tenth of the rate. */
  readonly restrictedUnits: Units;
  /** Active keys. */
  readonly keys: number;
}

/** Tiers whose units are limited. Keys of the service's owner are limited by requests, anonymous callers by address. */
export type MeteredTier = Exclude<Tier, "owner" | "anonymous" | "guest">;

/** The tiers and their limits. */
export const TIERS: Readonly<Record<MeteredTier, TierLimits>> = {
  free: {
    unitsPerMonth: toUnits(10_000),
    unitsPerMinute: toUnits(300),
    requestsPerMinute: 600,
    concurrentRequests: 2,
    unitsPerRequest: toUnits(100),
    restrictedUnits: toUnits(5000),
    keys: 2,
  },
  pro: {
    unitsPerMonth: toUnits(200_000),
    unitsPerMinute: toUnits(1500),
    requestsPerMinute: 600,
    concurrentRequests: 10,
    unitsPerRequest: toUnits(1000),
    restrictedUnits: toUnits(20_000),
    keys: 5,
  },
};

/** Limits of accounts as requests of maps meet them: the open requests of a map are its own. */
const OF_ACCOUNT: Readonly<Record<MeteredTier, TierLimits>> = {
  free: { ...TIERS.free, concurrentRequests: Number.POSITIVE_INFINITY },
  pro: { ...TIERS.pro, concurrentRequests: Number.POSITIVE_INFINITY },
};

/** Returns the limits of an account for requests of its maps. */
export function limitsOfMaps(tier: MeteredTier): TierLimits {
  return OF_ACCOUNT[tier];
}

/** Units of one guest token, for as long as it lives. */
export const GUEST_UNITS = toUnits(100);

/** The limits of one guest token: its units are not of a month, and only they and requests are limited. */
export const GUEST_LIMITS: TierLimits = {
  unitsPerMonth: GUEST_UNITS,
  unitsPerMinute: Number.POSITIVE_INFINITY as Units,
  requestsPerMinute: 600,
  concurrentRequests: Number.POSITIVE_INFINITY,
  unitsPerRequest: GUEST_UNITS,
  restrictedUnits: NO_UNITS,
  keys: 0,
};
