import type { Identity } from "../../identity.ts";
import type { LimitedPayer } from "./payer.ts";
import { TIERS } from "./tiers.ts";
import { NO_UNITS, toUnits, type Units } from "./units.ts";

/**
 * Requests of one map in a minute. They are not the account's: whoever has the address of a public map must not be able to lock
 * its owner out.
 */
const REQUESTS_PER_MINUTE = 6000;
/** Images of one map of the service's owner that are rendered at once. */
const OWNER_CONCURRENT = 10;

/** Returns the payer of the units of a map's day, besides its account; undefined for identities that are no map. */
export function mapPayer({ map, tier }: Identity): LimitedPayer | undefined {
  if (map === undefined) return undefined;
  return {
    id: `map:${map.id}`,
    key: map.id,
    period: "day",
    title: "This map",
    limits: {
      unitsPerMonth: toUnits(map.unitsPerDay),
      unitsPerMinute: Number.POSITIVE_INFINITY as Units,
      requestsPerMinute: REQUESTS_PER_MINUTE,
      concurrentRequests: tier === "free" || tier === "pro" ? TIERS[tier].concurrentRequests : OWNER_CONCURRENT,
      unitsPerRequest: Number.POSITIVE_INFINITY as Units,
      restrictedUnits: NO_UNITS,
      keys: 0,
    },
  };
}
