import type { Reservation, Reservations } from "../reservations/reservations.ts";
import { remainingUnits } from "../units/balance.ts";
import type { LimitedPayer } from "../units/payer.ts";
import { NO_UNITS, type Units } from "../units/units.ts";
import type { Admitted, Receipt } from "./admission.ts";

/** Counts the outcomes of units, for monitoring. */
export interface UnitMetrics {
  /** @param units in steps of 1/10,000. */
  units(what: "reserved" | "charged" | "released" | "expired" | "refunded", units: number): void;
}

export interface AdmittedOptions {
  readonly reservations: Reservations;
  readonly now: () => number;
  /** Absent: what is reserved here is counted elsewhere. */
  readonly metrics?: UnitMetrics | undefined;
}

/** A reservation of one payer, to be charged or released once. */
export function admitReservation(
  payer: LimitedPayer,
  reservation: Reservation,
  { reservations, now, metrics }: AdmittedOptions,
): Admitted {
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
      return { payer, spent: units, balance, time: now() };
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
}

/** One of the payers of a request, and what it is charged: its units, or the bytes of its files. */
export interface AdmittedPart {
  readonly admitted: Admitted;
  readonly countedIn: "units" | "bytes";
}

/** A request with several payers, each of whom is charged; where one charge fails, the others are given back. */
export function admitAll(parts: readonly AdmittedPart[]): Admitted {
  return {
    async charge(units, fileBytes = 0) {
      const charging = parts.map(({ admitted, countedIn }) =>
        admitted.charge(countedIn === "units" ? units : (fileBytes as Units)),
      );
      const settled = await Promise.allSettled(charging);
      const failed = settled.find((each) => each.status === "rejected");
      if (failed !== undefined) {
        for (const [i, each] of settled.entries()) if (each.status === "fulfilled") parts[i]?.admitted.refund?.();
        throw failed.reason;
      }
      const receipts = await Promise.all(charging);
      return tightest(receipts.filter((_, i) => parts[i]?.countedIn === "units"));
    },
    async release(why) {
      await Promise.all(parts.map(({ admitted }) => admitted.release(why)));
    },
    refund() {
      for (const { admitted } of parts) admitted.refund?.();
    },
  };
}

/** The receipt of the payer who has the least units left. */
export function tightest(receipts: readonly Receipt[]): Receipt {
  const remaining = (each: Receipt): number =>
    each !== undefined && "balance" in each
      ? remainingUnits(each.balance, each.payer.limits)
      : Number.POSITIVE_INFINITY;
  return receipts.reduce((least, each) => (remaining(each) < remaining(least) ? each : least));
}
