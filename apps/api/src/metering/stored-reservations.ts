import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Queries, Store } from "../state/store.ts";
import { type Balance, EMPTY, inMinute, refusalOf, reserve, type UnitRefusal } from "./balance.ts";
import { minuteOf, periodOf } from "./payer.ts";
import { RequestLeases } from "./request-leases.ts";
import {
  type LimitedPayer,
  RESERVATION_MS,
  type Reservation,
  type ReservationRequest,
  type Reservations,
  refundIn,
  reservationOf,
  settlementOf,
} from "./reservations.ts";
import type { UnitLedger } from "./unit-ledger.ts";
import { requestProblem, unitProblem } from "./unit-problems.ts";
import { insertRows, PAYER_COLUMNS, type PayerRow, payerRow, queryIn, spentInPeriod } from "./unit-rows.ts";
import { NO_UNITS, type Units } from "./units.ts";

const MAX_BATCH = 64;
/** Payers whose balance a node remembers, for headers. */
const MAX_BALANCES = 50_000;

const HEAD = "insert into unit_payer(payer, period, spent, minute, minute_units, minute_requests)";
/** Locks the rows until the transaction ends, and reads them. */
const LOCK = `on conflict(payer) do update set payer = excluded.payer returning ${PAYER_COLUMNS}`;
const WRITE = `on conflict(payer) do update set period = excluded.period, spent = excluded.spent,
  minute = excluded.minute, minute_units = excluded.minute_units, minute_requests = excluded.minute_requests`;
const OPEN = (list: string): string => `select payer, period, sum(units) as units, sum(slot) as slots
  from unit_reservation where expires > $1 and payer in (${list}) group by payer, period`;

interface Asked extends ReservationRequest {
  readonly payer: LimitedPayer;
  readonly takesSlot: boolean;
  readonly time: number;
  readonly resolve: (reservation: Reservation & { readonly id: string }) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome =
  | { readonly reservation: Reservation & { readonly id: string } }
  | { readonly refusal: UnitRefusal; readonly balance: Balance };

export interface StoredReservationsOptions {
  readonly store: Store;
  readonly ledger: UnitLedger;
  readonly now: () => number;
}

/**
 * Reservations as rows of the store: concurrency and units are exact over all nodes. The requests that wait while a
 * transaction runs are the next one.
 */
export class StoredReservations implements Reservations {
  readonly #options: StoredReservationsOptions;
  readonly #balances = new LRUCache<string, Balance>({ max: MAX_BALANCES });
  readonly #leases: RequestLeases;
  readonly #lock = `reservations ${randomUUID()}`;
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
    throw requestProblem({ payer, limits: payer.limits, balance: this.balance(payer), time });
  }

  reserve(payer: LimitedPayer, request: ReservationRequest): Promise<Reservation> {
    return this.#ask(payer, request, true);
  }

  hold(payer: LimitedPayer, request: ReservationRequest): Promise<Reservation & { readonly id: string }> {
    return this.#ask(payer, request, false);
  }

  async settle(reservation: Reservation, charged: Units, cutOff = NO_UNITS): Promise<Balance> {
    const units = { reserved: reservation.units, charged, cutOff };
    const row = await this.#options.ledger.settle(settlementOf(reservation, units));
    this.#remember(row, reservation.units);
    return this.balance(reservation.payer);
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

  #remember(row: PayerRow, ended: number = 0): void {
    const known = this.#balances.get(row.payer);
    const reserved = Math.max(0, (known?.reserved ?? 0) - ended);
    this.#balances.set(row.payer, { ...row, reserved, running: known?.running ?? 0 });
  }

