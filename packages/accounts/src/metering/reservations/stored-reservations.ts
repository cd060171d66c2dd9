import { randomUUID } from "node:crypto";
import { Remembered } from "@swath/http";
import type { Store } from "@swath/store";
import { minuteOf } from "../../calendar.ts";
import { type Balance, EMPTY, inMinute, refusalOf, reserve } from "../units/balance.ts";
import type { LimitedPayer } from "../units/payer.ts";
import { periodOf } from "../units/payer.ts";
import { requestRefusal, unitRefusal } from "../units/unit-refusals.ts";
import type { PayerRow } from "../units/unit-rows.ts";
import { NO_UNITS, type Units } from "../units/units.ts";
import { RequestLeases } from "./request-leases.ts";
import {
  RESERVATION_MS,
  type Reservation,
  type ReservationRequest,
  type Reservations,
  refundIn,
  reservationOf,
  settlementOf,
} from "./reservations.ts";
import { type AskedUnits, type Decision, reserveByFunction } from "./reserve-by-function.ts";
import type { UnitLedger } from "./unit-ledger.ts";

const MAX_BATCH = 64;
/** Payers whose balance a node remembers, for headers, and to know who surely has units left. */
const MAX_BALANCES = 50_000;

type RowReservation = Reservation & { readonly id: string };

interface Asked extends ReservationRequest, AskedUnits {
  readonly time: number;
  readonly resolve: (reservation: RowReservation) => void;
  readonly reject: (error: unknown) => void;
}

export interface StoredReservationsOptions {
  /** PostgreSQL. */
  readonly store: Store;
  readonly ledger: UnitLedger;
  readonly now: () => number;
}

/**
 * Reservations as rows of the store: concurrency and units are exact over all nodes. The requests that wait while a
 * statement runs are the next one.
 */
export class StoredReservations implements Reservations {
  readonly #options: StoredReservationsOptions;
  /** As the store said it last, with what this node has reserved and ended since. */
  readonly #balances = new Remembered<Balance>({ max: MAX_BALANCES });
  readonly #leases: RequestLeases;
  #waiting: Asked[] = [];
  #running = false;

  constructor(options: StoredReservationsOptions) {
    this.#options = options;
    this.#leases = new RequestLeases(options.store, (row) => this.#remember(row));
  }

  async arrive(payer: LimitedPayer): Promise<void> {
    const time = this.#options.now();
    const { requestsPerMinute } = payer.limits;
    const taken = this.#leases.take(payer.id, requestsPerMinute, minuteOf(time));
    if (typeof taken === "boolean" ? taken : await taken) return;
    throw requestRefusal({ payer, limits: payer.limits, balance: this.balance(payer), time });
  }

  isLikely(payer: LimitedPayer, cost: Units): boolean {
    const known = this.#balances.get(payer.id) !== undefined;
    return known && refusalOf(this.balance(payer), cost, payer.limits, true) === undefined;
  }

  reserve(payer: LimitedPayer, request: ReservationRequest): Promise<Reservation> {
    return this.#ask(payer, request, true);
  }

  hold(payer: LimitedPayer, request: ReservationRequest): Promise<RowReservation> {
    return this.#ask(payer, request, false);
  }

  async settle(reservation: Reservation, charged: Units, cutOff = NO_UNITS): Promise<Balance> {
    const { payer, units, takesSlot } = reservation;
    const row = await this.#options.ledger.settle(settlementOf(reservation, { reserved: units, charged, cutOff }));
    this.#remember(row, { units, slots: takesSlot ? 1 : 0 });
    return this.balance(payer);
  }

  refund(reservation: Reservation, charged: Units): void {
    refundIn(this.#options.ledger, reservation, charged);
  }

  balance(payer: LimitedPayer): Balance {
    const time = this.#options.now();
    const period = periodOf(payer, time);
    const known = this.#balances.get(payer.id);
    const balance = known?.period === period ? known : { ...EMPTY, ...known, period, spent: 0, reserved: 0 };
    return inMinute(balance, minuteOf(time));
  }

  #remember(row: PayerRow, ended = { units: 0, slots: 0 }): void {
    const known = this.#balances.get(row.payer) ?? EMPTY;
    this.#balances.set(row.payer, {
      ...row,
      reserved: Math.max(0, known.reserved - ended.units),
      running: Math.max(0, known.running - ended.slots),
    });
  }

  #ask(payer: LimitedPayer, request: ReservationRequest, takesSlot: boolean): Promise<RowReservation> {
    return new Promise((resolve, reject) => {
      // known before it is written: where nobody can say whether the statement went well, the row is removed
      const id = randomUUID();
      this.#waiting.push({ ...request, id, payer, takesSlot, time: this.#options.now(), resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    this.#running = true;
    // reservations of the same turn of the event loop go into the same statement
    await undefined;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, MAX_BATCH);
      const time = this.#options.now();
      try {
        const decided = await reserveByFunction(this.#options.store, asked, { time, expires: time + RESERVATION_MS });
        for (const each of asked) {
          try {
            each.resolve(this.#decided(each, decided.get(each.id), time));
          } catch (error) {
            each.reject(error);
          }
        }
      } catch (error) {
        for (const each of asked) this.#takeBack(each);
        // nobody waits for a store that does not answer
        for (const { reject } of [...asked, ...this.#waiting.splice(0)]) reject(error);
        void this.#options.ledger.flush();
      }
    }
    this.#running = false;
  }

  /** @throws {LimitError} where the store has refused. */
  #decided(asked: Asked, decision: Decision | undefined, time: number): RowReservation {
    if (decision === undefined) throw new Error("A reservation was not decided.");
    const { id, payer, cost, takesSlot } = asked;
    const { refusal, balance } = decision;
    if (refusal !== undefined) {
      this.#balances.set(payer.id, balance);
      throw unitRefusal(refusal, cost, { payer, limits: payer.limits, balance, time: asked.time });
    }
    this.#balances.set(payer.id, reserve(balance, cost, takesSlot));
    return { id, ...reservationOf({ ...asked, time }, balance) };
  }

  /** Removes a reservation that may have been written. */
  #takeBack({ id, payer, cost, time }: Asked): void {
    const row = { payer: payer.id, period: periodOf(payer, time), minute: minuteOf(time), reservation: id };
    this.#options.ledger.add({ ...row, reserved: cost, charged: NO_UNITS, requests: 0 });
  }
}
