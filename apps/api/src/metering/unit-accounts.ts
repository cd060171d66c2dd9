import type { Queries, Store } from "../state/store.ts";
import { MemoryReservations } from "./memory-reservations.ts";
import { minuteOf, type Payer } from "./payer.ts";
import { RequestTally } from "./request-tally.ts";
import type { Reservations } from "./reservations.ts";
import { StoredReservations } from "./stored-reservations.ts";
import { UnitLedger } from "./unit-ledger.ts";
import type { PayerRow, Settlement } from "./unit-rows.ts";
import { readUsage, type Usage } from "./usage.ts";

/** How often charges that have not reached the disk are made to. */
const FLUSH_MS = 500;
/** Longest time for which a count of requests is in memory only; units are written before their answer is sent. */
const COUNTS_MS = 5000;
const DAY_MINUTES = 1440;

/** Units and requests of all payers, in the store. */
export interface UnitAccounts {
  readonly reservations: Reservations;
  /** Counts a request in the usage of its payer. */
  count(payer: Payer, route: string): void;
  /** Charges a payer whose units are not limited. */
  charge(settlement: Settlement): Promise<PayerRow>;
  /** Writes a settlement that nobody waits for. */
  add(settlement: Settlement): void;
  /** What a payer has spent in a month: `2026-06`. */
  usage(payer: string, month: string): Promise<Usage>;
  /**
   * Removes reservations of nodes that died, and guests of more than a day ago.
   *
   * @returns units of the reservations.
   */
  removeExpired(): Promise<number>;
  /** Writes what was counted; runs every five seconds by itself. */
  flush(): Promise<void>;
  /** Writes what is left and stops. */
  close(): Promise<void>;
}

export interface UnitAccountsOptions {
  readonly now?: () => number;
  /** Other nodes answer requests too; by default when the store is PostgreSQL. */
  readonly shared?: boolean;
  readonly onError?: (error: unknown) => void;
  /** How long charges are gathered for one transaction, milliseconds; default 4. */
  readonly gatherMs?: number;
  /** Pause before what the store did not take is sent again, milliseconds; default 250. */
  readonly retryMs?: number;
  /** How long an answer waits for a store that does not answer, milliseconds; default 5,000. */
  readonly patienceMs?: number;
}

export function openUnitAccounts(store: Store, options: UnitAccountsOptions = {}): UnitAccounts {
  const { now = Date.now, shared = store.engine === "postgres", onError = () => {} } = options;
  const { gatherMs, retryMs, patienceMs } = options;
  const ledger = new UnitLedger(store, {
    now,
    onError,
    ...(gatherMs === undefined ? {} : { gatherMs }),
    ...(retryMs === undefined ? {} : { retryMs }),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  const reservations = shared
    ? new StoredReservations({ store, ledger, now })
    : new MemoryReservations({ store, ledger, now });
  const tally = new RequestTally(now, !shared);
  const flush = async (): Promise<void> => {
    for (const each of tally.take()) ledger.add(each);
    await ledger.flush();
  };
  const timers = [
    setInterval(() => void ledger.flush(), FLUSH_MS).unref(),
    setInterval(() => void flush(), COUNTS_MS).unref(),
  ];
  return {
    reservations,
    count: (payer, route) => tally.add(payer, route),
    charge: (settlement) => ledger.settle(settlement),
    add(settlement) {
      ledger.add(settlement);
      void ledger.flush();
    },
    async usage(payer, month) {
      await flush();
      return readUsage(store, payer, month);
    },
    removeExpired: () => removeExpired(store, now()),
    flush,
    async close() {
      for (const timer of timers) clearInterval(timer);
      for (const each of tally.take()) ledger.add(each);
      await ledger.close();
    },
  };
}

async function removeExpired(store: Queries, time: number): Promise<number> {
  const expired = await store.query("delete from unit_reservation where expires <= $1 returning units", [time]);
  await store.query("delete from unit_payer where payer like 'guest:%' and minute < $1", [
    minuteOf(time) - DAY_MINUTES,
  ]);
  return expired.reduce((sum, { units }) => sum + Number(units), 0);
}
