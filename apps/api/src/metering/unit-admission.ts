import { randomUUID } from "node:crypto";
import type { Identity } from "../access/identity.ts";
import type { Admission, AdmissionRequest, Admitted, AnswerHeaders, HeldUnits } from "./admission.ts";
import type { LimitSettings } from "./limit-settings.ts";
import { dayOf, minuteOf, type Payer, payerOf, periodOf } from "./payer.ts";
import type { RequestLimits } from "./request-limits.ts";
import type { LimitedPayer, Reservation } from "./reservations.ts";
import type { UnitAccounts } from "./unit-accounts.ts";
import { ownerHeaders, unitHeaders } from "./unit-headers.ts";
import { NO_UNITS } from "./units.ts";

/** What becomes of units, for monitoring. */
export interface UnitMetrics {
  /** @param units in steps of 1/10,000. */
  units(what: "reserved" | "charged" | "released" | "expired" | "refunded", units: number): void;
}

export interface UnitAdmissionOptions {
  readonly accounts: UnitAccounts;
  /** Limits of requests with a key of the service's owner. */
  readonly requests: RequestLimits;
  /** What those limits are. */
  readonly limits: LimitSettings;
  readonly now: () => number;
  readonly metrics?: UnitMetrics;
}

/**
 * Units: accounts and guests are limited by them, and pay before their answer is sent. Keys of the service's owner are
 * limited by requests; their units are counted.
 */
export function unitAdmission(options: UnitAdmissionOptions): Admission {
  const { accounts, requests, limits, now, metrics } = options;
  const { reservations } = accounts;

  const headers = (payer: Payer, spent: number): AnswerHeaders =>
    isLimited(payer) ? unitHeaders(payer, spent, reservations.balance(payer), now()) : ownerHeaders(spent, limits);

  const limited = (payer: LimitedPayer, reservation: Reservation): Admitted => {
    let state: "open" | "charged" | "ended" = "open";
    let charged = NO_UNITS;
    return {
      async charge(units) {
        if (state !== "open") throw new Error("This request was settled before.");
        // whatever comes of it, the ledger ends the reservation
        state = "ended";
        const balance = await reservations.settle(reservation, units);
        [state, charged] = ["charged", units];
        metrics?.units("charged", units);
        if (reservation.units > units) metrics?.units("released", reservation.units - units);
        return unitHeaders(payer, units, balance, now());
      },
      async release(why = "failed") {
        if (state !== "open") return;
        state = "ended";
        await reservations.settle(reservation, NO_UNITS, why === "left" ? reservation.units : NO_UNITS);
        metrics?.units("released", reservation.units);
      },
      refund() {
        if (state !== "charged" || charged === 0) return;
        state = "ended";
        reservations.refund(reservation, charged);
        metrics?.units("refunded", charged);
      },
    };
  };

  const unlimited = (payer: Payer, { route }: AdmissionRequest): Admitted => {
    const time = now();
    let charged = NO_UNITS;
    return {
      async charge(units) {
        accounts.countUnits(payer, route, units, time);
        charged = units;
        metrics?.units("charged", units);
        return headers(payer, units);
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

  return {
    async arrive(identity, _access, route = "other") {
      const payer = payerFor(identity);
      await (isLimited(payer) ? reservations.arrive(payer) : requests.admit(identity));
      accounts.count(payer, route);
    },
    async admit(identity, request) {
      const payer = payerFor(identity);
      if (request.cost === 0) return { charge: async () => headers(payer, 0), release: async () => {} };
      if (!isLimited(payer)) return unlimited(payer, request);
      const reservation = await reservations.reserve(payer, request);
      metrics?.units("reserved", request.cost);
      return limited(payer, reservation);
    },
    isLikely(identity, { cost }) {
      const payer = payerFor(identity);
      return isLimited(payer) && (reservations.isLikely?.(payer, cost) ?? false);
    },
    async hold(identity, request) {
      const payer = payerFor(identity);
      if (request.cost === 0) return undefined;
      if (!isLimited(payer)) return heldByOwner(payer, request, now());
      const reservation = await reservations.hold(payer, request);
      metrics?.units("reserved", request.cost);
      const { id, units, period, minute, usage } = reservation;
      return {
        charge: { id, payer: payer.id, units, period, minute, ...(usage === undefined ? {} : { usage }) },
        async release() {
          await reservations.settle(reservation, NO_UNITS);
          metrics?.units("released", units);
        },
      };
    },
    headersOf: (identity) => headers(payerFor(identity), 0),
  };
}

/** @throws {Error} for anonymous callers, whom another admission takes. */
function payerFor(identity: Identity): Payer {
  const payer = payerOf(identity);
  if (payer === undefined) throw new Error("Anonymous callers pay nothing.");
  return payer;
}

function isLimited(payer: Payer): payer is LimitedPayer {
  return payer.limits !== undefined;
}

/** A job of the service's owner reserves nothing: it is counted when it is done. */
function heldByOwner(payer: Payer, { route, cost }: AdmissionRequest, time: number): HeldUnits {
  const usage = { day: dayOf(time), route, key: payer.key };
  const [period, minute] = [periodOf(payer, time), minuteOf(time)];
  return {
    charge: { id: randomUUID(), payer: payer.id, units: cost, period, minute, usage },
    release: async () => {},
  };
}
