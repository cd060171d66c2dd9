import { randomUUID } from "node:crypto";
import type { Store } from "@swath/store";
import { minuteOf } from "../../calendar.ts";
import { type Balance, EMPTY, inMinute, refusalOf, reserve } from "../units/balance.ts";
import type { LimitedPayer } from "../units/payer.ts";
import { periodOf } from "../units/payer.ts";
import { requestRefusal, unitRefusal } from "../units/unit-refusals.ts";
import { PAYER_COLUMNS, type PayerRow, payerRow, spentInPeriod } from "../units/unit-rows.ts";
import { NO_UNITS, type Units } from "../units/units.ts";
import {
  RESERVATION_MS,
  type Reservation,
  type ReservationRequest,
  type Reservations,
  refundIn,
  reservationOf,
  settlementOf,
} from "./reservations.ts";
import type { UnitLedger } from "./unit-ledger.ts";

const FORGET_MINUTES = 10;

const READ = `select ${PAYER_COLUMNS} from unit_payer where payer = $1`;
const HELD = `select coalesce(sum(units), 0) as units from unit_reservation
  where payer = $1 and period = $2 and expires > $3`;
const HOLD = "insert into unit_reservation(id, payer, period, units, slot, expires) values ($1, $2, $3, $4, 0, $5)";

/** A payer as this process knows it. */
interface Entry {
  /** `spent` is what the store has; what is being charged stays in `reserved` until the store has it. */
  balance: Balance;
  /** Units of background jobs, which are reserved in the store. */
  held: number;
}

export interface MemoryReservationsOptions {
  readonly store: Store;
  readonly ledger: UnitLedger;
  readonly now: () => number;
}

/**
 * Reservations of the only process that answers requests: in memory, exact, and void when it dies. What is charged is in
 * the store; background jobs, which another process may carry out, reserve there too.
 */
export class MemoryReservations implements Reservations {
  readonly #options: MemoryReservationsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<Entry>>();
  #swept = 0;

  constructor(options: MemoryReservationsOptions) {
    this.#options = options;
  }

  async arrive(payer: LimitedPayer): Promise<void> {
    const found = this.#current(payer);
    const entry = found instanceof Promise ? await found : found;
    const { balance } = entry;
    if (balance.minuteRequests >= payer.limits.requestsPerMinute) {
      throw requestRefusal({ payer, limits: payer.limits, balance: withHeld(entry), time: this.#options.now() });
    }
    entry.balance = { ...balance, minuteRequests: balance.minuteRequests + 1 };
  }

  reserve(payer: LimitedPayer, request: ReservationRequest): Promise<Reservation> {
    return this.#reserve(payer, request, true);
  }

  async hold(payer: LimitedPayer, request: ReservationRequest): Promise<Reservation & { readonly id: string }> {
    const reservation = await this.#reserve(payer, request, false);
    const id = randomUUID();
    const { units, period } = reservation;
    try {
      const expires = this.#options.now() + RESERVATION_MS;
      await this.#options.store.query(HOLD, [id, payer.id, period, units, expires]);
    } catch (error) {
      this.#end(reservation, units);
      throw error;
    }
    const entry = this.#end(reservation, 0);
    if (entry !== undefined) entry.held += units;
    return { ...reservation, id };
  }

  async settle(reservation: Reservation, charged: Units, cutOff = NO_UNITS): Promise<Balance> {
    const { id, payer, period, units } = reservation;
    if (charged === 0 && id === undefined) {
      this.#end(reservation, units - cutOff);
      // nobody waits for it: a process that dies first gives the minute back
      if (cutOff > 0) this.#options.ledger.add(settlementOf(reservation, { reserved: 0, charged: 0, cutOff }));
      return this.balance(payer);
    }
    try {
      const row = await this.#options.ledger.settle(settlementOf(reservation, { reserved: 0, charged, cutOff }));
      if (id === undefined) this.#end(reservation, units - charged);
      const entry = this.#entries.get(payer.id);
      if (entry !== undefined)
        entry.balance = { ...entry.balance, spent: spentAfter(entry.balance, row, period, charged) };
    } catch (error) {
      if (id === undefined) this.#end(reservation, units);
      throw error;
    }
    return this.balance(payer);
  }

  refund(reservation: Reservation, charged: Units): void {
    const { payer, period } = reservation;
    const entry = this.#entries.get(payer.id);
    if (entry !== undefined && entry.balance.period === period) {
      entry.balance = { ...entry.balance, spent: Math.max(0, entry.balance.spent - charged) };
    }
    refundIn(this.#options.ledger, reservation, charged);
  }

  balance(payer: LimitedPayer): Balance {
    const entry = this.#entries.get(payer.id);
    const time = this.#options.now();
    const period = periodOf(payer, time);
    return inMinute(entry?.balance.period === period ? withHeld(entry) : { ...EMPTY, period }, minuteOf(time));
  }

  async #reserve(payer: LimitedPayer, request: ReservationRequest, takesSlot: boolean): Promise<Reservation> {
    let found = this.#current(payer);
    let entry = found instanceof Promise ? await found : found;
    if (entry.held > 0) {
      // jobs that have ended since are charged or released in the store
      found = this.#load(payer);
      entry = await found;
    }
    // from here on nothing waits, so that two requests cannot reserve the same units
    const time = this.#options.now();
    const balance = inMinute(withHeld(entry), minuteOf(time));
    const refusal = refusalOf(balance, request.cost, payer.limits, takesSlot);
    if (refusal !== undefined) {
      throw unitRefusal(refusal, request.cost, { payer, limits: payer.limits, balance, time });
    }
    entry.balance = reserve(inMinute(entry.balance, minuteOf(time)), request.cost, takesSlot);
    return reservationOf({ ...request, payer, takesSlot, time }, entry.balance);
  }

  /** Ends what is held in memory; `back` units of it go back to its minute. */
  #end({ payer, units, period, minute, takesSlot }: Reservation, back: number): Entry | undefined {
    const entry = this.#entries.get(payer.id);
    if (entry === undefined) return undefined;
    const { balance } = entry;
    entry.balance = {
      ...balance,
      reserved: balance.period === period ? balance.reserved - units : balance.reserved,
      running: balance.running - (takesSlot ? 1 : 0),
      minuteUnits: balance.minute === minute ? Math.max(0, balance.minuteUnits - back) : balance.minuteUnits,
    };
    return entry;
  }

  /** The entry in this minute and period. */
  #current(payer: LimitedPayer): Entry | Promise<Entry> {
    const time = this.#options.now();
    const entry = this.#entries.get(payer.id);
    if (entry === undefined || entry.balance.period !== periodOf(payer, time)) return this.#load(payer);
    entry.balance = inMinute(entry.balance, minuteOf(time));
    return entry;
  }