  #ask(payer: LimitedPayer, request: ReservationRequest, takesSlot: boolean) {
    return new Promise<Reservation & { readonly id: string }>((resolve, reject) => {
      this.#waiting.push({ ...request, payer, takesSlot, time: this.#options.now(), resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    this.#running = true;
    // what comes in the same turn of the event loop goes into the same transaction
    await undefined;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, MAX_BATCH);
      // known before it is written: where nobody can say whether a commit went well, the rows are removed
      const ids = asked.map(() => randomUUID());
      try {
        const outcomes = await this.#options.store.transaction(this.#lock, (db) => this.#decide(db, asked, ids));
        for (const [i, each] of asked.entries()) answer(each, outcomes[i]);
      } catch (error) {
        for (const [i, { payer, cost, time }] of asked.entries()) {
          const period = periodOf(payer, time);
          const row = { payer: payer.id, period, minute: minuteOf(time), reservation: ids[i] ?? "", reserved: cost };
          this.#options.ledger.add({ ...row, charged: NO_UNITS, requests: 0 });
        }
        // nobody waits for a store that does not answer
        for (const { reject } of [...asked, ...this.#waiting.splice(0)]) reject(error);
        void this.#options.ledger.flush();
      }
    }
    this.#running = false;
  }

  async #decide(db: Queries, asked: readonly Asked[], ids: readonly string[]): Promise<readonly Outcome[]> {
    const time = this.#options.now();
    const payers = new Map(asked.map(({ payer }) => [payer.id, payer]));
    const balances = await this.#lockedBalances(db, [...payers.values()], time);
    const made: Reservation[] = [];
    const outcomes = asked.map((each, i): Outcome => {
      const { payer, cost, takesSlot } = each;
      const balance = balances.get(payer.id) ?? { ...EMPTY, period: periodOf(payer, time) };
      const refusal = refusalOf(balance, cost, payer.limits, takesSlot);
      if (refusal !== undefined) return { refusal, balance };
      balances.set(payer.id, reserve(balance, cost, takesSlot));
      const reservation = { id: ids[i] ?? "", ...reservationOf({ ...each, time }, balance) };
      made.push(reservation);
      return { reservation };
    });
    for (const [id, balance] of balances) this.#balances.set(id, balance);
    if (made.length === 0) return outcomes;
    const changed = [...new Set(made.map(({ payer }) => payer.id))].sort();
    const rows = changed.map((id) => {
      const balance = balances.get(id) as Balance;
      return [id, balance.period, balance.spent, balance.minute, balance.minuteUnits, balance.minuteRequests];
    });
    await insertRows(db, HEAD, rows, WRITE);
    const expires = time + RESERVATION_MS;
    await insertRows(
      db,
      "insert into unit_reservation(id, payer, period, units, slot, expires)",
      made.map((each) => [each.id ?? "", each.payer.id, each.period, each.units, each.takesSlot ? 1 : 0, expires]),
    );
    return outcomes;
  }

  /** The balances of payers, whose rows are locked until the transaction ends. */
  async #lockedBalances(db: Queries, payers: readonly LimitedPayer[], time: number): Promise<Map<string, Balance>> {
    const minute = minuteOf(time);
    // every node locks in the same order, so that two never wait for each other
    const sorted = [...payers].sort((a, b) => (a.id < b.id ? -1 : 1));
    const fresh = sorted.map((payer) => [payer.id, periodOf(payer, time), 0, minute, 0, 0]);
    const rows = new Map((await insertRows(db, HEAD, fresh, LOCK)).map((row) => [String(row.payer), payerRow(row)]));
    const ids = sorted.map(({ id }) => id);
    const open = await queryIn(db, OPEN, ids, [time]);
    const balances = new Map<string, Balance>();
    for (const payer of sorted) {
      const period = periodOf(payer, time);
      const row = rows.get(payer.id);
      // a month that has begun since, or a clock that was set back
      const spent =
        row === undefined || row.period === period ? (row?.spent ?? 0) : await spentInPeriod(db, payer, period);
      const own = open.filter((each) => each.payer === payer.id);
      const reserved = own.filter((each) => each.period === period).reduce((sum, { units }) => sum + Number(units), 0);
      const running = own.reduce((sum, { slots }) => sum + Number(slots), 0);
      balances.set(payer.id, inMinute({ ...EMPTY, ...row, period, spent, reserved, running }, minute));
    }
    return balances;
  }
}

function answer({ payer, cost, time, resolve, reject }: Asked, outcome: Outcome | undefined): void {
  if (outcome === undefined) reject(new Error("A reservation was not decided."));
  else if ("reservation" in outcome) resolve(outcome.reservation);
  else reject(unitProblem(outcome.refusal, cost, { payer, limits: payer.limits, balance: outcome.balance, time }));
}
