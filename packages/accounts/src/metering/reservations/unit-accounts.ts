import type { Queries, Store } from "@swath/store";
import { minuteOf } from "../../calendar.ts";
import type { Payer } from "../units/payer.ts";
import { MemoryReservations } from "./memory-reservations.ts";
import type { Reservations } from "./reservations.ts";
import { StoredReservations } from "./stored-reservations.ts";
import { UnitLedger } from "./unit-ledger.ts";
import { readUsage, type Usage } from "./usage.ts";
import { UsageTally } from "./usage-tally.ts";

/** Pause between two flushes of charges to the disk, milliseconds. */
const FLUSH_MS = 500;
/** Longest time for which a count that nobody waits for is in memory only. */
const COUNTS_MS = 1000;
const DAY_MINUTES = 1440;

/** Units and requests of all payers, in the store. */
export interface UnitAccounts {
  readonly reservations: Reservations;
  /** Counts a request in the usage of its payer. */
  count(payer: Payer, route: string): void;
  /**
   * Counts units of a payer who has no limit of them. Nobody waits for it: a node that is killed loses a second of counts.
   *
   * @param units below 0 to take back what was counted before.
   * @param time of the admission, epoch milliseconds.
   */
  countUnits(payer: Payer, route: string, units: number, time: number): void;
  /** Returns the use of a payer in a month: `2026-06`. */
  usage(payer: string, month: string): Promise<Usage>;
  /**
   * Removes reservations of nodes that died, and payers of a day or a token of more than a day ago.
   *
   * @returns units of the reservations.
   */
  removeExpired(): Promise<number>;
  /** Writes what was counted; runs each second by itself. */
  flush(): Promise<void>;
  /** Writes what is left and stops. */
  close(): Promise<void>;
}

/** Options of the unit accounts. */
export interface UnitAccountsOptions {
  readonly now?: () => number;
  readonly onError?: (error: unknown) => void;
  /** Pause before what the store did not take is sent again, milliseconds; default 250. */
  readonly retryMs?: number;
  /** Time for which an answer waits for a store that does not answer, milliseconds; default 5,000. */
  readonly patienceMs?: number;
}

/** Opens the unit accounts of a store. */
export function openUnitAccounts(store: Store, options: UnitAccountsOptions = {}): UnitAccounts {
  const { now = Date.now, onError = () => {}, retryMs, patienceMs } = options;
  // a store that other nodes may have too
  const shared = store.engine === "postgres";
  const tally = new UsageTally(now, !shared);
  const ledger = new UnitLedger(store, {
    now,
    onError,
    takeCounts: () => tally.take(),
    ...(retryMs === undefined ? {} : { retryMs }),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  const reservations = shared
    ? new StoredReservations({ store, ledger, now })
    : new MemoryReservations({ store, ledger, now });
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
    count: (payer, route) => tally.add(payer, route, { requests: 1 }),
    countUnits: (payer, route, charged, time) => tally.add(payer, route, { charged, time }),
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
  const dayAgo = minuteOf(time) - DAY_MINUTES;
  // their periods are over, and what a network did is not kept for longer
  for (const kind of ["guest:%", "files:%", "map:%"]) {
    await store.query("delete from unit_payer where payer like $1 and minute < $2", [kind, dayAgo]);
  }
  return expired.reduce((sum, { units }) => sum + Number(units), 0);
}
