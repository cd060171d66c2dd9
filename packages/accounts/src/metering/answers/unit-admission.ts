import { dayOf, minuteOf } from "../../calendar.ts";
import { LimitError } from "../../errors.ts";
import type { Identity } from "../../identity.ts";
import type { LimitSettings } from "../counters/limit-settings.ts";
import type { RequestLimits } from "../counters/request-limits.ts";
import type { UnitAccounts } from "../reservations/unit-accounts.ts";
import { mapPayer } from "../units/map-payers.ts";
import type { LimitedPayer } from "../units/payer.ts";
import { type Payer, payerOf, periodOf } from "../units/payer.ts";
import { filesPayer, GUEST_UNITS_DAY, guestPayers } from "../units/shared-payers.ts";
import { NO_UNITS, type Units } from "../units/units.ts";
import type { Admission, AdmissionRequest, Admitted, HeldUnits, Receipt } from "./admission.ts";
import {
  type AdmittedOptions,
  type AdmittedPart,
  admitAll,
  admitReservation,
  tightest,
  type UnitMetrics,
} from "./admitted.ts";
import { MapTurns } from "./map-turns.ts";

/** Options of the admission by units. */
export interface UnitAdmissionOptions {
  readonly accounts: UnitAccounts;
  /** Limits of requests with a key of the service's owner. */
  readonly requests: RequestLimits;
  /** Those limits. */
  readonly limits: LimitSettings;
  readonly now: () => number;
  readonly metrics?: UnitMetrics;
  /** Units that all guests of the service spend in a day; default 20,000. */
  readonly guestUnitsDay?: number;
}

/** The reservation of one payer of a request. */
interface Part {
  readonly payer: LimitedPayer;
  readonly amount: Units;
  readonly countedIn: AdmittedPart["countedIn"];
}

/**
 * Units: accounts and guests are limited by them, and pay before their answer is sent. Keys of the service's owner are
 * limited by requests; their units are counted.
 */
export function unitAdmission(options: UnitAdmissionOptions): Admission {
  const { accounts, requests, limits, now, metrics, guestUnitsDay = GUEST_UNITS_DAY } = options;
  const ofGuests = guestPayers(guestUnitsDay);
  const sharedBy = (identity: Identity): readonly LimitedPayer[] => {
    const ofMap = mapPayer(identity);
    return ofMap === undefined ? ofGuests(identity) : [ofMap];
  };
  const turns = new MapTurns();
  const { reservations } = accounts;

  const receipt = (payer: Payer, spent: Units): Receipt =>
    isLimited(payer) ? { payer, spent, balance: reservations.balance(payer), time: now() } : { spent, rates: limits };

  /** Returns the reservations of a request: of its units, and of the bytes of its file. */
  const parts = (identity: Identity, payer: Payer, { cost, fileBytes = 0 }: AdmissionRequest): readonly Part[] => {
    const files = fileBytes === 0 ? undefined : filesPayer(identity);
    return [
      ...(isLimited(payer) ? [{ payer, amount: cost, countedIn: "units" } as const] : []),
      ...sharedBy(identity).map((each) => ({ payer: each, amount: cost, countedIn: "units" }) as const),
      ...(files === undefined ? [] : [{ payer: files, amount: fileBytes as Units, countedIn: "bytes" } as const]),
    ];
  };

  const reserve = async ({ payer, amount, countedIn }: Part, route: string, isMain: boolean): Promise<AdmittedPart> => {
    const reservation = await reservations.reserve(payer, { route, cost: amount });
    const counted = isMain ? metrics : undefined;
    counted?.units("reserved", amount);
    return { countedIn, admitted: admitReservation(payer, reservation, { reservations, now, metrics: counted }) };
  };

  /** Reserves for all payers at once; where one has too little, the others get theirs back. */
  const reserveAll = async (asked: readonly Part[], route: string): Promise<Admitted> => {
    const settled = await Promise.allSettled(asked.map((part, i) => reserve(part, route, i === 0)));
    const made = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const failed = settled.find((each) => each.status === "rejected");
    if (failed !== undefined) {
      await Promise.all(made.map(({ admitted }) => admitted.release()));
      throw failed.reason;
    }
    return admitAll(made);
  };

  const unlimited = (payer: Payer, { route }: AdmissionRequest): Admitted => {
    const time = now();
    let charged = NO_UNITS;
    return {
      async charge(units) {
        accounts.countUnits(payer, route, units, time);
        charged = units;
        metrics?.units("charged", units);
        return receipt(payer, units);
      },
      release: async () => {},
      refund() {
        if (charged === 0) return;
        accounts.countUnits(payer, route, -charged, time);
        metrics?.units("refunded", charged);
        charged = NO_UNITS;
      },
    };
  };

  /** Reserves for a map: its day's units, and its account's. */
  const admitMap = async (identity: Identity, payer: Payer, request: AdmissionRequest): Promise<Admitted> => {
    const reserved = await reserveAll(parts(identity, payer, request), request.route);
    if (isLimited(payer)) return reserved;
    // the owner's units are counted and not limited
    const counted = unlimited(payer, request);
    return admitAll([
      { admitted: reserved, countedIn: "units" },
      { admitted: counted, countedIn: "units" },
    ]);
  };

  const admission: Admission = {
    async arrive(identity, _kind, route = "other") {
      const payer = payerFor(identity);
      const ofMap = mapPayer(identity);
      if (ofMap !== undefined) await shownToAnyone(reservations.arrive(ofMap));
      else await (isLimited(payer) ? reservations.arrive(payer) : requests.admit(identity));
      accounts.count(payer, route);
    },
    async admit(identity, request) {
      const payer = payerFor(identity);
      if (request.cost === 0) return { charge: async () => admission.receiptFor?.(identity), release: async () => {} };
      if (identity.map !== undefined) {
        return shownToAnyone(turns.take(identity.map.id, () => admitMap(identity, payer, request)));
      }
      if (!isLimited(payer)) return unlimited(payer, request);
      const asked = parts(identity, payer, request);
      const [only] = asked;
      if (only !== undefined && asked.length === 1) return (await reserve(only, request.route, true)).admitted;
      return reserveAll(asked, request.route);
    },
    isLikely(identity, request) {
      const payer = payerFor(identity);
      if (!isLimited(payer) && identity.map === undefined) return false;
      return parts(identity, payer, request).every((part) => reservations.isLikely?.(part.payer, part.amount) ?? false);
    },
    async hold(identity, request) {
      const payer = payerFor(identity);
      if (request.cost === 0) return undefined;
      if (!isLimited(payer)) return heldByOwner(payer, request, now());
      return holdAll(parts(identity, payer, request), request.route, { reservations, now, metrics });
    },
    receiptFor(identity) {
      if (identity.map !== undefined) return undefined;
      const payer = payerFor(identity);
      return tightest([payer, ...sharedBy(identity)].map((each) => receipt(each, NO_UNITS)));
    },
  };
  return admission;
}

