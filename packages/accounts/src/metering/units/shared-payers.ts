import type { Identity } from "../../identity.ts";
import type { LimitedPayer } from "./payer.ts";
import { payerOf } from "./payer.ts";
import type { TierLimits } from "./tiers.ts";
import { NO_UNITS, toUnits, type Units } from "./units.ts";

/** Units that all guests of one network spend in a day. */
const NETWORK_UNITS = toUnits(300);
/** Units that all guests of the service spend in a day, where the owner says nothing else. */
export const GUEST_UNITS_DAY = 20_000;
/** Bytes of result files that an account writes in a day. */
const FILE_BYTES = 10_000_000_000;

/** Limits of a day alone. */
const ofDay = (amount: number): TierLimits => ({
  unitsPerMonth: amount as Units,
  unitsPerMinute: Number.POSITIVE_INFINITY as Units,
  requestsPerMinute: Number.POSITIVE_INFINITY,
  concurrentRequests: Number.POSITIVE_INFINITY,
  unitsPerRequest: Number.POSITIVE_INFINITY as Units,
  restrictedUnits: NO_UNITS,
  keys: 0,
});

const OF_NETWORK = ofDay(NETWORK_UNITS);
const OF_FILES = ofDay(FILE_BYTES);

/**
 * The payers that a guest shares with others: tokens cost nothing, so their units are limited for the network that
 * they are sent from, and for the whole service.
 *
 * @param serviceUnits units a day, of all guests.
 */
export function guestPayers(serviceUnits: number): (identity: Identity) => readonly LimitedPayer[] {
  const service: LimitedPayer = {
    id: "guest:service",
    key: "guest",
    period: "day",
    limits: ofDay(toUnits(serviceUnits)),
    title: "All guests of the service",
  };
  return ({ tier, network = "unknown" }) => {
    if (tier !== "guest") return [];
    const ofNetwork = { ...service, id: `guest:network ${network}`, limits: OF_NETWORK, title: "Guests of a network" };
    return [ofNetwork, service];
  };
}

/** Returns the payer of result files, in bytes a day; undefined for keys of the owner, who pays for the disk. */
export function filesPayer(identity: Identity): LimitedPayer | undefined {
  const payer = payerOf(identity);
  if (payer?.limits === undefined) return undefined;
  return { id: `files:${payer.id}`, key: payer.key, period: "day", limits: OF_FILES, title: "Files of an account" };
}