  #load(payer: LimitedPayer): Promise<Entry> {
    const running = this.#loading.get(payer.id);
    if (running !== undefined) return running;
    const loading = this.#read(payer).finally(() => this.#loading.delete(payer.id));
    this.#loading.set(payer.id, loading);
    return loading;
  }

  async #read(payer: LimitedPayer): Promise<Entry> {
    const { store, now } = this.#options;
    const time = now();
    const period = periodOf(payer, time);
    const { row, spent, held } = await store.transaction("read units", async (db) => {
      const [found] = await db.query(READ, [payer.id]);
      const [open] = await db.query(HELD, [payer.id, period, time]);
      const known = found === undefined ? undefined : payerRow(found);
      return {
        row: known,
        spent: known?.period === period ? known.spent : await spentInPeriod(db, payer, period),
        held: Number(open?.units ?? 0),
      };
    });
    this.#sweep(minuteOf(time));
    const known = this.#entries.get(payer.id);
    if (known === undefined) {
      const balance = { ...EMPTY, ...counted(row), period, spent };
      const entry = { balance: inMinute(balance, minuteOf(time)), held };
      this.#entries.set(payer.id, entry);
      return entry;
    }
    // units that open requests reserved in another period are settled there
    const reserved = known.balance.period === period ? known.balance.reserved : 0;
    known.balance = inMinute({ ...known.balance, period, spent, reserved }, minuteOf(time));
    known.held = held;
    return known;
  }

  #sweep(minute: number): void {
    if (this.#swept === minute) return;
    this.#swept = minute;
    for (const [id, { balance }] of this.#entries) {
      if (balance.running === 0 && balance.reserved === 0 && Math.abs(minute - balance.minute) > FORGET_MINUTES) {
        this.#entries.delete(id);
      }
    }
  }
}

function counted(row: PayerRow | undefined): Partial<Balance> {
  return row === undefined
    ? {}
    : { minute: row.minute, minuteUnits: row.minuteUnits, minuteRequests: row.minuteRequests };
}

/**
 * Units spent in the balance's period after a charge. The row has them, unless it is of a later period: the clock was set
 * back, and charges of this one are in the counts alone.
 */
function spentAfter(balance: Balance, row: PayerRow, period: string, charged: Units): number {
  if (balance.period === row.period) return row.spent;
  return balance.period === period ? balance.spent + charged : balance.spent;
}

/** The balance with the units of background jobs. */
function withHeld({ balance, held }: Entry): Balance {
  return held === 0 ? balance : { ...balance, reserved: balance.reserved + held };
}