/** @throws {Error} for anonymous callers, whom another admission takes. */
function payerFor(identity: Identity): Payer {
  const payer = payerOf(identity);
  if (payer === undefined) throw new Error("Anonymous callers pay nothing.");
  return payer;
}

/**
 * Waits for what a map is refused. Whoever has its address reads the refusal: it says nothing of its account's units.
 *
 * @throws {LimitError} without a receipt; of an account without its numbers.
 */
async function shownToAnyone<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    const { retryAfter, policy, limits } = error.facts;
    const wait = retryAfter === undefined ? {} : { retryAfter };
    if (policy === "units-day" || policy === "requests-minute" || policy === "concurrent") {
      throw new LimitError(error.code, error.message, { limits, policy, ...wait });
    }
    const isMonth = error.code === "quota";
    const detail = `The account of this map has no units left ${isMonth ? "in this month" : "in this minute"} (UTC).`;
    throw new LimitError(isMonth ? "quota" : "rate", detail, { limits: {}, ...wait });
  }
}

function isLimited(payer: Payer): payer is LimitedPayer {
  return payer.limits !== undefined;
}

/** Reserves the cost of a background job, and the bytes of its file, in rows that any node can settle. */
async function holdAll(
  asked: readonly Part[],
  route: string,
  { reservations, metrics }: AdmittedOptions,
): Promise<HeldUnits> {
  const settled = await Promise.allSettled(
    asked.map(({ payer, amount }) => reservations.hold(payer, { route, cost: amount })),
  );
  const held = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const release = async (): Promise<void> => {
    await Promise.all(held.map((each) => reservations.settle(each, NO_UNITS)));
  };
  const failed = settled.find((each) => each.status === "rejected");
  if (failed !== undefined) {
    await release();
    throw failed.reason;
  }
  const [main, files] = held.map(({ id, payer, units, period, minute, usage }) => ({
    id,
    payer: payer.id,
    units,
    period,
    minute,
    ...(usage === undefined ? {} : { usage }),
  }));
  if (main === undefined) throw new Error("A job has no payer.");
  metrics?.units("reserved", main.units);
  return {
    charge: { ...main, ...(files === undefined ? {} : { files }) },
    async release() {
      await release();
      metrics?.units("released", main.units);
    },
  };
}

/** A job of the service's owner reserves nothing: it is counted when it is done. */
function heldByOwner(payer: Payer, { route, cost }: AdmissionRequest, time: number): HeldUnits {
  const usage = { day: dayOf(time), route, key: payer.key };
  const [period, minute] = [periodOf(payer, time), minuteOf(time)];
  return {
    charge: { id: crypto.randomUUID(), payer: payer.id, units: cost, period, minute, usage },
    release: async () => {},
  };
}
