import { dayOf } from "../../calendar.ts";
import type { Balance } from "../units/balance.ts";
import type { LimitedPayer } from "../units/payer.ts";
import type { Settlement, UsageKey } from "../units/unit-rows.ts";
import type { Units } from "../units/units.ts";
import type { UnitLedger } from "./unit-ledger.ts";

/** Units of a request that may run. */
export interface Reservation {
  /** Row of the store; absent: it is held in memory. */
  readonly id?: string;
  readonly payer: LimitedPayer;
  readonly units: Units;
  /** Period, minute and usage row of the admission, whenever the request ends. */
  readonly period: string;
  readonly minute: number;
  readonly usage?: UsageKey;
  readonly takesSlot: boolean;
}

/** The request that units are reserved for. */
export interface ReservationRequest {
  /** Operation id. */
  readonly route: string;
  readonly cost: Units;
}

/** Limits payers, and holds the units of their open requests. */
export interface Reservations {
  /**
   * Counts a request of the payer's minute.
   *
   * @throws {LimitError} `rate`.
   */
  arrive(payer: LimitedPayer): Promise<void>;
  /**
   * Whether this node knows that a payer has the units of a request, so that its work may begin while they are being
   * reserved. Absent: reserving waits for nothing.
   */
  isLikely?(payer: LimitedPayer, cost: Units): boolean;
  /**
   * Reserves the units of a request.
   *
   * @throws {LimitError} `cost`, `quota`, `rate`, `concurrency`.
   */
  reserve(payer: LimitedPayer, request: ReservationRequest): Promise<Reservation>;
  /**
   * Reserves the units of a background job, in a row of the store that any node can settle.
   *
   * @throws as `reserve`, except `concurrency`.
   */
  hold(payer: LimitedPayer, request: ReservationRequest): Promise<Reservation & { readonly id: string }>;
  /**
   * Ends a reservation, once: charges these units of it, 0 to release it.
   *
   * @param cutOff units of it that stay spent in its minute though they are not charged.
   * @returns the balance after it; what is charged is in the store.
   */
  settle(reservation: Reservation, charged: Units, cutOff?: Units): Promise<Balance>;
  /** Gives back to the month what was charged, for an answer that was not sent after all; it stays spent in the minute. */
  refund(reservation: Reservation, charged: Units): void;
  /** The balance as this node knows it. */
  balance(payer: LimitedPayer): Balance;
}

/** A reservation that is not settled by then is void: its node died. Milliseconds. */
export const RESERVATION_MS = 600_000;

/**
 * Returns the facts that a reservation keeps of its admission: the balance before it, and the time in epoch
 * milliseconds.
 */
export function reservationOf(
  asked: ReservationRequest & { readonly payer: LimitedPayer; readonly takesSlot: boolean; readonly time: number },
  { period, minute }: Balance,
): Reservation {
  const { payer, cost, route, takesSlot, time } = asked;
  return {
    payer,
    units: cost,
    period,
    minute,
    takesSlot,
    // nobody reads the usage of a guest
    ...(payer.period !== "month" ? {} : { usage: { day: dayOf(time), route, key: payer.key } }),
  };
}

/**
 * Returns the settlement of a reservation that ends: it is charged `units`, and its row in the store goes, where it has one.
 *
 * @param units.reserved of the minute in the store, which counts reservations of rows alone.
 */
export function settlementOf(
  { id, payer, period, minute, usage }: Reservation,
  units: Pick<Settlement, "reserved" | "charged" | "cutOff">,
): Settlement {
  return {
    payer: payer.id,
    period,
    minute,
    ...(id === undefined ? {} : { reservation: id }),
    ...units,
    requests: 0,
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Gives back the charge of a reservation in the store, except in its minute: its row there has ended before. */
export function refundIn(
  ledger: Pick<UnitLedger, "add" | "flush">,
  { id: _, ...reservation }: Reservation,
  charged: Units,
): void {
  ledger.add(settlementOf(reservation, { reserved: 0, charged: -charged, cutOff: charged }));
  void ledger.flush();
}
